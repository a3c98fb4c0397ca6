//! MARCXML: authority records of people, families and corporate bodies (contract 3.5).

mod codes;
mod names;

use record_xml::{
    Lists,
    json::{list, resolved, text},
};
use serde_json::Value;

use crate::{dates::moment, marc::Record, notes::contents};

/// An agent as a MARCXML authority record, within a collection. The record needs its related agents and the subjects of its
/// places, occupations, functions and topics resolved. `site` is where readers find agents, before their addresses.
pub fn marc_authority(agent: &Value, lists: &dyn Lists, site: &str) -> String {
    let mut made = Record { leader: codes::leader(agent), controls: Vec::new(), fields: Vec::new() };
    control_fields(&mut made, agent, site);
    record_identifiers(&mut made, agent);
    let control = list(agent, "agent_record_controls").first().unwrap_or(&Value::Null);
    let convention = list(agent, "agent_conventions_declarations").first().unwrap_or(&Value::Null);
    let (agency, language) = (text(control, "maintenance_agency"), text(control, "language"));
    made.add("040", [' ', ' '], [('a', agency), ('b', language), ('e', text(convention, "name_rule"))]);
    existence(&mut made, agent);
    names::names(&mut made, agent);
    linked_subjects(&mut made, agent);
    for language in list(agent, "used_languages") {
        let code = text(language, "language");
        made.add("377", [' ', '7'], [('a', code), ('2', code.map(|_| "iso639-2b"))]);
    }
    names::related(&mut made, agent, lists);
    for source in list(agent, "agent_sources") {
        let note = text(source, "descriptive_note");
        made.add(
            "670",
            [' ', ' '],
            [('a', text(source, "source_entry")), ('b', note), ('u', text(source, "file_uri"))],
        );
    }
    notes(&mut made, agent);
    made.document()
}

/// 001 to 008: what identifies the record, its agency, its last change, and codes.
fn control_fields(made: &mut Record, agent: &Value, site: &str) {
    let first = |part: &str, member: &str| list(agent, part).iter().find_map(|part| text(part, member));
    let id = first("agent_record_identifiers", "record_identifier")
        .or_else(|| first("agent_identifiers", "entity_identifier"))
        .or_else(|| first("names", "authority_id"))
        .map(str::to_owned);
    let id = id.unwrap_or_else(|| format!("{site}{}", text(agent, "uri").unwrap_or_default()));
    made.controls.push(("001", id));
    let control = list(agent, "agent_record_controls").first();
    if let Some(agency) = control.and_then(|control| text(control, "maintenance_agency")) {
        made.controls.push(("003", agency.to_owned()));
    }
    let events = list(agent, "agent_maintenance_histories").iter();
    let times = events.filter_map(|event| text(event, "event_date").and_then(moment));
    if let Some(last) = times.max() {
        made.controls.push(("005", last.strftime("%Y%m%d%H%M%S.0").to_string()));
    }
    made.controls.push(("008", codes::control_field(agent)));
}

fn record_identifiers(made: &mut Record, agent: &Value) {
    let all = list(agent, "agent_record_identifiers");
    let of = |kind: &'static str| all.iter().filter(move |id| text(id, "identifier_type") == Some(kind));
    let id = |id| ('a', text(id, "record_identifier"));
    let with_source = |of| [id(of), ('2', text(of, "source"))];
    if let Some(of_congress) = of("loc").next() {
        made.add("010", [' ', ' '], [id(of_congress)]);
    }
    for of_canada in of("lac") {
        made.add("016", ['7', ' '], with_source(of_canada));
    }
    let others = all.iter().filter(|id| !matches!(text(id, "identifier_type"), None | Some("loc" | "lac" | "local")));
    for other in others {
        made.add("024", ['7', ' '], with_source(other));
    }
    for local in of("local") {
        made.add("035", [' ', ' '], with_source(local));
    }
}

/// 046: the dates of existence; people are born and die, others begin and end.
fn existence(made: &mut Record, agent: &Value) {
    let codes = if is_person(agent) { ['f', 'g'] } else { ['s', 't'] };
    for date in list(agent, "dates_of_existence") {
        made.add("046", [' ', ' '], begin_and_end(date, codes));
    }
}

fn is_person(agent: &Value) -> bool {
    text(agent, "jsonmodel_type") == Some("agent_person")
}

/// The begin and end of a structured date, each as it was written or else standardized.
fn begin_and_end(date: &Value, codes: [char; 2]) -> [(char, Option<&str>); 2] {
    let single = &date["structured_date_single"];
    let range = &date["structured_date_range"];
    let (begin, end) = match text(date, "date_type_structured") {
        Some("single") => (text(single, "date_expression").or(text(single, "date_standardized")), None),
        _ => (
            text(range, "begin_date_expression").or(text(range, "begin_date_standardized")),
            text(range, "end_date_expression").or(text(range, "end_date_standardized")),
        ),
    };
    [(codes[0], begin), (codes[1], end)]
}

/// 370 to 375: places, fields of activity, occupations and gender.
fn linked_subjects(made: &mut Record, agent: &Value) {
    for place in list(agent, "agent_places") {
        let code = match text(place, "place_role") {
            Some("place_of_birth") => 'a',
            Some("place_of_death") => 'b',
            Some("assoc_country") => 'c',
            Some("residence") => 'e',
            _ => 'f',
        };
        linked(made, "370", place, code);
    }
    list(agent, "agent_occupations").iter().for_each(|occupation| linked(made, "374", occupation, 'a'));
    let activities = if is_person(agent) { "agent_topics" } else { "agent_functions" };
    list(agent, activities).iter().for_each(|activity| linked(made, "372", activity, 'a'));
    if is_person(agent) {
        for gender in list(agent, "agent_genders") {
            let date = list(gender, "dates").first().map(|date| begin_and_end(date, ['s', 't']));
            let subfields = [('a', text(gender, "gender"))].into_iter().chain(date.into_iter().flatten());
            made.add("375", [' ', ' '], subfields);
        }
    }
}

/// A field with the subjects of a part, each with the first of the part's dates.
fn linked(made: &mut Record, tag: &'static str, part: &Value, code: char) {
    let date = list(part, "dates").first().map(|date| begin_and_end(date, ['s', 't']));
    let mut subfields = Vec::new();
    for subject in list(part, "subjects").iter().filter_map(resolved) {
        subfields.push((code, text(subject, "title")));
        subfields.extend(date.into_iter().flatten());
        subfields.extend([('0', text(subject, "authority_id")), ('2', text(subject, "source"))]);
    }
    made.add(tag, [' ', ' '], subfields);
}

/// 678 for each history or biography.
fn notes(made: &mut Record, agent: &Value) {
    let first = if is_person(agent) { '0' } else { '1' };
    let of_type = |part: &Value, kind: &str| text(part, "jsonmodel_type") == Some(kind);
    for note in list(agent, "notes").iter().filter(|note| of_type(note, "note_bioghist")) {
        let parts = list(note, "subnotes");
        let clean = |content: &str| content.replace("\r\n", "").replace('\r', "");
        let of = |kind: &'static str| parts.iter().filter(move |part| of_type(part, kind));
        let abstracts = of("note_abstract").filter_map(|part| contents(part).first().map(|text| ('a', clean(text))));
        let texts = of("note_text").flat_map(contents).map(|text| ('b', clean(text)));
        made.add_all("678", [first, ' '], abstracts.chain(texts).collect());
    }
}
