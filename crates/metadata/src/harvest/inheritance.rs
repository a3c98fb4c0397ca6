//! What an archival object does not say of itself is what the nearest record above says.

use record_xml::json::{list, resolved, text};
use serde_json::Value;

/// Members that are inherited whole.
const WHOLE: [&str; 5] = ["title", "component_id", "lang_materials", "dates", "extents"];
/// Entries of lists that are inherited if the record has none of the kind: list, member and value.
const ENTRIES: [(&str, &str, &str); 4] = [
    ("linked_agents", "role", "creator"),
    ("notes", "type", "accessrestrict"),
    ("notes", "type", "scopecontent"),
    ("notes", "type", "langmaterial"),
];

/// Completes an archival object whose ancestors are resolved, the nearest first.
pub(super) fn inherit(record: &mut Value) {
    if text(record, "jsonmodel_type") != Some("archival_object") {
        return;
    }
    for member in WHOLE {
        if !is_there(record.get(member)) {
            let found = above(record).find_map(|ancestor| ancestor.get(member).filter(|value| is_there(Some(value))));
            if let Some(value) = found.cloned() {
                record[member] = value;
            }
        }
    }
    for (member, key, value) in ENTRIES {
        let of_kind = |record: &Value| -> Vec<Value> {
            list(record, member).iter().filter(|entry| text(entry, key) == Some(value)).cloned().collect()
        };
        if !of_kind(record).is_empty() {
            continue;
        }
        let found = above(record).map(of_kind).find(|entries| !entries.is_empty());
        if let Some(entries) = found {
            match record.get_mut(member).and_then(Value::as_array_mut) {
                Some(all) => all.extend(entries),
                None => record[member] = Value::Array(entries),
            }
        }
    }
}

fn above(record: &Value) -> impl Iterator<Item = &Value> {
    list(record, "ancestors").iter().filter_map(resolved)
}

fn is_there(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(entries)) => !entries.is_empty(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_nearest_record_above_completes() {
        let mut record = json!({"jsonmodel_type": "archival_object", "dates": [], "title": "own",
            "linked_agents": [{"role": "subject", "ref": "/a/1"}],
            "ancestors": [
                {"_resolved": {"title": "near", "dates": [{"begin": "1900"}], "notes": []}},
                {"_resolved": {"title": "far", "dates": [{"begin": "1800"}], "component_id": "c",
                    "notes": [{"type": "scopecontent"}, {"type": "odd"}],
                    "linked_agents": [{"role": "creator", "ref": "/a/2"}, {"role": "source", "ref": "/a/3"}]}}]});
        inherit(&mut record);
        assert_eq!((&record["title"], &record["component_id"]), (&json!("own"), &json!("c")));
        assert_eq!(record["dates"], json!([{"begin": "1900"}]));
        assert_eq!(record["notes"], json!([{"type": "scopecontent"}]));
        let links = json!([{"role": "subject", "ref": "/a/1"}, {"role": "creator", "ref": "/a/2"}]);
        assert_eq!(record["linked_agents"], links);
        let mut resource = json!({"jsonmodel_type": "resource"});
        inherit(&mut resource);
        assert_eq!(resource, json!({"jsonmodel_type": "resource"}));
    }
}
