//! Agents, subjects, dates and what else accessions and digital objects have in their rows.

use serde_json::{Map, Value, json};

use super::{
    super::{
        Reason,
        record::{VOCABULARY, object, push, set, set_text},
    },
    Made,
    rows::{As, Row},
};

const CONTACT: &[(&str, As)] = &[
    ("address_1", As::Text),
    ("address_2", As::Text),
    ("address_3", As::Text),
    ("city", As::Text),
    ("country", As::Text),
    ("email", As::Text),
    ("name", As::Text),
    ("post_code", As::Text),
    ("region", As::Text),
    ("salutation", As::Text),
];

const NAME: &[(&str, As)] = &[
    ("authority_id", As::Text),
    ("dates", As::Text),
    ("fuller_form", As::Text),
    ("name_order", As::Text),
    ("number", As::Text),
    ("prefix", As::Text),
    ("title", As::Text),
    ("primary_name", As::Text),
    ("qualifier", As::Text),
    ("rest_of_name", As::Text),
    ("rules", As::Text),
    ("sort_name", As::Text),
    ("source", As::Text),
    ("subordinate_name_1", As::Text),
    ("subordinate_name_2", As::Text),
    ("suffix", As::Text),
];

const EXTENT: &[(&str, As)] = &[
    ("container_summary", As::Text),
    ("number", As::Text),
    ("physical_details", As::Text),
    ("portion", As::Text),
    ("dimensions", As::Text),
];

const EVENTS: [&str; 5] = ["acknowledgement_sent", "agreement_received", "agreement_sent", "cataloged", "processed"];

/// The agent of a row, linked to the record.
pub(super) fn agent(row: &Row, record: &mut Map<String, Value>, made: &mut Made<'_, '_>) -> Result<(), Reason> {
    let Some(role) = row.text("agent_role") else {
        let said = row.has("agent_type") || row.has("agent_name_");
        return if said { Err(Reason("agent_role is missing".to_owned())) } else { Ok(()) };
    };
    let kind = row.text("agent_type").ok_or_else(|| Reason("agent_type is missing".to_owned()))?;
    let path = match kind.as_str() {
        "agent_person" => "/agents/people",
        "agent_family" => "/agents/families",
        "agent_corporate_entity" => "/agents/corporate_entities",
        _ => return Err(Reason(format!("agent_type cannot be {kind}"))),
    };
    let mut agent = object(&kind);
    let mut name = object(&kind.replace("agent_", "name_"));
    row.put(&mut name, "agent_name_", NAME);
    if kind == "agent_family" {
        set_text(&mut name, "family_name", row.text("agent_name_primary_name"));
    }
    push(&mut agent, "names", Value::Object(name));
    if row.has("agent_contact_") {
        push(&mut agent, "agent_contacts", Value::Object(contact(row)));
    }
    if let Some(text) = row.text("agent_name_description_note") {
        let mut subnotes = vec![json!({"jsonmodel_type": "note_text", "content": text})];
        let citation = row.text("agent_name_description_citation");
        subnotes.extend(citation.map(|text| json!({"jsonmodel_type": "note_citation", "content": [text]})));
        push(&mut agent, "notes", json!({"jsonmodel_type": "note_bioghist", "subnotes": subnotes}));
    }
    let address = made.address(path);
    set(&mut agent, "uri", json!(address));
    made.records.push(Value::Object(agent));
    let mut link = json!({"role": role, "ref": address});
    if let Some(relator) = row.text("agent_relator") {
        link["relator"] = relator.into();
    }
    push(record, "linked_agents", link);
    Ok(())
}

fn contact(row: &Row) -> Map<String, Value> {
    let mut contact = object("agent_contact");
    row.put(&mut contact, "agent_contact_", CONTACT);
    if let Some(number) = row.text("agent_contact_fax") {
        push(
            &mut contact,
            "telephones",
            json!({"jsonmodel_type": "telephone", "number_type": "fax", "number": number}),
        );
    }
    if let Some(number) = row.text("agent_contact_telephone") {
        let mut telephone = json!({"jsonmodel_type": "telephone", "number_type": "home", "number": number});
        if let Some(ext) = row.text("agent_contact_telephone_ext") {
            telephone["ext"] = ext.into();
        }
        push(&mut contact, "telephones", telephone);
    }
    contact
}

/// The subject of a row, linked to the record.
pub(super) fn subject(row: &Row, record: &mut Map<String, Value>, made: &mut Made<'_, '_>) {
    if !row.has("subject_") {
        return;
    }
    let mut subject = object("subject");
    set_text(&mut subject, "source", row.text("subject_source"));
    let mut term = object("term");
    set_text(&mut term, "term", row.text("subject_term"));
    set_text(&mut term, "term_type", row.text("subject_term_type"));
    set(&mut term, "vocabulary", json!(VOCABULARY));
    set(&mut subject, "terms", json!([term]));
    set(&mut subject, "vocabulary", json!(VOCABULARY));
    let address = made.address("/subjects");
    set(&mut subject, "uri", json!(address));
    made.records.push(Value::Object(subject));
    push(record, "subjects", json!({"ref": address}));
}

/// The language of a row, in columns with a prefix.
pub(super) fn language(row: &Row, prefix: &str, record: &mut Map<String, Value>) {
    let (language, script) = (row.text(&format!("{prefix}language")), row.text(&format!("{prefix}script")));
    if language.is_none() && script.is_none() {
        return;
    }
    let mut both = object("language_and_script");
    set_text(&mut both, "language", language);
    set_text(&mut both, "script", script);
    push(record, "lang_materials", json!({"jsonmodel_type": "lang_material", "language_and_script": both}));
}

/// The dates of a row. Those without a type have `kind`.
pub(super) fn dates(row: &Row, kind: &str, record: &mut Map<String, Value>) {
    for prefix in ["date_1_", "date_2_"] {
        if !row.has(prefix) {
            continue;
        }
        let mut date = object("date");
        set(&mut date, "label", json!("other"));
        set(&mut date, "date_type", json!(kind));
        row.put(
            &mut date,
            prefix,
            &[("label", As::Text), ("expression", As::Text), ("begin", As::Text), ("end", As::Text)],
        );
        set_text(&mut date, "date_type", row.text(&format!("{prefix}type")));
        push(record, "dates", Value::Object(date));
    }
}

/// The extent of a row.
pub(super) fn extent(row: &Row, record: &mut Map<String, Value>) {
    if !row.has("extent_") {
        return;
    }
    let mut extent = object("extent");
    set(&mut extent, "portion", json!("whole"));
    row.put(&mut extent, "extent_", EXTENT);
    set_text(&mut extent, "extent_type", row.text("extent_type"));
    push(record, "extents", Value::Object(extent));
}

/// What a library keeps in members of its own.
pub(super) fn user_defined(row: &Row, bit: As, integer: As, real: As, record: &mut Map<String, Value>) {
    if !row.has("user_defined_") {
        return;
    }
    let mut own = object("user_defined");
    let kinds = [
        ("boolean", 3, bit),
        ("integer", 3, integer),
        ("real", 3, real),
        ("string", 4, As::Text),
        ("text", 5, As::Text),
        ("date", 3, As::Day),
        ("enum", 4, As::Text),
    ];
    for (kind, many, how) in kinds {
        for number in 1..=many {
            let member = format!("{kind}_{number}");
            if let Some(value) = row.value(&format!("user_defined_{member}"), how) {
                // Whole numbers are kept as texts.
                let value = value.as_i64().map_or(value.clone(), |number| number.to_string().into());
                set(&mut own, &member, value);
            }
        }
    }
    set(record, "user_defined", Value::Object(own));
}

/// How the processing of the record is managed.
pub(super) fn management(row: &Row, prefix: &str, record: &mut Map<String, Value>) {
    let mut management = object("collection_management");
    let before = management.len();
    row.put(
        &mut management,
        prefix,
        &[
            ("processing_hours_total", As::Text),
            ("processing_plan", As::Text),
            ("processing_priority", As::Text),
            ("processing_total_extent", As::Text),
            ("processing_total_extent_type", As::Text),
            ("processing_status", As::Text),
            ("processors", As::Text),
            ("rights_determined", As::Bit),
        ],
    );
    let estimate = row.text(&format!("{prefix}processing_estimate"));
    set_text(&mut management, "processing_hours_per_foot_estimate", estimate);
    if management.len() > before {
        set(record, "collection_management", Value::Object(management));
    }
}

/// What happened to the record, by columns that say so. `record` is its address.
pub(super) fn events(row: &Row, prefix: &str, kind: &str, record: &str, made: &mut Made<'_, '_>) {
    for event in EVENTS {
        let column = format!("{prefix}{event}");
        if !row.is_yes(&column) {
            continue;
        }
        let when = row.text(&format!("{column}_date")).map(|text| swapped(&text));
        let date = json!({"jsonmodel_type": "date", "label": "other", "date_type": kind,
            "expression": when.unwrap_or_else(|| "unknown".to_owned())});
        let mut happened = object("event");
        set(&mut happened, "event_type", json!(event));
        set(&mut happened, "date", date);
        set_text(&mut happened, "outcome_note", row.text(&format!("{column}_note")));
        let program = program(made);
        set(&mut happened, "linked_agents", json!([{"role": "executing_program", "ref": program}]));
        set(&mut happened, "linked_records", json!([{"role": "source", "ref": record}]));
        let address = made.own("events");
        set(&mut happened, "uri", json!(address));
        made.records.push(Value::Object(happened));
    }
}

/// Month and day of a date with slashes change places.
fn swapped(text: &str) -> String {
    match text.split('/').collect::<Vec<_>>()[..] {
        [month, day, year] if year.len() == 4 => format!("{day}/{month}/{year}"),
        _ => text.to_owned(),
    }
}

/// The agent that stands for this program.
fn program(made: &mut Made<'_, '_>) -> String {
    if let Some(known) = &made.before.program {
        return known.clone();
    }
    let address = made.address("/agents/software");
    let name = json!({"jsonmodel_type": "name_software", "software_name": "Carrel", "source": "local", "rules": "local",
        "authorized": true, "is_display_name": true});
    made.records.push(json!({"jsonmodel_type": "agent_software", "uri": address, "names": [name]}));
    made.before.program = Some(address.clone());
    address
}
