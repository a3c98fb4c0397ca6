//! Removing what a request need not hold.

use serde_json::{Map, Value};

use super::super::declaration::{Fields, Kind, RecordType};
use super::super::references::chosen;
use super::super::registry::declared;
use super::super::spelling;

/// What every record can have, in this order.
const OWN: [&str; 2] = ["jsonmodel_type", "uri"];

/// The value without nulls, empty texts and empty objects at any depth; empty lists stay. Nothing is moved where nothing goes.
pub(crate) fn without_empties(mut value: Value) -> Option<Value> {
    prune(&mut value).then_some(value)
}

/// Removes what is empty inside the value; returns whether the value itself stays.
fn prune(value: &mut Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => {
            items.retain_mut(prune);
            true
        }
        Value::Object(map) => {
            map.retain(|_, value| prune(value));
            !map.is_empty()
        }
        _ => true,
    }
}

/// The record with only the properties that are declared and that clients write. It has nothing empty, before and after.
///
/// # Errors
///
/// An object could be of several types, and does not say of which.
pub fn known(of: &RecordType, mut map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    typed(of, &mut map)?;
    Ok(map)
}

/// What every record can have comes first.
fn typed(of: &RecordType, map: &mut Map<String, Value>) -> Result<(), String> {
    if of.uri.is_none() || !map.get("uri").is_some_and(Value::is_string) {
        map.shift_remove("uri");
    }
    let wanted = OWN.into_iter().filter(|name| map.contains_key(*name));
    if !wanted.eq(map.keys().map(String::as_str).take_while(|name| OWN.contains(name))) {
        let own = OWN.iter().filter_map(|name| map.shift_remove_entry(*name)).collect::<Vec<_>>();
        let rest = std::mem::take(map);
        map.extend(own.into_iter().chain(rest));
    }
    fields(&of.fields, map, &OWN)
}

/// Keeps the declared properties, and those of the names in `own`.
fn fields(fields: &Fields, map: &mut Map<String, Value>, own: &[&str]) -> Result<(), String> {
    let mut refused = None;
    map.retain(|name, value| {
        if own.contains(&name.as_str()) {
            return true;
        }
        let Some(property) = fields.get(name).filter(|property| !property.read_only) else { return false };
        of_kind(&property.kind, value).unwrap_or_else(|problem| {
            refused.get_or_insert(problem);
            false
        })
    });
    refused.map_or(Ok(()), Err)
}

/// Keeps what is declared of a value; returns whether anything is left.
fn of_kind(kind: &Kind, value: &mut Value) -> Result<bool, String> {
    match (kind, &mut *value) {
        (Kind::Array { of, .. }, Value::Array(items)) => {
            let mut refused = None;
            items.retain_mut(|item| {
                of_kind(of, item).unwrap_or_else(|problem| {
                    refused.get_or_insert(problem);
                    false
                })
            });
            return refused.map_or(Ok(true), Err);
        }
        (Kind::Fields(declared), Value::Object(map)) => fields(declared, map, &[])?,
        (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) => typed(declared(name), map)?,
        (Kind::AnyOf(kinds), Value::Object(map)) => match chosen(kinds, map) {
            Some(of) => typed(of, map)?,
            None => return Err(ambiguous(kinds, map)),
        },
        _ => {}
    }
    Ok(value.as_object().is_none_or(|map| !map.is_empty()))
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
