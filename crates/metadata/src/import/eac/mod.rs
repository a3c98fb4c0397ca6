//! EAC-CPF: an agent with its names, dates, places, occupations, notes and relations.

mod parts;
mod relations;

use serde_json::{Map, Value, json};

use super::{
    element::Element,
    record::{Batch, object, push, set, set_text},
};
use parts::{Kind, formatted, linked, paragraphs, plain, put_dates, structured_dates, subject, text_note, text_notes};
use relations::{relations, resources};

/// Reads a file: an agent for each description.
pub(super) fn read(eac: &Element, batch: &mut Batch<'_, '_>) {
    for description in eac.find("cpfDescription") {
        let identity = description.child("identity");
        let kind = identity.and_then(|identity| Kind::of(&identity.child("entityType")?.text()));
        if let Some(kind) = kind {
            agent(eac, kind, batch);
        }
    }
}

fn agent(eac: &Element, kind: Kind, batch: &mut Batch<'_, '_>) {
    let mut agent = object(&format!("agent_{}", kind.name()));
    names(eac, kind, &mut agent);
    if kind == Kind::Person {
        genders(eac, &mut agent);
    }
    if let Some(control) = eac.child("control") {
        identifiers(control, &mut agent);
        record_control(control, &mut agent);
        sources(control, batch.options.events, &mut agent);
    }
    for description in eac.children("cpfDescription") {
        for id in description.children("identity").flat_map(|identity| identity.children("entityId")) {
            let mut identifier = object("agent_identifier");
            set_text(&mut identifier, "entity_identifier", Some(id.text()));
            set_text(&mut identifier, "identifier_type", id.attribute("localType"));
            push(&mut agent, "agent_identifiers", Value::Object(identifier));
        }
        let existed = description.children("description").flat_map(|of| of.children("existDates"));
        for date in existed.flat_map(|dates| structured_dates(dates, Some("existence"))) {
            push(&mut agent, "dates_of_existence", date);
        }
        for component in description.children("alternativeSet").flat_map(|set| set.children("setComponent")) {
            let mut alternate = linked("agent_alternate_set", component);
            set_text(&mut alternate, "descriptive_note", component.find("descriptiveNote").last().map(formatted));
            set_text(&mut alternate, "set_component", component.find("componentEntry").last().map(plain));
            push(&mut agent, "agent_alternate_sets", Value::Object(alternate));
        }
    }
    said_by_subjects(eac, &mut agent, batch);
    notes(eac, kind, &mut agent);
    for used in eac.find("languageUsed") {
        let mut language = object("used_language");
        let code = |name: &str, of: &str| used.find(name).last()?.attribute(of).map(str::to_owned);
        set_text(&mut language, "language", code("language", "languageCode"));
        set_text(&mut language, "script", code("script", "scriptCode"));
        text_notes(used, &mut language);
        push(&mut agent, "used_languages", Value::Object(language));
    }
    relations(eac, kind, &mut agent, batch);
    resources(eac, &mut agent, batch);
    batch.add(kind.path(), agent);
}

fn names(eac: &Element, kind: Kind, agent: &mut Map<String, Value>) {
    for identity in eac.find("identity") {
        for entry in identity.children("nameEntry") {
            push(agent, "names", Value::Object(name(entry, kind, "name")));
        }
        for parallel in identity.children("nameEntryParallel") {
            let mut entries = parallel.children("nameEntry");
            let Some(first) = entries.next() else { continue };
            let mut whole = name(first, kind, "name");
            for entry in entries {
                push(&mut whole, "parallel_names", Value::Object(name(entry, kind, "parallel_name")));
            }
            push(agent, "names", Value::Object(whole));
        }
    }
}

fn name(entry: &Element, kind: Kind, model: &str) -> Map<String, Value> {
    let mut name = object(&format!("{model}_{}", kind.name()));
    let parts: Vec<&Element> = entry.find("part").collect();
    let language = parts.iter().filter_map(|part| part.attribute("lang")).next_back().or(entry.attribute("lang"));
    set_text(&mut name, "language", language);
    set_text(&mut name, "script", entry.attribute("scriptCode"));
    set_text(&mut name, "transliteration", entry.attribute("transliteration"));
    let known = kind.parts();
    for part in &parts {
        let of = known.iter().find(|(of, _)| Some(*of) == part.attribute("localType"));
        if let Some((_, member)) = of {
            set_text(&mut name, member, Some(part.text()));
        }
    }
    // What is not said to be something else is the name.
    let is_known = |part: &&&Element| known.iter().any(|(of, _)| Some(*of) == part.attribute("localType"));
    let plain = parts.iter().rfind(|part| !is_known(part));
    set_text(&mut name, known[0].1, plain.map(|part| part.text()));
    set(&mut name, "source", json!("local"));
    set(&mut name, "rules", json!("local"));
    for (form, is_authorized) in [("authorizedForm", true), ("alternativeForm", false)] {
        for element in entry.find(form) {
            set_text(&mut name, "source", Some(element.text()));
            set(&mut name, "authorized", json!(is_authorized));
        }
    }
    if kind == Kind::Person {
        set(&mut name, "name_order", json!("inverted"));
    }
    for date in entry.find("useDates").flat_map(|dates| structured_dates(dates, Some("usage"))) {
        push(&mut name, "use_dates", date);
    }
    name
}

fn genders(eac: &Element, agent: &mut Map<String, Value>) {
    let described = eac.find("localDescription");
    for element in described.filter(|element| element.attribute("localType") == Some("gender")) {
        let mut gender = object("agent_gender");
        set_text(&mut gender, "gender", element.find("term").last().map(plain));
        put_dates(element, &mut gender);
        text_notes(element, &mut gender);
        push(agent, "agent_genders", Value::Object(gender));
    }
}

fn identifiers(control: &Element, agent: &mut Map<String, Value>) {
    let own = control.children("recordId").map(|id| (id, true));
    for (id, is_own) in own.chain(control.children("otherRecordId").map(|id| (id, false))) {
        let mut identifier = object("agent_record_identifier");
        set_text(&mut identifier, "record_identifier", Some(id.text()));
        set(&mut identifier, "primary_identifier", json!(is_own));
        set(&mut identifier, "source", json!("local"));
        set_text(&mut identifier, "identifier_type", id.attribute("localType").filter(|_| !is_own));
        push(agent, "agent_record_identifiers", Value::Object(identifier));
    }
}

fn record_control(control: &Element, agent: &mut Map<String, Value>) {
    let text = |name: &str| control.find(name).last().map(|element| element.text().trim().to_owned());
    let of = |name: &str, inner: &str| control.find(name).filter_map(|element| element.child(inner)).last();
    let status = match text("maintenanceStatus").as_deref() {
        Some("cancelled") => "cancelled_obsolete",
        Some("deleted" | "deletedMerged") => "deleted",
        Some("deletedReplaced") => "deleted_replaced",
        Some("deletedSplit") => "deleted_split",
        Some("derived") => "derived",
        Some("revised") => "revised_corrected",
        _ => "new",
    };
    let publication = match text("publicationStatus").as_deref() {
        Some("inProcess") => Some("in_process"),
        Some("approved" | "published") => Some("approved"),
        _ => None,
    };
    let mut record = object("agent_record_control");
    set(&mut record, "maintenance_status", json!(status));
    set_text(&mut record, "publication_status", publication);
    set_text(&mut record, "maintenance_agency", of("maintenanceAgency", "agencyCode").map(plain));
    set_text(&mut record, "agency_name", of("maintenanceAgency", "agencyName").map(plain));
    set_text(&mut record, "maintenance_agency_note", of("maintenanceAgency", "descriptiveNote").map(plain));
    let language = of("languageDeclaration", "language").and_then(|of| of.attribute("languageCode"));
    set_text(&mut record, "language", language);
    set_text(&mut record, "script", of("languageDeclaration", "script").and_then(|of| of.attribute("scriptCode")));
    set_text(&mut record, "language_note", of("languageDeclaration", "descriptiveNote").map(plain));
    push(agent, "agent_record_controls", Value::Object(record));
}

/// What the record was made by and from.
fn sources(control: &Element, with_events: bool, agent: &mut Map<String, Value>) {
    for declaration in control.children("conventionDeclaration") {
        let citation = declaration.find("citation").last();
        let mut record = citation.map_or_else(
            || object("agent_conventions_declaration"),
            |citation| linked("agent_conventions_declaration", citation),
        );
        set_text(&mut record, "citation", citation.map(formatted));
        let rule = declaration.find("abbreviation").last().map(|of| of.text().trim().to_lowercase());
        set_text(&mut record, "name_rule", rule);
        set_text(&mut record, "descriptive_note", declaration.find("descriptiveNote").last().map(formatted));
        push(agent, "agent_conventions_declarations", Value::Object(record));
    }
    for source in control.children("sources").flat_map(|sources| sources.children("source")) {
        let mut record = linked("agent_sources", source);
        set_text(&mut record, "source_entry", source.find("sourceEntry").last().map(plain));
        set_text(&mut record, "descriptive_note", source.find("descriptiveNote").last().map(formatted));
        push(agent, "agent_sources", Value::Object(record));
    }
    let events = control.children("maintenanceHistory").flat_map(|history| history.children("maintenanceEvent"));
    for event in events.filter(|_| with_events) {
        let text = |name: &str| event.find(name).last().map(|element| element.text().trim().to_owned());
        let mut record = object("agent_maintenance_history");
        set_text(&mut record, "maintenance_event_type", text("eventType").map(|text| text.to_lowercase()));
        set_text(&mut record, "maintenance_agent_type", text("agentType"));
        set_text(&mut record, "agent", text("agent"));
        let when = event.find("eventDateTime").last();
        let date = when.and_then(|when| when.attribute("standardDateTime")).map(str::to_owned);
        set_text(&mut record, "event_date", date.or_else(|| text("eventDateTime")));
        set_text(&mut record, "descriptive_note", event.find("eventDescription").last().map(formatted));
        push(agent, "agent_maintenance_histories", Value::Object(record));
    }
}

/// Places, occupations, functions and topics.
fn said_by_subjects(eac: &Element, agent: &mut Map<String, Value>, batch: &mut Batch<'_, '_>) {
    let is_topic = |element: &&Element| {
        let kind = element.attribute("localType").unwrap_or_default();
        element.name != "localDescription" || kind.to_lowercase().contains("subject")
    };
    let all = [
        ("place", "agent_places", "agent_place", "placeEntry", "geographic"),
        ("occupation", "agent_occupations", "agent_occupation", "term", "occupation"),
        ("function", "agent_functions", "agent_function", "term", "function"),
        ("localDescription", "agent_topics", "agent_topic", "term", "topical"),
    ];
    for (name, list, model, entry, kind) in all {
        for element in eac.find(name).filter(is_topic) {
            let mut record = object(model);
            if name == "place" {
                set_text(&mut record, "place_role", element.find("placeRole").last().map(plain));
            }
            for subject in element.find(entry).filter_map(|entry| subject(entry, kind, batch)) {
                push(&mut record, "subjects", json!({"ref": subject}));
            }
            put_dates(element, &mut record);
            text_notes(element, &mut record);
            for citation in element.find("citation").map(formatted).filter(|text| !text.is_empty()) {
                push(&mut record, "notes", json!({"jsonmodel_type": "note_citation", "content": [citation]}));
            }
            push(agent, list, Value::Object(record));
        }
    }
}

fn notes(eac: &Element, kind: Kind, agent: &mut Map<String, Value>) {
    let mut add = |model: &str, subnotes: Vec<Value>| {
        if !subnotes.is_empty() {
            push(agent, "notes", json!({"jsonmodel_type": model, "subnotes": subnotes}));
        }
    };
    if kind == Kind::Body {
        for (around, name, model) in
            [("mandates", "mandate", "note_mandate"), ("legalStatuses", "legalStatus", "note_legal_status")]
        {
            for element in eac.find(around).flat_map(|around| around.children(name)) {
                let cited = element.find("citation").map(formatted).filter(|text| !text.is_empty());
                let cited = cited.map(|text| json!({"jsonmodel_type": "note_citation", "content": [text]}));
                let said = element.find("descriptiveNote").map(formatted);
                add(model, cited.chain(said.filter_map(|text| text_note(&text))).collect());
            }
        }
    }
    if kind != Kind::Person {
        for element in eac.find("structureOrGenealogy") {
            add("note_structure_or_genealogy", text_note(&formatted(element)).into_iter().collect());
        }
    }
    for element in eac.find("biogHist") {
        add("note_bioghist", biography(element));
    }
    for element in eac.find("generalContext") {
        add("note_general_context", text_note(&formatted(element)).into_iter().collect());
    }
}

fn biography(element: &Element) -> Vec<Value> {
    let mut subnotes = Vec::new();
    for text in element.find("abstract").map(plain).filter(|text| !text.is_empty()) {
        subnotes.push(json!({"jsonmodel_type": "note_abstract", "content": [text]}));
    }
    for list in element.find("chronList") {
        let items: Vec<Value> = list.children("chronItem").map(chronicle).collect();
        subnotes.push(json!({"jsonmodel_type": "note_chronology", "items": items}));
    }
    for citation in element.find("citation") {
        let text = formatted(citation);
        if text.is_empty() {
            continue;
        }
        let mut note = json!({"jsonmodel_type": "note_citation", "content": [text]});
        for member in ["href", "actuate", "show", "title", "role", "arcrole"] {
            if let Some(value) = citation.attribute(member) {
                note["xlink"][member] = value.into();
            }
        }
        subnotes.push(note);
    }
    let apart = ["abstract", "chronList", "citation"];
    let rest = element.elements().filter(|child| !apart.contains(&child.name.as_str()));
    let rest: String = rest.map(|child| child.outer(&apart)).collect();
    subnotes.extend(text_note(&paragraphs(&rest)));
    subnotes
}

fn chronicle(item: &Element) -> Value {
    let text = |of: &Element| plain(of);
    let date = match (item.child("dateRange"), item.child("date")) {
        (Some(range), _) => {
            let part = |name: &str| range.child(name).map(text).unwrap_or_default();
            Some(format!("{}-{}", part("fromDate"), part("toDate")))
        }
        (None, date) => date.map(text),
    };
    let mut chronicle = Map::new();
    set_text(&mut chronicle, "event_date", date);
    let event = item.child("event").map(text).filter(|text| !text.is_empty());
    set(&mut chronicle, "events", json!(event.into_iter().collect::<Vec<_>>()));
    set_text(&mut chronicle, "place", item.child("placeEntry").map(text));
    Value::Object(chronicle)
}
