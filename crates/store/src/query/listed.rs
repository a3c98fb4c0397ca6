//! Fields with a fixed set of values: the query is put to the values, once, and each record is compared with those that
//! match. Folding the value of every record, or finding its words, costs ten times as much.

use cql::Error;

use crate::{collection::Collection, record::Kind};

use super::{
    condition::Condition,
    sql::{Fragment, Parameter},
    target::Target,
};

/// The condition that the field's value is one that `matches`; `None` if the field has no fixed set of values or an
/// index serves it.
///
/// # Errors
/// Those of `matches`.
pub(super) fn among(
    collection: &Collection,
    field: &str,
    target: &Target,
    matches: impl Fn(&Target) -> Result<Condition, Error>,
) -> Option<Result<Condition, Error>> {
    let kind = collection.schema.find(field)?;
    let Kind::OneOf(values) = kind else { return None };
    if target.key.is_some() || target.has_words {
        return None;
    }
    let found = matches(&Target::unindexed("listed.value".into(), kind));
    Some(found.map(|found| match found {
        Condition::All | Condition::Nothing => found,
        Condition::Sql(_) => {
            let values = Fragment::new(format!("{} = ANY(ARRAY(SELECT listed.value FROM unnest(", target.text))
                .bind(Parameter::Texts(values.clone()))
                .sql(") AS listed (value) WHERE ");
            Condition::test(values.then(found.sql()).sql("))"))
        }
    }))
}
