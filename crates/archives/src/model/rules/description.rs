//! Rules for records that describe materials, and for their subrecords.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::{Finding, error, error_if, items, only_one, text};

const PARTS: [&str; 4] = ["id_0", "id_1", "id_2", "id_3"];

/// The parts of an identifier are used without a gap.
pub(crate) fn identifier_without_gaps(record: &Map<String, Value>) -> Vec<Finding> {
    let used = PARTS.map(|part| record.contains_key(part));
    let gap = used.iter().skip_while(|used| **used).any(|used| *used);
    error_if(gap, "identifier", "must not contain blank entries").into_iter().collect()
}

/// Each part of an identifier has at most 50 characters.
pub(crate) fn identifier_is_short(record: &Map<String, Value>) -> Vec<Finding> {
    let long = |part: &&str| text(record, part).is_some_and(|text| text.chars().count() > 50);
    PARTS.iter().filter(|part| long(part)).map(|part| error(part, "Max length is 50 characters")).collect()
}

/// A resource says in which language its materials are.
pub(crate) fn has_a_language(resource: &Map<String, Value>) -> Vec<Finding> {
    let materials = items(resource, "lang_materials");
    if materials.iter().any(|material| material.get("language_and_script").is_some()) {
        return Vec::new();
    }
    vec![Finding::Code("must_contain_at_least_one_language")]
}

/// The level `otherlevel` has a name.
pub(crate) fn other_level_is_named(record: &Map<String, Value>) -> Vec<Finding> {
    let unnamed = text(record, "level") == Some("otherlevel") && !record.contains_key("other_level");
    error_if(unnamed, "other_level", "missing required property").into_iter().collect()
}

/// At most one linked agent is the primary one.
pub(crate) fn one_primary_agent(record: &Map<String, Value>) -> Vec<Finding> {
    let kind = text(record, "jsonmodel_type").unwrap_or_default();
    only_one(record, "linked_agents", "is_primary", &format!("A {kind} can have only one primary linked agent"))
}

/// An archival object has a title or a date.
pub(crate) fn has_title_or_dates(record: &Map<String, Value>) -> Vec<Finding> {
    if record.contains_key("title") || !items(record, "dates").is_empty() {
        return Vec::new();
    }
    vec![
        error("dates", "one or more required (or enter a Title)"),
        error("title", "must not be an empty string (or enter a Date)"),
    ]
}

/// A component has a label, a title or a date.
pub(crate) fn has_label_title_or_dates(component: &Map<String, Value>) -> Vec<Finding> {
    let named = component.contains_key("title") || component.contains_key("label");
    if named || !items(component, "dates").is_empty() {
        return Vec::new();
    }
    ["dates", "title", "label"].map(|property| error(property, "you must provide a label, title or date")).into()
}

/// At most one file version represents its record.
pub(crate) fn one_representative_file(record: &Map<String, Value>) -> Vec<Finding> {
    let kind = text(record, "jsonmodel_type").unwrap_or("digital_object");
    let message = format!("A {kind} can have only one FileVersion defined as: is_representative");
    only_one(record, "file_versions", "is_representative", &message)
}

/// The file version that represents its record is published.
pub(crate) fn representative_file_is_published(file: &Map<String, Value>) -> Vec<Finding> {
    let flag = |property| file.get(property) == Some(&Value::Bool(true));
    let hidden = flag("is_representative") && !flag("publish");
    error_if(hidden, "is_representative", "representative_file_version_must_be_published").into_iter().collect()
}

/// A rights statement has what its type needs.
pub(crate) fn rights_have_their_grounds(statement: &Map<String, Value>) -> Vec<Finding> {
    let needed: &[&str] = match text(statement, "rights_type") {
        Some("copyright") => &["status", "jurisdiction", "start_date"],
        Some("license") => &["license_terms", "start_date"],
        Some("statute") => &["statute_citation", "jurisdiction", "start_date"],
        Some("other") => &["other_rights_basis", "start_date"],
        _ => &[],
    };
    let missing = needed.iter().filter(|property| !statement.contains_key(**property));
    missing.map(|property| error(property, "missing required property")).collect()
}

/// The document of a rights statement says what kind of identifier it has.
pub(crate) fn document_has_identifier_type(document: &Map<String, Value>) -> Vec<Finding> {
    let missing = !document.contains_key("identifier_type");
    error_if(missing, "identifier_type", "missing required property").into_iter().collect()
}

/// No two documents of a record have the same title and location.
pub(crate) fn documents_differ(record: &Map<String, Value>) -> Vec<Finding> {
    let documents = items(record, "external_documents").iter().map(|one| [one.get("location"), one.get("title")]);
    let documents: Vec<_> = documents.collect();
    let repeated = (1..documents.len()).filter(|place| documents[..*place].contains(&documents[*place]));
    let message = "location and title must have unique values within a record";
    repeated.map(|place| error(&format!("external_documents/{place}/location"), message)).collect()
}

/// A note made of subnotes has one.
pub(crate) fn has_a_subnote(note: &Map<String, Value>) -> Vec<Finding> {
    let empty = items(note, "subnotes").is_empty();
    error_if(empty, "subnotes", "Must contain at least one subnote").into_iter().collect()
}

static DECIMAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^-?\d{0,9}(\.\d{1,5})?$").expect("the pattern is well formed"));
static INTEGER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^-?\d+$").expect("the pattern is well formed"));

/// An error for each of the properties that does not match.
fn mismatches(record: &Map<String, Value>, properties: &[&str], pattern: &Regex, message: &str) -> Vec<Finding> {
    let wrong = |property: &&&str| text(record, property).is_some_and(|text| !pattern.is_match(text));
    properties.iter().filter(wrong).map(|property| error(property, message)).collect()
}

const NOT_DECIMAL: &str = "must be a number with no more than nine digits and five decimal places";

/// Hours and extents of processing are numbers, and an extent says of what.
pub(crate) fn processing_is_in_numbers(record: &Map<String, Value>) -> Vec<Finding> {
    let untyped =
        record.contains_key("processing_total_extent") && !record.contains_key("processing_total_extent_type");
    let message = "is required if total extent is specified";
    let numbers = ["processing_hours_per_foot_estimate", "processing_total_extent", "processing_hours_total"];
    let mut findings: Vec<_> = error_if(untyped, "processing_total_extent_type", message).into_iter().collect();
    findings.extend(mismatches(record, &numbers, &DECIMAL, NOT_DECIMAL));
    findings
}

/// The numbers that a library defines itself are numbers.
pub(crate) fn numbers_are_numbers(record: &Map<String, Value>) -> Vec<Finding> {
    let integers = ["integer_1", "integer_2", "integer_3"];
    let mut findings = mismatches(record, &integers, &INTEGER, "must be an integer");
    findings.extend(mismatches(record, &["real_1", "real_2", "real_3"], &DECIMAL, NOT_DECIMAL));
    findings
}
