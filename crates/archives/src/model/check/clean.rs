//! Removing what a request need not hold.

use serde_json::{Map, Value};

use super::super::declaration::{Fields, Kind, RecordType};
use super::super::references::chosen;
use super::super::registry::declared;
use super::super::spelling;

/// The value without nulls, empty texts and empty objects at any depth; empty lists stay.
pub(crate) fn without_empties(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) => Some(Value::Array(items.into_iter().filter_map(without_empties).collect())),
        Value::Object(map) => {
            let full = map.into_iter().filter_map(|(key, value)| Some((key, without_empties(value)?)));
            let full: Map<_, _> = full.collect();
            if full.is_empty() { None } else { Some(Value::Object(full)) }
        }
        other => Some(other),
    }
}

/// The record with only the properties that are declared and that clients write.
///
/// # Errors
///
/// An object could be of several types, and does not say of which.
pub fn known(of: &RecordType, map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    typed(of, map)
}

fn typed(of: &RecordType, mut map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    let name = map.shift_remove("jsonmodel_type");
    let uri = map.shift_remove("uri").filter(|uri| of.uri.is_some() && uri.is_string());
    let mut kept = Map::new();
    kept.extend(name.map(|name| ("jsonmodel_type".to_owned(), name)));
    kept.extend(uri.map(|uri| ("uri".to_owned(), uri)));
    kept.extend(fields(&of.fields, map)?);
    Ok(kept)
}

fn fields(fields: &Fields, map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut kept = Map::new();
    for (name, value) in map {
        if let Some(property) = fields.get(&name).filter(|property| !property.read_only)
            && let Some(value) = without_empties(of_kind(&property.kind, value)?)
        {
            kept.insert(name, value);
        }
    }
    Ok(kept)
}

fn of_kind(kind: &Kind, value: Value) -> Result<Value, String> {
    Ok(match (kind, value) {
        (Kind::Array { of, .. }, Value::Array(items)) => {
            Value::Array(items.into_iter().map(|item| of_kind(of, item)).collect::<Result<_, _>>()?)
        }
        (Kind::Fields(declared), Value::Object(map)) => Value::Object(fields(declared, map)?),
        (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) => {
            Value::Object(typed(declared(name), map)?)
        }
        (Kind::AnyOf(kinds), Value::Object(map)) => match chosen(kinds, &map) {
            Some(of) => Value::Object(typed(of, map)?),
            None => return Err(ambiguous(kinds, &map)),
        },
        (_, value) => value,
    })
}

/// The message where `jsonmodel_type` is missing, or names none of the types that are allowed.
fn ambiguous(kinds: &[Kind], map: &Map<String, Value>) -> String {
    let object = spelling::inspect_map(map);
    let types: Vec<Value> = kinds.iter().flat_map(super::validate::names).map(Value::from).collect();
    let types = spelling::inspect(&Value::from(types));
    if map.contains_key("jsonmodel_type") {
        return format!("Couldn't determine type of '{object}'.  Must be one of: {types}");
    }
    format!(
        "Can't unambiguously match {object} against schema types: {types}. Resolve this by adding a 'jsonmodel_type' \
         property to {object}"
    )
}
