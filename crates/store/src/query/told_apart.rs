//! Values that nearly all records share, such as that of a closed loan: a statement names them in its text instead of
//! taking them as parameters. A plan without values would expect as many records with one as with another.

use cql::literal;

use crate::collection::Collection;

use super::{condition::Condition, sql::Fragment, target::Target};

/// `==` one of the declared values; `None` if it is another one.
pub fn equals(collection: &Collection, field: &str, target: &Target, terms: &[&str]) -> Option<Condition> {
    let value = declared(collection, field, terms)?;
    let key = target.key.as_ref()?;
    Some(Condition::test(Fragment::new(format!("{key} = '{value}'"))).comparing(key).served())
}

/// `<>` one of the declared values; `None` if it is another one. As two ranges, which an index finds.
pub fn differs(collection: &Collection, field: &str, target: &Target, terms: &[&str]) -> Option<Condition> {
    let value = declared(collection, field, terms)?;
    let key = target.key.as_ref()?;
    Some(Condition::test(Fragment::new(format!("({key} < '{value}' OR {key} > '{value}')"))).narrowing())
}

fn declared(collection: &Collection, field: &str, terms: &[&str]) -> Option<&'static str> {
    let (_, values) = collection.told_apart.filter(|(of, _)| *of == field)?;
    let [term] = terms else { return None };
    let text = literal(term)?;
    values.iter().find(|value| value.eq_ignore_ascii_case(&text)).copied()
}
