//! Reading ArchivesSpace JSON: absent, null and empty are the same (section 2, "Nulls").

use serde_json::Value;

/// A text that is there and not empty.
pub fn text<'v>(record: &'v Value, key: &str) -> Option<&'v str> {
    record.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// The members of an array, none when there is no array.
pub fn list<'v>(record: &'v Value, key: &str) -> &'v [Value] {
    record.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether the flag is there and has this value.
pub fn is(record: &Value, key: &str, value: bool) -> bool {
    record.get(key).and_then(Value::as_bool) == Some(value)
}

/// The record behind a resolved link.
pub fn resolved(link: &Value) -> Option<&Value> {
    link.get("_resolved").filter(|record| record.is_object())
}

/// `id_0` to `id_3` joined by points.
pub fn identifier(resource: &Value) -> String {
    identifier_parts(resource).join(".")
}

/// `id_0` to `id_3`, as far as they are there.
pub fn identifier_parts(resource: &Value) -> Vec<&str> {
    ["id_0", "id_1", "id_2", "id_3"].iter().filter_map(|key| text(resource, key)).collect()
}
