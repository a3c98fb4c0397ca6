//! What clients read about the last change of the parts of a record (contract 2, "Identity"). ArchivesSpace writes all parts of
//! a record anew with each change, so those of a part follow from its record.

use serde_json::{Map, Value};

use super::registry::record_type;

/// Members of a part, and the member of its record that each is.
pub const AUDIT: [(&str, &str); 5] = [
    ("created_by", "last_modified_by"),
    ("last_modified_by", "last_modified_by"),
    ("create_time", "user_mtime"),
    ("system_mtime", "user_mtime"),
    ("user_mtime", "user_mtime"),
];
/// Parts that are no records of their own in ArchivesSpace, beside notes and relations.
const PLAIN: [&str; 5] =
    ["ark_name", "assessment_attribute", "container_location", "rights_restriction", "enumeration_value"];

/// Adds version, authors and times to the parts of records, at any depth. What is no record stays as it is.
pub fn add_audit(records: &mut Value) {
    match records {
        Value::Array(entries) => entries.iter_mut().for_each(add_audit),
        Value::Object(members) if members.contains_key("user_mtime") => {
            let audit = AUDIT.iter().filter_map(|(of, from)| Some((*of, members.get(*from)?.clone())));
            let audit: Vec<_> = audit.collect();
            parts(members, &audit);
        }
        Value::Object(members) => members.values_mut().for_each(add_audit),
        _ => {}
    }
}

fn parts(members: &mut Map<String, Value>, audit: &[(&str, Value)]) {
    for member in members.values_mut() {
        part(member, audit);
    }
}

fn part(value: &mut Value, audit: &[(&str, Value)]) {
    match value {
        Value::Array(entries) => entries.iter_mut().for_each(|entry| part(entry, audit)),
        // A record that was put into this one.
        Value::Object(members) if members.contains_key("user_mtime") => add_audit(value),
        Value::Object(members) => {
            parts(members, audit);
            if members.get("jsonmodel_type").and_then(Value::as_str).is_some_and(is_apart) {
                members.insert("lock_version".to_owned(), 0.into());
                members.extend(audit.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
            }
        }
        _ => {}
    }
}

/// Whether parts of the type are records of their own in ArchivesSpace.
fn is_apart(kind: &str) -> bool {
    let is_plain = kind.starts_with("note_")
        || kind.starts_with("agent_relationship_")
        || kind.ends_with("_relationship")
        || kind.ends_with("_job")
        || PLAIN.contains(&kind);
    !is_plain && record_type(kind).is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_have_the_times_of_their_record() {
        let of = |name: &str, day: &str| json!({"last_modified_by": name, "user_mtime": day, "create_time": "1999", "created_by": "x"});
        let mut record = of("mara", "2020");
        record["extents"] = json!([{"jsonmodel_type": "extent", "number": "1"}]);
        record["notes"] = json!([{"jsonmodel_type": "note_singlepart", "content": ["x"]}]);
        record["instances"] = json!([{"jsonmodel_type": "instance", "sub_container": {"jsonmodel_type": "sub_container",
            "top_container": {"ref": "/repositories/2/top_containers/1", "_resolved": of("otto", "2021")}}}]);
        record["instances"][0]["sub_container"]["top_container"]["_resolved"]["container_locations"] =
            json!([{"jsonmodel_type": "container_location"}]);
        let mut list = json!([record]);
        add_audit(&mut list);
        let extent = json!({"jsonmodel_type": "extent", "number": "1", "lock_version": 0, "created_by": "mara",
            "last_modified_by": "mara", "create_time": "2020", "system_mtime": "2020", "user_mtime": "2020"});
        assert_eq!(list[0]["extents"][0], extent);
        assert_eq!(list[0]["notes"][0].get("user_mtime"), None);
        assert_eq!(list[0]["instances"][0]["sub_container"]["create_time"], "2020");
        let resolved = &list[0]["instances"][0]["sub_container"]["top_container"]["_resolved"];
        assert_eq!((&resolved["created_by"], &resolved["user_mtime"]), (&json!("x"), &json!("2021")));
        assert_eq!(resolved["container_locations"][0], json!({"jsonmodel_type": "container_location"}));
        assert_eq!(list[0]["create_time"], "1999");
    }
}
