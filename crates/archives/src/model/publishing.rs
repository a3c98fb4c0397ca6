//! Whether records and their parts are published if they do not say so (contract 2).

use serde_json::{Map, Value};

use super::registry::record_type;

/// Publishes what a record of the type does not say of itself and its parts.
pub fn publish_unsaid(kind: &str, record: &mut Map<String, Value>) {
    let named = record.insert("jsonmodel_type".to_owned(), kind.into());
    set_unsaid(record, true);
    if named.is_none() {
        record.remove("jsonmodel_type");
    }
}

/// Sets whether a part and its parts are published, where they can be and do not say so. A part names its type.
pub(crate) fn set_unsaid(part: &mut Map<String, Value>, published: bool) {
    let of = part.get("jsonmodel_type").and_then(Value::as_str).and_then(record_type);
    if of.is_some_and(|of| of.fields.get("publish").is_some()) {
        part.entry("publish").or_insert(published.into());
    }
    for member in part.values_mut() {
        match member {
            Value::Object(part) => set_unsaid(part, published),
            Value::Array(parts) => {
                parts.iter_mut().filter_map(Value::as_object_mut).for_each(|part| set_unsaid(part, published));
            }
            _ => {}
        }
    }
}
