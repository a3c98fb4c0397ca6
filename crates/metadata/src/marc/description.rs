//! The parts of a record that describe the material: its leader, codes, title, subjects and where it is.

use record_xml::json::{identifier, list, resolved, text};
use serde_json::Value;

use super::{Marc, Record, countries::country, names, notes, source_indicator, subdivision};
use crate::{dates::date_text, notes::languages};

/// The leader: an archival collection, or a single item.
pub(super) fn leader(record: &Value) -> String {
    let level = if text(record, "level") == Some("item") { 'm' } else { 'c' };
    format!("00000np{level}aa2200000 u 4500")
}

/// The codes of field 008: when the record changed, dates and country and language of the material.
pub(super) fn control_field(record: &Value) -> String {
    let changed: String =
        text(record, "system_mtime").unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    let changed = changed.get(2..8).unwrap_or("000000");
    let date = list(record, "dates").first().unwrap_or(&Value::Null);
    let kind = if text(date, "date_type") == Some("single") { 's' } else { 'i' };
    let year = |name| text(date, name).and_then(|date| date.get(..4)).unwrap_or("    ");
    let country = country(repository(record).and_then(|repository| text(repository, "country")));
    let mut languages = languages(record).filter_map(|language| text(language, "language"));
    let language = match (languages.next(), languages.next()) {
        (Some(only), None) => only,
        _ => "mul",
    };
    let head = format!("{changed}{kind}{}{}{country}", year("begin"), year("end"));
    format!("{head:35}{language} d")
}

/// Puts all data fields into a record.
pub(super) fn describe(made: &mut Record, record: &Value, options: Marc) {
    holder(made, record);
    title(made, record);
    names::agents(made, record, options);
    subjects(made, record);
    extents(made, record, options);
    let codes = languages(record).map(|language| ('a', text(language, "language")));
    made.add("041", [' ', ' '], codes);
    made.add("099", [' ', ' '], [('a', Some(identifier(record).as_str()))]);
    let online = |label, address| [('z', Some(label)), ('u', Some(address))];
    if let Some(address) = text(record, "ead_location") {
        made.add("856", ['4', '2'], online("Finding aid online:", address));
    }
    if let Some(address) = record.get("ark_name").and_then(|ark| text(ark, "current")) {
        made.add("856", ['4', '2'], online("Archival Resource Key:", address));
    }
    notes::notes(made, record, options);
}

fn repository(record: &Value) -> Option<&Value> {
    record.get("repository").and_then(resolved)
}

/// Who holds the material and made the record: 040, 049 and 852.
fn holder(made: &mut Record, record: &Value) {
    let Some(repository) = repository(record) else { return };
    let (code, name) = (text(repository, "org_code"), text(repository, "name"));
    match text(repository, "parent_institution_name") {
        Some(parent) => made.add("852", [' ', ' '], [('a', Some(parent)), ('b', name)]),
        None => made.add("852", [' ', ' '], [('a', code.or(name))]),
    }
    let language = text(record, "finding_aid_language");
    let rules = text(record, "finding_aid_description_rules");
    made.add("040", [' ', ' '], [('a', code), ('b', language), ('c', code), ('e', rules)]);
    made.add("049", [' ', ' '], [('a', code)]);
}

/// 245 with the first date of the whole and the first of the bulk.
fn title(made: &mut Record, record: &Value) {
    let has_creator = list(record, "linked_agents").iter().any(|link| text(link, "role") == Some("creator"));
    let of_types = |types: &[&str]| {
        let dates = list(record, "dates").iter();
        let mut fitting = dates.filter(|date| text(date, "date_type").is_some_and(|kind| types.contains(&kind)));
        fitting.next().and_then(date_of_title)
    };
    let whole = of_types(&["single", "inclusive", "range"]);
    let bulk = of_types(&["bulk"]);
    let title = text(record, "title").or(text(record, "display_string")).unwrap_or_default();
    let comma = if whole.is_some() || bulk.is_some() { "," } else { "" };
    let title = format!("{title}{comma}");
    let first = if has_creator { '1' } else { '0' };
    made.add("245", [first, '0'], [('a', Some(title.as_str())), ('f', whole.as_deref()), ('g', bulk.as_deref())]);
}

/// Here an end that is the begin is told, too.
fn date_of_title(date: &Value) -> Option<String> {
    match (text(date, "expression"), text(date, "begin"), text(date, "end")) {
        (None, Some(begin), Some(end)) => Some(format!("{begin} - {end}")),
        _ => date_text(date),
    }
}

fn extents(made: &mut Record, record: &Value, options: Marc) {
    for extent in list(record, "extents") {
        let kind = text(extent, "extent_type").unwrap_or_default();
        let mut label = options.lists.label("extent_extent_type", kind).unwrap_or(kind).to_owned();
        if let Some(summary) = text(extent, "container_summary") {
            label = format!("{label} ({summary})");
        }
        let subfields = [
            ('a', text(extent, "number")),
            ('f', Some(label.as_str())),
            ('c', text(extent, "dimensions")),
            ('b', text(extent, "physical_details")),
        ];
        made.add("300", [' ', ' '], subfields);
    }
}

fn subjects(made: &mut Record, record: &Value) {
    for subject in list(record, "subjects").iter().filter_map(resolved) {
        let Some((first, others)) = list(subject, "terms").split_first() else { continue };
        let source = text(subject, "source");
        let by_source = source_indicator(source);
        let (tag, second) = match text(first, "term_type") {
            Some("uniform_title") => ("630", by_source),
            Some("temporal") => ("648", by_source),
            Some("geographic" | "cultural_context") => ("651", by_source),
            Some("genre_form" | "style_period") => ("655", by_source),
            Some("occupation" | "function") => ("656", '7'),
            _ => ("650", by_source),
        };
        let mut subfields = vec![('a', text(first, "term"))];
        subfields.extend(others.iter().filter_map(|term| Some((subdivision(term)?, text(term, "term")))));
        subfields.push(('2', source.filter(|_| second == '7')));
        subfields.push(('0', text(subject, "authority_id")));
        let first = if tag == "630" { '0' } else { ' ' };
        made.add(tag, [first, second], subfields);
    }
}
