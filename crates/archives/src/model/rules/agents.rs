//! Rules for agents and their names.

use serde_json::{Map, Value};

use super::{Finding, error, error_if, items, only_one, text};

/// The dates of an agent's existence are labelled so.
pub(crate) fn dates_of_existence(agent: &Map<String, Value>) -> Vec<Finding> {
    let is_other = |date: &Value| date.get("date_label").and_then(Value::as_str) != Some("existence");
    let wrong = items(agent, "dates_of_existence").iter().any(is_other);
    error_if(wrong, "dates_of_existence", "Label must be 'existence' in this context").into_iter().collect()
}

/// At most one name is authorized, and at most one is shown.
pub(crate) fn one_name_is_it(agent: &Map<String, Value>) -> Vec<Finding> {
    let kind = text(agent, "jsonmodel_type").unwrap_or_default();
    let name = match kind {
        "agent_family" => "NameFamily",
        "agent_corporate_entity" => "NameCorporateEntity",
        "agent_software" => "NameSoftware",
        _ => "NamePerson",
    };
    let one = |flag| only_one(agent, "names", flag, &format!("A {kind} can have only one {name} defined as: {flag}"));
    [one("authorized"), one("is_display_name")].concat()
}

/// At most one contact is the one to use.
pub(crate) fn one_contact_is_it(agent: &Map<String, Value>) -> Vec<Finding> {
    let kind = text(agent, "jsonmodel_type").unwrap_or_default();
    let message = format!("A {kind} can have only one AgentContact defined as: is_representative");
    only_one(agent, "agent_contacts", "is_representative", &message)
}

const RECORD_CONTROL: [&str; 8] = [
    "agent_record_identifiers",
    "agent_record_controls",
    "agent_other_agency_codes",
    "agent_conventions_declarations",
    "agent_maintenance_histories",
    "agent_sources",
    "agent_alternate_sets",
    "agent_resources",
];

/// Software has no record control.
pub(crate) fn software_without_record_control(agent: &Map<String, Value>) -> Vec<Finding> {
    let present = RECORD_CONTROL.iter().filter(|list| !items(agent, list).is_empty());
    present.map(|list| error(list, "subrecord not allowed for agent software")).collect()
}

/// A name has a sort name, or one is made.
pub(crate) fn has_sort_name(name: &Map<String, Value>) -> Vec<Finding> {
    let made = name.get("sort_name_auto_generate") == Some(&Value::Bool(true));
    let missing = !made && !name.contains_key("sort_name");
    error_if(missing, "sort_name", "Property is required but was missing").into_iter().collect()
}

/// A name with an identifier of an authority should say whose.
pub(crate) fn authority_has_source(name: &Map<String, Value>) -> Vec<Finding> {
    let unknown = name.contains_key("authority_id") && !name.contains_key("source");
    let message = "is required if there is an authority id";
    unknown.then(|| Finding::Warning("source".to_owned(), message.to_owned())).into_iter().collect()
}

/// A function, place, occupation or topic has a subject.
pub(crate) fn has_a_subject(record: &Map<String, Value>) -> Vec<Finding> {
    let missing = items(record, "subjects").is_empty();
    error_if(missing, "subjects", "Must specify a primary subject").into_iter().collect()
}

fn says_nothing(record: &Map<String, Value>, own: &str) -> bool {
    [own, "descriptive_note", "file_uri"].iter().all(|property| !record.contains_key(*property))
}

/// A source says something.
pub(crate) fn source_says_something(source: &Map<String, Value>) -> Vec<Finding> {
    let message = "Must specify one of Source Entry, Descriptive Note or File URI";
    error_if(says_nothing(source, "source_entry"), "agent_sources", message).into_iter().collect()
}

/// An alternate set says something.
pub(crate) fn set_says_something(set: &Map<String, Value>) -> Vec<Finding> {
    let message = "Must specify one of Set Component, Descriptive Note or File URI";
    error_if(says_nothing(set, "set_component"), "agent_sources", message).into_iter().collect()
}

/// A language that an agent used is named, or described in a note.
pub(crate) fn language_or_note(language: &Map<String, Value>) -> Vec<Finding> {
    let missing = !language.contains_key("language") && items(language, "notes").is_empty();
    error_if(missing, "language", "Must specify either language or a note.").into_iter().collect()
}
