//! Rare values of a field: kept in a separate table, so that finding their records needs no index on a column that
//! changes all day.

use cql::literal;

use crate::{collection::Collection, record::Kind};

use super::{
    compare,
    condition::Condition,
    listed,
    sql::{Fragment, Parameter},
    target::Target,
};

/// `==` on a field of the collection: looks up rare values and compares all others.
pub fn equals(collection: &Collection, field: &str, target: &Target, terms: &[&str]) -> Condition {
    let kept = collection.uncommon.filter(|kept| kept.field == field);
    let (Some(kept), Some(Kind::OneOf(values))) = (kept, collection.schema.find(field)) else {
        return plainly(collection, field, target, terms);
    };
    let uncommon = |term: &&str| {
        let text = literal(term)?;
        let mut values = values.iter();
        let value = values.find(|value| value.eq_ignore_ascii_case(&text))?;
        (!kept.common.contains(&value.as_str())).then(|| value.clone())
    };
    let looked_up: Vec<String> = terms.iter().filter_map(uncommon).collect();
    let compared: Vec<&str> = terms.iter().filter(|term| uncommon(term).is_none()).copied().collect();
    among(kept.table, looked_up).or(plainly(collection, field, target, &compared))
}

fn plainly(collection: &Collection, field: &str, target: &Target, terms: &[&str]) -> Condition {
    if terms.is_empty() {
        return Condition::Nothing;
    }
    let among = listed::among(collection, field, target, |value| Ok(compare::equals(value, terms)));
    among.and_then(Result::ok).unwrap_or_else(|| compare::equals(target, terms))
}

fn among(table: &str, values: Vec<String>) -> Condition {
    if values.is_empty() {
        return Condition::Nothing;
    }
    let records = format!("id IN (SELECT {table}.record_id FROM {table} WHERE {table}.name = ANY(");
    let records = Fragment::new(records).then(Fragment::parameter(Parameter::Texts(values))).sql("))");
    Condition::test(records).served()
}
