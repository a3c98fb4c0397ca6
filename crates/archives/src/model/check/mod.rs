//! Checking the record in a request: what is dropped, filled in, refused and warned of (contract sections 1.3 and 2).

mod clean;
mod finish;
mod problems;
mod validate;

#[cfg(test)]
mod example_tests;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::declaration::RecordType;
use super::lists::ValueLists;
use super::registry::record_type;
use super::spelling;

/// What the record is checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is created or replaced by a request of its own.
    Save,
    /// It is one of many in an import: values that their list lacks are added to it, and records may point to others
    /// of the import by a temporary URI.
    Import,
}

/// A record that may be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// What clients can write of it: defaults are filled in, and `jsonmodel_type` everywhere.
    pub record: Map<String, Value>,
    /// What the answer warns of: messages by slash path.
    pub warnings: Map<String, Value>,
    /// The version that the client edited.
    pub lock_version: Option<i64>,
    /// The URI that the client gave it, which only an import heeds.
    pub uri: Option<String>,
    /// In an import, the values that their lists lack.
    pub new_values: Vec<NewValue>,
}

/// A value that a list lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewValue {
    /// The list's name.
    pub list: String,
    /// The value.
    pub value: String,
}

/// A record that is refused: the body of the answer 400.
#[derive(Debug, Clone, PartialEq)]
pub struct Invalid {
    /// Messages by slash path, such as `extents/0/number`.
    pub errors: Map<String, Value>,
    /// What is also warned of, alike.
    pub warnings: Box<Map<String, Value>>,
    /// The record, as messages write it.
    pub invalid_object: String,
}

/// Checks a record that a client sent.
///
/// Nulls, empty texts and empty objects are removed at every depth, and so is what the declaration does not know or
/// clients cannot write. What is left must be what the declaration and the rules of its types say.
///
/// # Errors
///
/// What is wrong with it, in the words that clients of ArchivesSpace know.
pub fn check(of: &RecordType, body: Value, lists: &dyn ValueLists, how: Purpose) -> Result<Checked, Invalid> {
    let mut sent = match clean::without_empties(body) {
        None => Map::new(),
        Some(Value::Object(map)) => map,
        Some(other) => return Err(no_object(of, &other)),
    };
    let lock_version = sent.shift_remove("lock_version").as_ref().and_then(whole_number);
    let uri = sent.shift_remove("uri").as_ref().and_then(Value::as_str).map(str::to_owned);
    sent.insert("jsonmodel_type".to_owned(), Value::from(of.name.as_str()));
    let mut record = clean::known(of, sent).map_err(|problem| refused_before_reading(of, problem))?;

    let mut validator = validate::Validator::new(lists, how);
    validator.record(of, &mut record, "");
    let (problems, new_values) = validator.found();
    finish::fill(&of.fields, &mut record);
    let (errors, warnings) = problems::messages(&problems);
    if errors.is_empty() {
        return Ok(Checked { record, warnings, lock_version, uri, new_values });
    }
    Err(Invalid { errors, warnings: Box::new(warnings), invalid_object: invalid_object(of, &record) })
}

/// Gives a record of the type what it has if clients do not say otherwise.
pub(crate) fn set_defaults(kind: &str, record: &mut Map<String, Value>) {
    if let Some(of) = record_type(kind) {
        finish::fill(&of.fields, record);
    }
}

fn whole_number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn invalid_object(of: &RecordType, record: &Map<String, Value>) -> String {
    format!("#<JSONModel(:{}) {}>", of.name, spelling::inspect_map(record))
}

fn refused_before_reading(of: &RecordType, problem: String) -> Invalid {
    let errors = Map::from_iter([("record".to_owned(), Value::from(vec![problem]))]);
    Invalid { errors, warnings: Box::default(), invalid_object: invalid_object(of, &Map::new()) }
}

fn no_object(of: &RecordType, sent: &Value) -> Invalid {
    let problem = format!("Must be a JSONModel(:{}) object (you provided a {})", of.name, spelling::class_of(sent));
    refused_before_reading(of, problem)
}
