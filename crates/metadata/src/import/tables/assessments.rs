//! Rows of assessments. The first row names the section of each column, the second the column in it; attributes are named
//! by their labels.

use std::io::Read;

use serde_json::{Value, json};

use super::{
    super::{
        ImportError, Reason,
        record::{object, push, set},
    },
    Attribute, Known, Made,
    rows::{As, Row, Rows, any_day, is_yes, nothing},
};

const YES: [&str; 15] = [
    "accession_report",
    "appraisal",
    "container_list",
    "catalog_record",
    "control_file",
    "finding_aid_ead",
    "finding_aid_paper",
    "finding_aid_word",
    "finding_aid_spreadsheet",
    "finding_aid_online",
    "related_eac_records",
    "inactive",
    "sensitive_material",
    "review_required",
    "deed_of_gift",
];
const TEXTS: &[(&str, As)] = &[
    ("existing_description_notes", As::Text),
    ("surveyed_duration", As::Text),
    ("surveyed_extent", As::Text),
    ("review_note", As::Text),
    ("purpose", As::Text),
    ("scope", As::Text),
    ("general_assessment_note", As::Text),
    ("special_format_note", As::Text),
    ("exhibition_value_note", As::Text),
    ("monetary_value", As::Text),
    ("monetary_value_note", As::Text),
    ("conservation_note", As::Text),
];
const RECORDS: [(&str, &str); 4] = [
    ("resource", "resources"),
    ("archival_object", "archival_objects"),
    ("accession", "accessions"),
    ("digital_object", "digital_objects"),
];

/// The sections of attributes: what each is called in the first row, the kind of its attributes, and their member.
const ATTRIBUTES: [(&str, &str, &str); 3] = [
    ("format", "format", "formats"),
    ("rating", "rating", "ratings"),
    ("conservation", "conservation_issue", "conservation_issues"),
];

/// Reads both rows of headers. Columns that may be there again are numbered.
pub(super) fn headers<R: Read>(rows: &mut Rows<R>, known: &Known) -> Result<(), ImportError> {
    let (_, sections) = rows.cells()?.ok_or_else(nothing)?;
    let (line, fields) = rows.cells()?.ok_or_else(nothing)?;
    let refused = |reason: String| ImportError { line, identifier: None, reason };
    if sections.first().is_none_or(|first| normal(first) != "basic") {
        return Err(refused("the first row must name the section of each column, beginning with `basic`".to_owned()));
    }
    let mut names: Vec<String> = Vec::new();
    for (section, field) in sections.iter().zip(&fields) {
        let (section, field) = (normal(section), normal(field));
        if section.is_empty() || field.is_empty() {
            names.push(String::new());
            continue;
        }
        let mut name = format!("{section}_{field}");
        if ["basic_record", "basic_surveyed_by", "basic_reviewer"].contains(&name.as_str()) {
            let many = names.iter().filter(|other| other.starts_with(&format!("{name}_"))).count();
            name = format!("{name}_{}", many + 1);
        }
        if let Some((_, kind, _)) = ATTRIBUTES.iter().find(|(of, ..)| *of == section) {
            let label = if *kind == "rating" { field.strip_suffix("_note").unwrap_or(&field) } else { &field };
            attribute(kind, label, known).map_err(|Reason(reason)| refused(reason))?;
        }
        names.push(name);
    }
    rows.headers = names;
    rows.check_headers(line)
}

fn normal(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let words = text.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}

/// The attribute of a kind with a label.
fn attribute<'k>(kind: &str, label: &str, known: &'k Known) -> Result<&'k Attribute, Reason> {
    let of_kind: Vec<&Attribute> = known.attributes.iter().filter(|of| of.kind == kind).collect();
    let mut found = of_kind.iter().filter(|of| normal(&of.label) == label);
    let labels = |all: &[&Attribute]| all.iter().map(|of| of.label.as_str()).collect::<Vec<_>>().join(", ");
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(Reason(format!(
            "Unknown {kind} in column header: {label}. Allowed {kind}s for this repository: {}",
            labels(&of_kind)
        ))),
        (Some(one), Some(other)) => {
            Err(Reason(format!("Ambiguous {kind} type in column header: {label}. Matched {}", labels(&[*one, *other]))))
        }
    }
}

pub(super) fn read(row: &Row, made: &mut Made<'_, '_>) -> Result<(), Reason> {
    let mut assessment = object("assessment");
    row.put(&mut assessment, "basic_", TEXTS);
    for member in YES {
        if let Some(value) = row.value(&format!("basic_{member}"), As::Yes) {
            set(&mut assessment, member, value);
        }
    }
    for member in ["survey_begin", "survey_end"] {
        if let Some(text) = row.text(&format!("basic_{member}")) {
            let day = any_day(&text, made.options.year).ok_or_else(|| Reason(format!("{member}: no date: {text}")))?;
            set(&mut assessment, member, json!(day));
        }
    }
    for (_, suffix) in row.numbered("basic_record") {
        if let Some(text) = row.text(&format!("basic_record{suffix}")) {
            push(&mut assessment, "records", json!({"ref": record(&text, made.options.repository)?}));
        }
    }
    for (column, member) in [("basic_surveyed_by", "surveyed_by"), ("basic_reviewer", "reviewer")] {
        for (_, suffix) in row.numbered(column) {
            if let Some(name) = row.text(&format!("{column}{suffix}")) {
                let agent = made.options.known.agents_of_users.get(&name.to_lowercase());
                let agent = agent.ok_or_else(|| Reason(format!("User '{name}' does not exist")))?;
                push(&mut assessment, member, json!({"ref": agent}));
            }
        }
    }
    for (section, kind, member) in ATTRIBUTES {
        for of in made.options.known.attributes.iter().filter(|of| of.kind == kind) {
            let column = format!("{section}_{}", normal(&of.label));
            let Some(value) = row.text(&column) else { continue };
            if kind != "rating" {
                if is_yes(&value) {
                    push(&mut assessment, member, json!({"definition_id": of.id, "value": "true"}));
                }
                continue;
            }
            let mut rating = json!({"definition_id": of.id, "value": value});
            if let Some(note) = row.text(&format!("{column}_note")) {
                rating["note"] = note.into();
            }
            push(&mut assessment, member, rating);
        }
    }
    let address = made.own("assessments");
    set(&mut assessment, "uri", json!(address));
    made.records.push(Value::Object(assessment));
    Ok(())
}

/// The address of a record that is named by its type and number, with any of `_ / .` or a blank between them.
fn record(text: &str, repository: i64) -> Result<String, Reason> {
    let kinds = RECORDS.map(|(kind, _)| kind);
    let lower = text.trim().to_lowercase();
    let digits = lower.len() - lower.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (kind, id) = lower.split_at(lower.len() - digits);
    let name = kind.trim_end_matches(['_', '/', '.', ' ']);
    if id.is_empty() || name.len() == kind.len() || name.is_empty() {
        return Err(Reason(format!(
            "Invalid basic_record reference {text}. Must have the form [{}][delimiter]id. Where [delimiter] can be any of \
             _ / . or space.",
            kinds.join("|")
        )));
    }
    match RECORDS.iter().find(|(of, _)| *of == name) {
        Some((_, path)) => Ok(format!("/repositories/{repository}/{path}/{id}")),
        None => Err(Reason(format!(
            "Invalid basic_record reference {text}. Record type {name} not allowed. Must be one of {}.",
            kinds.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_named_by_type_and_number() {
        for text in ["accession_12", "Accession/12", "accession.12", " accession 12 "] {
            assert_eq!(record(text, 2).unwrap(), "/repositories/2/accessions/12");
        }
        assert_eq!(record("archival_object_1", 2).unwrap(), "/repositories/2/archival_objects/1");
        for text in ["accession", "12", "accession12", "_1", "subject_1"] {
            record(text, 2).unwrap_err();
        }
    }
}
