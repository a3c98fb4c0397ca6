//! Reading properties of records.

use serde_json::{Map, Value};

/// The text of a property, if it has one.
pub fn text<'a>(record: &'a Map<String, Value>, property: &str) -> Option<&'a str> {
    record.get(property).and_then(Value::as_str)
}

/// The items of a property that is a list; none if it is missing.
pub fn items<'a>(record: &'a Map<String, Value>, property: &str) -> &'a [Value] {
    record.get(property).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The objects among the items of a property that is a list.
pub fn objects<'a>(record: &'a Map<String, Value>, property: &str) -> impl Iterator<Item = &'a Map<String, Value>> {
    items(record, property).iter().filter_map(Value::as_object)
}

/// Whether a property is `true`.
pub fn is_true(record: &Map<String, Value>, property: &str) -> bool {
    record.get(property) == Some(&Value::Bool(true))
}
