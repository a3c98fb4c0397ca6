//! What a row changes of its component.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    Problem,
    columns::{About, Cell, Column, is_multipart},
    instances,
    row::{Cells, Library, Row, has, identifier, is_empty, list, set},
};
use crate::sheets::Line;

/// Changes a component as its row says; returns whether anything changed. `version` is that of the stored record.
pub(crate) fn apply(
    line: &Line<'_>,
    columns: &[Column],
    record: &mut Map<String, Value>,
    version: i64,
    library: &Library,
    problems: &mut Vec<Problem>,
) -> bool {
    let row = Row::of(line, columns, problems);
    let mut whole = Value::Object(std::mem::take(record));
    let changes = [
        component(&row, &mut whole, version, problems),
        notes(&row, &mut whole, problems),
        parts(&row, &mut whole, problems),
        instances::apply(&row, &mut whole, library, problems),
        accessions(&row, &mut whole, library, problems),
        languages(&row, &mut whole, problems),
    ];
    if let Value::Object(whole) = whole {
        *record = whole;
    }
    changes.contains(&true)
}

fn component(row: &Row, record: &mut Value, version: i64, problems: &mut Vec<Problem>) -> bool {
    let mut changed = false;
    for (column, value) in &row.component {
        let value = value.as_deref();
        match (column.member, column.cell) {
            // They never change.
            ("id" | "ref_id", _) => {}
            ("lock_version", _) => {
                if value.and_then(|value| value.parse::<i64>().ok()) != Some(version) {
                    let sent = value.unwrap_or_default();
                    let why = format!("Versions are out of sync: {sent} record is now: {version}");
                    problems.push(Problem::at(row.number, "lock_version", why));
                }
            }
            (member, Cell::Flag) => {
                let flag = value == Some("true");
                if (record[member] == true) != flag {
                    record[member] = flag.into();
                    changed = true;
                }
            }
            (member, _) => {
                if !has(record, member, value) {
                    set(record, member, value);
                    changed = true;
                }
            }
        }
    }
    changed
}

fn notes(row: &Row, record: &mut Value, problems: &mut Vec<Problem>) -> bool {
    let mut changed = false;
    // Places of notes among all notes, by type and index.
    let mut places: HashMap<(&str, usize), usize> = HashMap::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (place, note) in record["notes"].as_array().into_iter().flatten().enumerate() {
        let kind = note["type"].as_str().unwrap_or_default();
        if note["jsonmodel_type"] == model(kind) {
            let count = counts.entry(kind.to_owned()).or_default();
            if let Some((column, _)) = row.notes.iter().find(|(column, _)| column.about_note() == Some(kind)) {
                places.insert((column.about_note().unwrap_or_default(), *count), place);
            }
            *count += 1;
        }
    }
    for (column, value) in &row.notes {
        let Some(kind) = column.about_note() else { continue };
        let value = value.as_deref();
        let place = match places.get(&(kind, column.index)) {
            Some(place) => *place,
            None if value.is_none() => continue,
            None => {
                let parts = if is_multipart(kind) { "subnotes" } else { "content" };
                let notes = list(record, "notes");
                notes.push(json!({"jsonmodel_type": model(kind), "type": kind, parts: []}));
                places.insert((kind, column.index), notes.len() - 1);
                changed = true;
                notes.len() - 1
            }
        };
        changed |= note(&mut list(record, "notes")[place], column, value, row.number, problems);
    }
    changed
}

impl Column {
    fn about_note(&self) -> Option<&'static str> {
        match self.about {
            About::Note(kind) => Some(kind),
            _ => None,
        }
    }
}

fn model(kind: &str) -> &'static str {
    if is_multipart(kind) { "note_multipart" } else { "note_singlepart" }
}

fn note(note: &mut Value, column: &Column, value: Option<&str>, row: usize, problems: &mut Vec<Problem>) -> bool {
    let multipart = column.about_note().is_some_and(is_multipart);
    match column.member {
        "content" => {
            let found = if multipart {
                let texts = list(note, "subnotes").iter_mut();
                let mut texts = texts.filter(|part| part["jsonmodel_type"] == "note_text");
                texts.next().map(|part| &mut part["content"])
            } else {
                list(note, "content").first_mut()
            };
            match (found, value) {
                (Some(now), value) if now.as_str() == value => false,
                (Some(_), None) => {
                    problems.push(Problem::at(row, &column.path(), "Deleting a note is disabled."));
                    true
                }
                (Some(now), Some(value)) => {
                    *now = value.into();
                    true
                }
                (None, None) => false,
                (None, Some(value)) if multipart => {
                    list(note, "subnotes").push(json!({"jsonmodel_type": "note_text", "content": value}));
                    true
                }
                (None, Some(value)) => {
                    list(note, "content").push(value.into());
                    true
                }
            }
        }
        "label" => replace(note, "label", value),
        member => {
            if value.is_none() && !note["rights_restriction"].is_object() {
                return false;
            }
            if !note["rights_restriction"].is_object() {
                note["rights_restriction"] = json!({"jsonmodel_type": "rights_restriction"});
            }
            let restriction = &mut note["rights_restriction"];
            if member != "local_access_restriction_type" {
                return replace(restriction, member, value);
            }
            let wanted: Vec<Value> = value.into_iter().map(Value::from).collect();
            let now = list(restriction, member);
            let differs = *now != wanted;
            *now = wanted;
            differs
        }
    }
}

/// Sets a member; returns whether it had another value.
fn replace(record: &mut Value, member: &str, value: Option<&str>) -> bool {
    let differs = !has(record, member, value);
    if differs {
        set(record, member, value);
    }
    differs
}

fn parts(row: &Row, record: &mut Value, problems: &mut Vec<Problem>) -> bool {
    let mut changed = false;
    for (name, groups) in &row.parts {
        let parts = list(record, name);
        let many = parts.len();
        for (index, cells) in groups {
            if *index < many {
                if is_empty(cells) {
                    let column = format!("{name}/{index}");
                    problems.push(Problem::at(row.number, &column, "Deleting a subrecord is disabled."));
                    continue;
                }
                let part = &mut parts[*index];
                if cells.iter().any(|(member, value)| !has(part, member, value.as_deref())) {
                    changed = true;
                    fill(part, name, cells);
                }
            } else if !is_empty(cells) {
                changed = true;
                let mut part = if *name == "dates" {
                    json!({"jsonmodel_type": "date", "label": "creation"})
                } else {
                    json!({"jsonmodel_type": "extent"})
                };
                fill(&mut part, name, cells);
                parts.push(part);
            }
        }
    }
    changed
}

fn fill(part: &mut Value, name: &str, cells: &Cells) {
    for (member, value) in cells {
        // A new date without a label has the usual one.
        if value.is_some() || *member != "label" {
            set(part, member, value.as_deref());
        }
    }
    if name == "dates" {
        let kind = if cells.get("end").is_some_and(Option::is_some) { "inclusive" } else { "single" };
        part["date_type"] = kind.into();
    }
}

fn accessions(row: &Row, record: &mut Value, library: &Library, problems: &mut Vec<Problem>) -> bool {
    let mut changed = false;
    for (index, cells) in &row.accessions {
        let links = list(record, "accession_links");
        if is_empty(cells) {
            if *index < links.len() {
                let column = format!("related_accessions/{index}");
                problems.push(Problem::at(row.number, &column, "Deleting a related accession is disabled."));
            }
            continue;
        }
        let identifier = identifier(cells);
        let Some(uri) = library.accessions.get(&identifier) else {
            let column = format!("related_accessions/{index}/id_0");
            let shown = identifier.iter().flatten().cloned().collect::<Vec<_>>().join("-");
            let why = format!("Accession not found for identifier: {shown}");
            problems.push(Problem::at(row.number, &column, why));
            changed = true;
            continue;
        };
        match links.get_mut(*index) {
            Some(link) if link["ref"] == uri.as_str() => {}
            Some(link) => {
                *link = json!({"ref": uri});
                changed = true;
            }
            None => {
                links.push(json!({"ref": uri}));
                changed = true;
            }
        }
    }
    changed
}

fn languages(row: &Row, record: &mut Value, problems: &mut Vec<Problem>) -> bool {
    let has_notes = |material: &Value| material["notes"].as_array().is_some_and(|notes| !notes.is_empty());
    let mut changed = false;
    let materials = list(record, "lang_materials");
    let mut of_languages: Vec<usize> = Vec::new();
    let mut of_notes: Vec<(usize, usize)> = Vec::new();
    for (place, material) in materials.iter().enumerate() {
        if has_notes(material) {
            let notes = material["notes"].as_array().map(Vec::len).unwrap_or_default();
            of_notes.extend((0..notes).map(|note| (place, note)));
        } else if material["language_and_script"].is_object() {
            of_languages.push(place);
        }
    }
    for (index, cells) in &row.languages {
        match of_languages.get(*index) {
            Some(_) if is_empty(cells) => {
                let column = format!("language_and_script/{index}");
                problems.push(Problem::at(row.number, &column, "Deleting a Language is disabled."));
            }
            Some(place) => {
                let both = &mut materials[*place]["language_and_script"];
                for (member, value) in cells {
                    changed |= replace(both, member, value.as_deref());
                }
            }
            None if is_empty(cells) => {}
            None => {
                let mut both = json!({"jsonmodel_type": "language_and_script"});
                cells.iter().for_each(|(member, value)| set(&mut both, member, value.as_deref()));
                materials.push(json!({"jsonmodel_type": "lang_material", "language_and_script": both}));
                changed = true;
            }
        }
    }
    for (index, cells) in &row.language_notes {
        let value = cells.values().next().and_then(Option::as_deref);
        match (of_notes.get(*index), value) {
            (Some((place, note)), value) => {
                let content = &mut materials[*place]["notes"][*note]["content"][0];
                if content.as_str() == value {
                    continue;
                }
                changed = true;
                match value {
                    Some(value) => *content = value.into(),
                    None => {
                        let column = format!("note_langmaterial/{index}/content");
                        problems.push(Problem::at(row.number, &column, "Deleting a Language Note is disabled."));
                    }
                }
            }
            (None, Some(value)) => {
                let note = json!({"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": [value]});
                materials.push(json!({"jsonmodel_type": "lang_material", "notes": [note]}));
                changed = true;
            }
            (None, None) => {}
        }
    }
    changed
}
