//! Agents and subjects in the headings of a MARC record.

use serde_json::{Map, Value, json};

use super::{
    fields::{Field, Marc, trimmed},
    marc_agents,
    record::{Batch, object, push, set, set_text, term},
};

/// What a record is, and what its control fields say of its headings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Nature {
    /// The record is about its heading.
    pub is_authority: bool,
    rules: char,
    source: char,
}

impl Nature {
    pub(super) fn of(record: Marc<'_>) -> Self {
        let leader = record.leader().unwrap_or_default();
        let control: Vec<char> = record.control("008").unwrap_or_default().trim().chars().collect();
        let at = |place: usize| control.get(place).copied().unwrap_or_default();
        Self { is_authority: leader.trim().chars().nth(6) == Some('z'), rules: at(10), source: at(11) }
    }

    fn subject_source(self, field: Field<'_>) -> String {
        let named = match (self.is_authority, self.source, field.indicator(2)) {
            (true, 'a', _) | (false, _, "0") => "lcsh",
            (true, 'b', _) | (false, _, "1") => "lcshac",
            (true, 'c', _) | (false, _, "2") => "mesh",
            (true, 'd', _) | (false, _, "3") => "nal",
            (true, 'k', _) | (false, _, "5") => "cash",
            (true, 'v', _) | (false, _, "6") => "rvm",
            (true, 'n', _) => "not_applicable",
            (true, 'r', _) => "aat",
            (true, 's', _) => "sears",
            (true, 'z', _) => "other",
            (true, ..) | (false, _, "4") => "not_specified",
            (false, ..) => return field.texts("2").next().unwrap_or_else(|| "not_specified".to_owned()),
        };
        named.to_owned()
    }
}

/// What an agent is to what is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A field 1xx.
    Creator,
    /// A field 7xx.
    Added,
    /// A field 6xx.
    Subject,
}

/// The kinds of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Family,
    Body,
    Meeting,
}

/// Which fields are agents, in the order in which they are linked.
const AGENTS: [(&str, Kind, Role); 12] = [
    ("100", Kind::Person, Role::Creator),
    ("700", Kind::Person, Role::Added),
    ("600", Kind::Person, Role::Subject),
    ("100", Kind::Family, Role::Creator),
    ("700", Kind::Family, Role::Added),
    ("600", Kind::Family, Role::Subject),
    ("110", Kind::Body, Role::Creator),
    ("710", Kind::Body, Role::Added),
    ("111", Kind::Meeting, Role::Creator),
    ("711", Kind::Meeting, Role::Added),
    ("610", Kind::Body, Role::Subject),
    ("611", Kind::Meeting, Role::Subject),
];

/// Relators of those who had the material before.
const SOURCES: [&str; 8] = [
    "Auctioneer (auc)",
    "Bookseller (bsl)",
    "Collector (col)",
    "Depositor (dpt)",
    "Donor (dnr)",
    "Former owner (fmo)",
    "Funder (fnd)",
    "Owner (own)",
];

impl Kind {
    fn fits(self, field: Field<'_>) -> bool {
        match self {
            Self::Person => ["0", "1"].contains(&field.indicator(1)),
            Self::Family => field.indicator(1) == "3",
            Self::Body | Self::Meeting => true,
        }
    }

    /// The types of the agent and of its names, and the path of its address.
    fn models(self) -> [&'static str; 3] {
        match self {
            Self::Person => ["agent_person", "name_person", "/agents/people"],
            Self::Family => ["agent_family", "name_family", "/agents/families"],
            Self::Body | Self::Meeting => {
                ["agent_corporate_entity", "name_corporate_entity", "/agents/corporate_entities"]
            }
        }
    }
}

/// Adds the agents of a record; returns how they are linked.
pub(super) fn agents(record: Marc<'_>, nature: Nature, batch: &mut Batch<'_, '_>) -> Vec<Value> {
    let mut links = Vec::new();
    for (tag, kind, role) in AGENTS {
        for field in record.fields(&[tag]).filter(|field| kind.fits(*field)) {
            links.push(agent(record, field, nature, (kind, role), batch));
        }
    }
    links
}

fn agent(
    record: Marc<'_>,
    field: Field<'_>,
    nature: Nature,
    (kind, role): (Kind, Role),
    batch: &mut Batch<'_, '_>,
) -> Value {
    let [model, _, path] = kind.models();
    let mut agent = object(model);
    set(&mut agent, "publish", json!(true));
    push(&mut agent, "names", Value::Object(heading(record, field, nature, (kind, role))));
    if nature.is_authority {
        about(record, nature, kind, &mut agent);
    }
    let address = batch.add(path, agent);
    let relator = field.last("e").or_else(|| field.first("4"));
    let named_role = match (role, field.last("e")) {
        (Role::Subject, _) => "subject",
        (_, Some(relator)) if SOURCES.contains(&relator.as_str()) => "source",
        _ => "creator",
    };
    let mut link = json!({"ref": address, "role": named_role});
    if let Some(relator) = relator.filter(|relator| !relator.trim().is_empty()) {
        link["relator"] = relator.into();
    }
    if role == Role::Creator {
        link["is_primary"] = true.into();
    }
    let kinds = [("v", "genre_form"), ("x", "topical"), ("y", "temporal"), ("z", "geographic")];
    let of_code = kinds.iter().flat_map(|(code, kind)| field.texts(code).filter_map(|text| term(kind, &text)));
    let terms: Vec<Value> = if role == Role::Subject { of_code.collect() } else { Vec::new() };
    if !terms.is_empty() {
        link["terms"] = json!(terms);
    }
    link
}

/// What an authority record says of the agent that it is about.
fn about(record: Marc<'_>, nature: Nature, kind: Kind, agent: &mut Map<String, Value>) {
    let tags: &[&str] = if matches!(kind, Kind::Body | Kind::Meeting) { &["410", "411"] } else { &["400"] };
    for field in record.fields(tags).filter(|field| kind.fits(*field)) {
        let mut other = name(field, kind);
        set(&mut other, "source", json!(if nature.source == 'a' { "naf" } else { "ingest" }));
        rules(nature, &mut other);
        push(agent, "names", Value::Object(other));
    }
    for field in record.fields(&["046"]) {
        if let Some(date) = marc_agents::existence(field) {
            push(agent, "dates_of_existence", date);
        }
    }
    for field in record.fields(&["678"]) {
        let text = field.in_order("abu", " ");
        if !text.is_empty() {
            let note = json!({"jsonmodel_type": "note_bioghist", "label": "Biographical / Historical", "publish": true,
                "subnotes": [{"jsonmodel_type": "note_text", "content": text, "publish": true}]});
            push(agent, "notes", note);
        }
    }
}

fn rules(nature: Nature, name: &mut Map<String, Value>) {
    if ['b', 'c', 'd'].contains(&nature.rules) {
        set(name, "rules", json!("aacr"));
    }
}

/// The name in the heading itself.
fn heading(record: Marc<'_>, field: Field<'_>, nature: Nature, (kind, role): (Kind, Role)) -> Map<String, Value> {
    let mut name = name(field, kind);
    if role == Role::Subject {
        let source = match field.indicator(2) {
            "0" => Some("lcsh"),
            "1" => Some("lcshac"),
            "2" => Some("mesh"),
            "3" => Some("nal"),
            "4" => Some("ingest"),
            "5" => Some("cash"),
            "6" => Some("rvm"),
            _ => None,
        };
        let source = source.map(str::to_owned).or_else(|| field.first("2"));
        set_text(&mut name, "source", source);
    } else {
        let subdivisions = [
            ("v", "Form subdivision"),
            ("x", "General subdivision"),
            ("y", "Chronological subdivision"),
            ("z", "Geographic subdivision"),
        ];
        qualify(field, &subdivisions, &mut name);
    }
    if nature.is_authority {
        set_text(&mut name, "authority_id", record.control("001"));
        set(&mut name, "authorized", json!(true));
        set(&mut name, "is_display_name", json!(true));
        set(&mut name, "source", json!(if nature.source == 'a' { "naf" } else { "ingest" }));
        rules(nature, &mut name);
    }
    name.entry("source").or_insert_with(|| json!("ingest"));
    name
}

fn name(field: Field<'_>, kind: Kind) -> Map<String, Value> {
    let mut name = object(kind.models()[1]);
    let of = |code: &str, end: char, without: &[char]| field.last(code).map(|text| trimmed(&text, end, without));
    match kind {
        Kind::Person => {
            let whole = field.last("a").unwrap_or_default();
            // The last comma that something follows.
            let mut commas = whole.rmatch_indices(',').map(|(at, _)| (&whole[..at], whole[at + 1..].trim()));
            let parts = commas.find(|(first, rest)| !first.is_empty() && !rest.is_empty());
            let (primary, rest) = parts.map_or((whole.as_str(), None), |(first, rest)| (first, Some(rest)));
            set_text(&mut name, "primary_name", Some(trimmed(primary, ',', &[])));
            set_text(&mut name, "rest_of_name", rest.map(|rest| trimmed(rest, ',', &[])));
            set_text(&mut name, "number", of("b", ',', &[]));
            set_text(&mut name, "title", of("c", ',', &[]));
            set_text(&mut name, "dates", of("d", ',', &[]));
            set_text(&mut name, "fuller_form", of("q", ',', &['(', ')']));
            set(&mut name, "name_order", json!(if field.indicator(1) == "1" { "inverted" } else { "direct" }));
        }
        Kind::Family => {
            set_text(&mut name, "family_name", of("a", ',', &['(', ')']));
            set_text(&mut name, "qualifier", of("c", ',', &['(', ')']));
            set_text(&mut name, "dates", of("d", ':', &[]));
        }
        Kind::Body | Kind::Meeting => body(field, kind, &mut name),
    }
    qualify(field, QUALIFIERS, &mut name);
    name
}

fn body(field: Field<'_>, kind: Kind, name: &mut Map<String, Value>) {
    set_text(name, "primary_name", field.last("a").map(|text| trimmed(&text, '.', &[])));
    let mut units = field.texts("b").map(|text| trimmed(&text, '.', &[]));
    set_text(name, "subordinate_name_1", units.next());
    // A meeting has further units in `e`, the first of which says what the meeting was to what is described.
    let further = field.texts("e").skip(1).filter(|_| kind == Kind::Meeting).map(|text| trimmed(&text, '.', &[]));
    set_text(name, "subordinate_name_2", Some(units.chain(further).collect::<Vec<_>>().join(". ")));
    let treaty = field.texts("d").map(|text| format!("Date of meeting or treaty signing: {text}."));
    set_text(name, "qualifier", Some(treaty.collect::<Vec<_>>().join(" ")));
    set_text(name, "location", field.last("c").map(|text| trimmed(&text, '.', &[])));
    set_text(name, "number", field.last("n").map(|text| trimmed(&text, '.', &['(', ')', ':'])));
    set(name, "jurisdiction", json!(field.indicator(1) == "1"));
    if kind == Kind::Meeting {
        set(name, "conference_meeting", json!(true));
    }
}

/// What else a heading may say, as it is called in the qualifier of the name.
const QUALIFIERS: &[(&str, &str)] = &[
    ("f", "Date of work"),
    ("g", "Miscellaneous information"),
    ("h", "Medium"),
    ("j", "Attribution qualifier"),
    ("k", "Form subheading"),
    ("l", "Language of a work"),
    ("m", "Medium of performance for music"),
    ("n", "Number of part/section of a work"),
    ("o", "Arranged statement for music"),
    ("p", "Name of a part/section of a work"),
    ("q", "Name of meeting following jurisdiction name entry element"),
    ("r", "Key for music"),
    ("s", "Version"),
    ("t", "Title of work"),
    ("u", "Affiliation"),
];

fn qualify(field: Field<'_>, called: &[(&str, &str)], name: &mut Map<String, Value>) {
    let kind = name["jsonmodel_type"].as_str().unwrap_or_default().to_owned();
    let is_meeting = name.contains_key("conference_meeting");
    let mut said: Vec<String> = name.get("qualifier").and_then(Value::as_str).map(str::to_owned).into_iter().collect();
    for (code, label) in called {
        let is_of_kind = match (kind.as_str(), *code) {
            ("name_person", "q") => false,
            ("name_family", code) => "fgqrstuvxyz".contains(code),
            ("name_corporate_entity", "q") => is_meeting,
            ("name_corporate_entity", "j" | "m" | "n") => false,
            _ => true,
        };
        if !is_of_kind {
            continue;
        }
        said.extend(field.texts(code).map(|text| match (kind.as_str(), *code) {
            ("name_family", "q") => format!("{text}."),
            (_, "j") => format!("{label} -- {text}."),
            _ => format!("{label}: {text}."),
        }));
    }
    set_text(name, "qualifier", Some(said.join(" ")));
}

/// Codes of subfields with the types of their terms.
type Codes = &'static [(&'static str, &'static str)];

/// Which subfields of a heading are terms of which type.
const SUBDIVISIONS: [(&str, &str); 4] = [("v", "genre_form"), ("x", "topical"), ("y", "temporal"), ("z", "geographic")];
const SUBJECTS: [(&[&str], Codes); 5] = [
    (&["650", "150"], &[("a", "topical"), ("b", "topical"), ("c", "topical"), ("d", "topical")]),
    (&["651", "151"], &[("a", "geographic")]),
    (&["655", "155"], &[("a", "genre_form"), ("b", "genre_form")]),
    (&["656"], &[("a", "occupation"), ("k", "genre_form")]),
    (&["657"], &[("a", "function")]),
];

/// Adds the subjects of a record; returns their addresses.
pub(super) fn subjects(record: Marc<'_>, nature: Nature, batch: &mut Batch<'_, '_>) -> Vec<String> {
    let mut found: Vec<(Vec<Value>, String)> = Vec::new();
    for field in record.fields(&["630", "130", "730"]) {
        let mut terms: Vec<Value> =
            term("uniform_title", &field.in_order("adefghklmnoprst", " ")).into_iter().collect();
        terms.extend(terms_of(field, &[]));
        found.push((terms, nature.subject_source(field)));
    }
    for (tags, codes) in SUBJECTS {
        for field in record.fields(tags) {
            // Occupations and functions say their source only in the field.
            let own = ["656", "657"].contains(&field.tag);
            let source = if own {
                let named = field.first("2").filter(|_| field.indicator(2) == "7");
                named.unwrap_or_else(|| "not_specified".to_owned())
            } else {
                nature.subject_source(field)
            };
            found.push((terms_of(field, codes), source));
        }
    }
    for field in record.all().filter(|field| field.tag.starts_with("69")) {
        let mut subfields: Vec<(&str, String)> = field.subfields().collect();
        let first = |code: &str| (code != "3", code != "a", code.to_owned());
        subfields.sort_by_key(|(code, _)| first(code));
        found.push((subfields.iter().filter_map(|(_, text)| term("topical", text)).collect(), "local".to_owned()));
    }
    let named = |field: Field<'_>| field.first("2").unwrap_or_else(|| "not_specified".to_owned());
    for field in record.fields(&["752"]) {
        let places = ["a", "b", "c", "d", "f", "g"].into_iter();
        let texts = places.map(|code| field.texts(code).collect::<String>());
        found.push((texts.filter_map(|text| term("geographic", &text)).collect(), named(field)));
    }
    for field in record.fields(&["754"]) {
        let text = field.by_code("acdxz".chars(), "--");
        found.push((term("topical", &text).into_iter().collect(), named(field)));
    }
    let about = |source: &mut String, batch: &mut Batch<'_, '_>, terms: Vec<Value>| {
        if !nature.is_authority {
            return batch.subject(terms, source, None);
        }
        let genre = |field: Field<'_>| field.first("f").as_deref() == Some("lcgft");
        if source == "other" && record.fields(&["040"]).any(genre) {
            "lcgft".clone_into(source);
        }
        let address = batch.subject(terms, source, record.control("001"));
        let note = record.fields(&["680"]).last().map(|field| field.in_order("ai", " "));
        if let (Some(note), Some(Value::Object(subject))) = (note, batch.records.last_mut()) {
            set_text(subject, "scope_note", Some(note));
        }
        address
    };
    let mut addresses = Vec::new();
    for (terms, mut source) in found.into_iter().filter(|(terms, _)| !terms.is_empty()) {
        addresses.push(about(&mut source, batch, terms));
    }
    addresses
}

fn terms_of(field: Field<'_>, codes: &[(&str, &str)]) -> Vec<Value> {
    let kind = |code: &str| codes.iter().chain(&SUBDIVISIONS).find(|(of, _)| *of == code).map(|(_, kind)| *kind);
    field.subfields().filter_map(|(code, text)| term(kind(code)?, &text)).collect()
}
