//! Rows of digital objects and their components.

use std::io::Read;

use serde_json::{Map, Value, json};

use super::{
    super::{
        ImportError, Reason,
        record::{object, push, set, set_text},
    },
    Made, agents,
    rows::{As, Row, Rows},
};

const FILE: &[(&str, As)] = &[
    ("publish", As::Yes),
    ("use_statement", As::Text),
    ("xlink_actuate_attribute", As::Text),
    ("xlink_show_attribute", As::Text),
    ("file_format_name", As::Text),
    ("file_format_version", As::Text),
    ("file_size_bytes", As::Integer),
    ("is_representative", As::Yes),
    ("checksum", As::Text),
    ("checksum_method", As::Text),
    ("caption", As::Text),
];

/// Refuses columns of files that are there twice.
pub(super) fn check_headers<R: Read>(rows: &Rows<R>) -> Result<(), ImportError> {
    let files = || rows.headers.iter().filter(|name| name.starts_with("file_version_"));
    let mut twice: Vec<&str> =
        files().filter(|name| files().filter(|other| other == name).count() > 1).map(String::as_str).collect();
    twice.dedup();
    if twice.is_empty() {
        return Ok(());
    }
    let reason = format!("columns are there twice: {}", twice.join(", "));
    Err(ImportError { line: 1, identifier: None, reason })
}

pub(super) fn read(row: &Row, made: &mut Made<'_, '_>) -> Result<(), Reason> {
    if row.is_yes("digital_object_is_component") {
        return component(row, made);
    }
    let mut record = object("digital_object");
    described(row, &mut record);
    set_text(&mut record, "digital_object_id", row.text("digital_object_id"));
    agents::agent(row, &mut record, made)?;
    agents::subject(row, &mut record, made);
    agents::user_defined(row, As::Yes, As::Integer, As::Real, &mut record);
    agents::management(row, "digital_object_", &mut record);
    row.put(&mut record, "digital_object_", &[("level", As::Text), ("type", As::Text), ("restrictions", As::Yes)]);
    if let Some(kind) = record.remove("type") {
        set(&mut record, "digital_object_type", kind);
    }
    let address = made.own("digital_objects");
    set(&mut record, "uri", json!(address));
    if let Some(id) = row.text("digital_object_id") {
        made.before.digital_objects.insert(id, address.clone());
    }
    made.records.push(Value::Object(record));
    agents::events(row, "digital_object_", "single", &address, made);
    Ok(())
}

fn component(row: &Row, made: &mut Made<'_, '_>) -> Result<(), Reason> {
    let id = row.text("digital_object_id");
    let id = id.ok_or_else(|| {
        Reason("Component entries must have a 'digital_object_id' to link them to a top-level record".to_owned())
    })?;
    let whole = made.before.digital_objects.get(&id).cloned();
    let whole = whole
        .ok_or_else(|| Reason("Components must be preceded by their top-level digital object in the CSV".to_owned()))?;
    let mut record = object("digital_object_component");
    described(row, &mut record);
    set_text(&mut record, "component_id", row.text("digital_object_component_id"));
    set(&mut record, "digital_object", json!({"ref": whole}));
    agents::subject(row, &mut record, made);
    let address = made.own("digital_object_components");
    set(&mut record, "uri", json!(address));
    made.records.push(Value::Object(record));
    Ok(())
}

/// What digital objects and components have.
fn described(row: &Row, record: &mut Map<String, Value>) {
    row.put(record, "digital_object_", &[("title", As::Text), ("publish", As::Yes)]);
    agents::language(row, "digital_object_", record);
    agents::dates(row, "single", record);
    agents::extent(row, record);
    let dates = record.get_mut("dates").and_then(Value::as_array_mut);
    for date in dates.into_iter().flatten() {
        // What a date without any value becomes.
        if date.get("begin").is_none() && date.get("expression").is_none() {
            date["begin"] = "1900".into();
        }
    }
    files(row, record);
}

/// Files: columns as they are, and with numbers.
fn files(row: &Row, record: &mut Map<String, Value>) {
    for (_, suffix) in row.numbered("file_version_file_uri") {
        let Some(uri) = row.text(&format!("file_version_file_uri{suffix}")) else { continue };
        let mut file = object("file_version");
        set(&mut file, "file_uri", json!(uri));
        for (member, how) in FILE {
            if let Some(value) = row.value(&format!("file_version_{member}{suffix}"), *how) {
                set(&mut file, member, value);
            }
        }
        push(record, "file_versions", Value::Object(file));
    }
}
