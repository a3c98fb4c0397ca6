//! Filling in what a checked record lacks.

use serde_json::{Map, Value};

use super::super::dates;
use super::super::declaration::{Fields, Kind};
use super::super::references::chosen;
use super::super::registry::declared;

/// Gives properties without a value their default, and lists without one none of their items; writes days as
/// `YYYY-MM-DD`.
pub fn fill(fields: &Fields, map: &mut Map<String, Value>) {
    for property in fields.properties.iter().filter(|property| !property.read_only) {
        if let Some(value) = map.get_mut(&property.name) {
            fill_value(&property.kind, value);
        } else if let Some(default) = &property.default {
            map.insert(property.name.clone(), default.clone());
        } else if matches!(property.kind, Kind::Array { .. }) {
            map.insert(property.name.clone(), Value::Array(Vec::new()));
        }
    }
}

fn fill_value(kind: &Kind, value: &mut Value) {
    match (kind, value) {
        (Kind::Date, value @ Value::String(_)) => {
            if let Some(day) = value.as_str().and_then(dates::whole_day) {
                *value = Value::from(day.to_string());
            }
        }
        (Kind::Fields(fields), Value::Object(map)) => fill(fields, map),
        (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) => fill(&declared(name).fields, map),
        (Kind::AnyOf(kinds), Value::Object(map)) => {
            if let Some(of) = chosen(kinds, map) {
                fill(&of.fields, map);
            }
        }
        (Kind::Array { of, .. }, Value::Array(items)) => items.iter_mut().for_each(|item| fill_value(of, item)),
        _ => {}
    }
}
