//! Rows of locations and of subjects.

use serde_json::{Map, Value, json};

use super::{
    super::record::{VOCABULARY, object, push, set, set_text},
    Made,
    rows::{As, Row},
};

const LOCATION: &[(&str, As)] = &[
    ("building", As::Text),
    ("floor", As::Text),
    ("room", As::Text),
    ("area", As::Text),
    ("barcode", As::Text),
    ("classification", As::Text),
    ("coordinate_1_label", As::Text),
    ("coordinate_1_indicator", As::Text),
    ("coordinate_2_label", As::Text),
    ("coordinate_2_indicator", As::Text),
    ("coordinate_3_label", As::Text),
    ("coordinate_3_indicator", As::Text),
    ("temporary", As::Text),
];

/// What the columns of rights are called, and their members.
const RIGHTS: &[(&str, &str)] = &[
    ("license", "license"),
    ("descriptive_note", "descriptive_note"),
    ("file_uri", "file_uri"),
    ("xlink_actuate", "file_version_xlink_actuate_attribute"),
    ("xlink_show", "file_version_xlink_show_attribute"),
    ("xlink_role", "xlink_role_attribute"),
    ("xlink_title", "xlink_title_attribute"),
    ("xlink_arcrole", "xlink_arcrole_attribute"),
    ("last_verified_date", "last_verified_date"),
];

pub(super) fn location(row: &Row, made: &mut Made<'_, '_>) {
    let mut location = object("location");
    row.put(&mut location, "location_", LOCATION);
    if made.options.of_repository {
        set(&mut location, "owner_repo", json!({"ref": format!("/repositories/{}", made.options.repository)}));
    }
    let address = made.address("/locations");
    set(&mut location, "uri", json!(address));
    made.records.push(Value::Object(location));
}

pub(super) fn subject(row: &Row, made: &mut Made<'_, '_>) {
    let mut subject = object("subject");
    row.put(&mut subject, "subject_", &[("authority_id", As::Text), ("source", As::Text), ("scope_note", As::Text)]);
    set(&mut subject, "vocabulary", json!(VOCABULARY));
    for number in 1..=5 {
        let (text, kind) = (row.text(&format!("term_{number}")), row.text(&format!("term_type_{number}")));
        if text.is_none() && kind.is_none() {
            continue;
        }
        let mut term = object("term");
        set_text(&mut term, "term", text);
        set_text(&mut term, "term_type", kind);
        set(&mut term, "vocabulary", json!(VOCABULARY));
        push(&mut subject, "terms", Value::Object(term));
    }
    if row.has("external_document_") {
        let mut document = object("external_document");
        row.put(
            &mut document,
            "external_document_",
            &[("title", As::Text), ("location", As::Text), ("publish", As::Bit)],
        );
        push(&mut subject, "external_documents", Value::Object(document));
    }
    if row.has("md_rights_dec_") {
        let mut rights: Map<String, Value> = object("metadata_rights_declaration");
        for (column, member) in RIGHTS {
            set_text(&mut rights, member, row.text(&format!("md_rights_dec_{column}")));
        }
        push(&mut subject, "metadata_rights_declarations", Value::Object(rights));
    }
    let address = made.address("/subjects");
    set(&mut subject, "uri", json!(address));
    made.records.push(Value::Object(subject));
}
