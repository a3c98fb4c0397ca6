//! MARCXML of authority records: an agent with its names, dates, places, relations and the control of its record.

use serde_json::{Map, Value, json};

use super::{
    element::Element,
    fields::{Field, Marc, trimmed},
    record::{Batch, object, push, set, set_text, term},
};

/// A kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Family,
    Body,
}

impl Kind {
    /// What the heading or a reference of a record is about.
    fn of(field: Field<'_>) -> Option<Self> {
        match (field.tag.get(1..)?, field.indicator(1)) {
            ("00", "0" | "1") => Some(Self::Person),
            ("00", "3") => Some(Self::Family),
            ("10" | "11", _) => Some(Self::Body),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Family => "family",
            Self::Body => "corporate_entity",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Person => "/agents/people",
            Self::Family => "/agents/families",
            Self::Body => "/agents/corporate_entities",
        }
    }
}

/// Reads a record: an agent for each of its headings.
pub(super) fn read(element: &Element, batch: &mut Batch<'_, '_>) {
    let record = Marc(element);
    let headings: Vec<_> = record.fields(&["100", "110", "111"]).collect();
    for heading in headings {
        if let Some(kind) = Kind::of(heading) {
            agent(record, heading, kind, batch);
        }
    }
}

fn agent(record: Marc<'_>, heading: Field<'_>, kind: Kind, batch: &mut Batch<'_, '_>) {
    let mut agent = object(&format!("agent_{}", kind.name()));
    let others = record.fields(&["400", "410", "411"]).filter(|field| Kind::of(*field) == Some(kind));
    for field in std::iter::once(heading).chain(others) {
        push(&mut agent, "names", Value::Object(name(record, field, kind)));
    }
    if kind == Kind::Person {
        for gender in record.fields(&["375"]).flat_map(|field| dated(field, "a")) {
            let mut one = json!({"jsonmodel_type": "agent_gender", "gender": gender.text});
            gender.put_dates(&mut one);
            push(&mut agent, "agent_genders", one);
        }
    }
    control(record, &mut agent);
    identifiers(record, &mut agent);
    described(record, &mut agent);
    relations(record, heading, &mut agent, batch);
    if batch.options.subjects {
        subjects(record, kind, &mut agent, batch);
    }
    if batch.options.events {
        history(record, &mut agent);
    }
    batch.add(kind.path(), agent);
}

fn name(record: Marc<'_>, field: Field<'_>, kind: Kind) -> Map<String, Value> {
    let mut name = object(&format!("name_{}", kind.name()));
    let whole = field.last("a").unwrap_or_default();
    let is_heading = field.tag.starts_with('1');
    let of = |code: &str, end: char, without: &[char]| field.last(code).map(|text| trimmed(&text, end, without));
    set(&mut name, "authorized", json!(is_heading));
    // The last of several parts that say the same.
    set_text(&mut name, "qualifier", field.last("g"));
    match kind {
        Kind::Person => {
            let is_inverted = field.indicator(1) == "1";
            let (first, rest) = whole.split_once(if is_inverted { ", " } else { " " }).unwrap_or((&whole, ""));
            set(&mut name, "name_order", json!(if is_inverted { "inverted" } else { "direct" }));
            set_text(&mut name, "primary_name", Some(trimmed(first, ',', &[])));
            set_text(&mut name, "rest_of_name", Some(trimmed(rest, ',', &[])));
            set_text(&mut name, "number", of("b", ',', &[]));
            set_text(&mut name, "title", of("c", ',', &[]));
            set_text(&mut name, "dates", of("d", ',', &[]));
            let fuller = record.fields(&["378"]).filter_map(|field| field.first("q")).next();
            set_text(&mut name, "fuller_form", of("q", ',', &['(', ')']).or(fuller.filter(|_| is_heading)));
        }
        Kind::Family => {
            set_text(&mut name, "family_name", Some(whole));
            let qualifier = field.last("g").or_else(|| of("c", ',', &['(', ')'])).or_else(|| field.last("b"));
            set_text(&mut name, "qualifier", qualifier);
            set_text(&mut name, "dates", of("d", ':', &[]));
        }
        Kind::Body => {
            let is_meeting = field.tag.ends_with("11");
            set(&mut name, "conference_meeting", json!(is_meeting));
            if field.indicator(1) == "1" {
                set(&mut name, "jurisdiction", json!(true));
            }
            set_text(&mut name, "primary_name", Some(trimmed(&whole, '.', &[])));
            if is_meeting {
                set_text(&mut name, "subordinate_name_1", field.last("e"));
                let following = field.last("q");
                if is_heading {
                    let said = |text| format!("Name of meeting following jurisdiction name entry element: {text}");
                    set_text(&mut name, "qualifier", following.map(said).or_else(|| field.last("g")));
                } else {
                    set_text(&mut name, "subordinate_name_2", following);
                }
            } else {
                let mut units = field.texts("b");
                set_text(&mut name, "subordinate_name_1", units.next());
                set_text(&mut name, "subordinate_name_2", Some(units.collect::<Vec<_>>().join(". ")));
            }
            set_text(&mut name, "location", field.last("c"));
            set_text(&mut name, "dates", field.last("d"));
            set_text(&mut name, "number", of("n", '.', &['(', ')', ':']));
        }
    }
    name
}

/// The value for a character of a control field.
fn coded(character: Option<char>, codes: &[(char, &'static str)]) -> Option<&'static str> {
    codes.iter().find(|(code, _)| Some(*code) == character).map(|(_, value)| *value)
}

const STATUSES: &[(char, &str)] = &[
    ('n', "new"),
    ('a', "upgraded"),
    ('c', "revised_corrected"),
    ('d', "deleted"),
    ('o', "cancelled_obsolete"),
    ('s', "deleted_split"),
    ('x', "deleted_replaced"),
];

/// Codes with what they say.
type Codes = &'static [(char, &'static str)];

/// Members of the control of a record: the place of each in the control field 008, and what its codes say.
const CODED: &[(&str, usize, Codes)] = &[
    (
        "romanization",
        7,
        &[
            ('a', "int_std"),
            ('b', "nat_std"),
            ('c', "nl_assoc_std"),
            ('d', "nl_bib_agency_std"),
            ('e', "local_std"),
            ('f', "unknown_std"),
            ('g', "conv_rom_cat_agency"),
            ('n', "not_applicable"),
        ],
    ),
    (
        "government_agency_type",
        28,
        &[
            ('#', "ngo"),
            ('a', "sac"),
            ('c', "multilocal"),
            ('f', "fed"),
            ('I', "int_gov"),
            ('l', "local"),
            ('m', "multistate"),
            ('o', "undetermined"),
            ('s', "provincial"),
            ('u', "unknown"),
            ('z', "other"),
            ('|', "unknown"),
        ],
    ),
    (
        "reference_evaluation",
        29,
        &[('a', "tr_consistent"), ('b', "tr_inconsistent"), ('n', "not_applicable"), ('|', "natc")],
    ),
    ("name_type", 32, &[('a', "differentiated"), ('b', "undifferentiated"), ('n', "not_applicable"), ('|', "natc")]),
    (
        "level_of_detail",
        33,
        &[
            ('a', "fully_established"),
            ('b', "memorandum"),
            ('c', "provisional"),
            ('d', "preliminary"),
            ('n', "not_applicable"),
            ('|', "natc"),
        ],
    ),
    ("modified_record", 38, &[('#', "not_modified"), ('s', "shortened"), ('x', "missing_characters"), ('|', "natc")]),
    (
        "cataloging_source",
        39,
        &[('#', "nat_bib_agency"), ('c', "ccp"), ('d', "other"), ('u', "unknown"), ('|', "natc")],
    ),
];

/// Who keeps the record, and how.
fn control(record: Marc<'_>, agent: &mut Map<String, Value>) {
    let subfields =
        |code: &str| record.fields(&["040"]).flat_map(|field| field.texts(code).collect::<Vec<_>>()).collect();
    let (agencies, others, rules): (Vec<String>, Vec<String>, Vec<String>) =
        (subfields("a"), subfields("d"), subfields("e"));
    let agency = agencies.last().cloned().or_else(|| record.control("003"));
    let mut control = object("agent_record_control");
    if let Some(leader) = record.leader() {
        let status = coded(leader.chars().nth(5), STATUSES);
        set_text(&mut control, "maintenance_status", status);
        set_text(&mut control, "maintenance_agency", agency.clone());
        let codes: Vec<char> = record.control("008").unwrap_or_default().chars().collect();
        let at = |place: usize| codes.get(place).copied();
        let language = record.fields(&["040"]).filter_map(|field| field.first("b")).last();
        let coded_language = coded(at(8), &[('b', "mul"), ('e', "eng"), ('f', "fre")]).map(str::to_owned);
        set_text(&mut control, "language", language.or(coded_language));
        for (member, place, values) in CODED {
            set_text(&mut control, member, coded(at(*place), values));
        }
        push(agent, "agent_record_controls", Value::Object(control));
    }
    for other in others.into_iter().filter(|other| Some(other) != agency.as_ref()) {
        push(
            agent,
            "agent_other_agency_codes",
            json!({"jsonmodel_type": "agent_other_agency_codes", "maintenance_agency": other}),
        );
    }
    for rule in rules {
        let declared = json!({"jsonmodel_type": "agent_conventions_declaration", "name_rule": rule});
        push(agent, "agent_conventions_declarations", declared);
    }
}

/// The numbers of the record, the first of which is its own.
fn identifiers(record: Marc<'_>, agent: &mut Map<String, Value>) {
    let mut found: Vec<Map<String, Value>> = Vec::new();
    let mut add = |number: Option<String>, source: &str, kind: Option<&str>| {
        let Some(number) = number.filter(|number| !number.trim().is_empty()) else { return };
        let mut identifier = object("agent_record_identifier");
        set(&mut identifier, "record_identifier", json!(number));
        set(&mut identifier, "source", json!(source));
        set_text(&mut identifier, "identifier_type", kind);
        found.push(identifier);
    };
    // The control number of the Library of Congress is the same as its field 010.
    let is_twice = record.control("003").as_deref() == Some("DLC") && record.fields(&["010"]).next().is_some();
    add(record.control("001").filter(|_| !is_twice), "local", None);
    for field in record.fields(&["010"]) {
        add(field.last("a"), "naf", Some("loc"));
    }
    for tag in ["016", "024", "035"] {
        for field in record.fields(&[tag]) {
            let number = match tag {
                "024" => field.subfields().find(|(code, _)| ["a", "0", "1"].contains(code)).map(|(_, text)| text),
                _ => field.last("a"),
            };
            let is_loc = tag == "035" && number.as_ref().is_some_and(|number| number.starts_with("(DLC)"));
            let named = field.first("2");
            match (field.indicator(1), named) {
                ("7", named) => add(number, named.as_deref().unwrap_or("local"), Some("local")),
                _ if is_loc => add(number, "naf", Some("loc")),
                ("#", _) if tag == "016" => add(number, "lac", None),
                _ => add(number, "local", None),
            }
        }
    }
    for (place, mut identifier) in found.into_iter().enumerate() {
        set(&mut identifier, "primary_identifier", json!(place == 0));
        push(agent, "agent_record_identifiers", Value::Object(identifier));
    }
}

/// When the agent existed, by a field 046.
pub(super) fn existence(field: Field<'_>) -> Option<Value> {
    dates(field, "existence")
}

fn dates(field: Field<'_>, label: &str) -> Option<Value> {
    let last = |codes: [&str; 3]| codes.iter().rev().find_map(|code| field.first(code));
    let (begin, end) = (last(["f", "q", "s"]), last(["g", "r", "t"]));
    let structured = match (begin, end) {
        (Some(begin), Some(end)) => {
            let mut range = json!({"jsonmodel_type": "structured_date_range", "begin_date_expression": begin,
                "end_date_expression": end});
            for (member, text) in [("begin_date_standardized", &begin), ("end_date_standardized", &end)] {
                if let Some(day) = day(text) {
                    range[member] = day.into();
                }
            }
            ("range", range)
        }
        (begin, end) => {
            let role = if begin.is_some() { "begin" } else { "end" };
            let text = begin.or(end)?;
            let mut single =
                json!({"jsonmodel_type": "structured_date_single", "date_role": role, "date_expression": text});
            if let Some(day) = day(&text) {
                single["date_standardized"] = day.into();
            }
            ("single", single)
        }
    };
    let (kind, date) = structured;
    Some(json!({"jsonmodel_type": "structured_date_label", "date_label": label, "date_type_structured": kind,
        format!("structured_date_{kind}"): date}))
}

/// A day that is written as `YYYYMMDD` or `YYYY-MM-DD`.
fn day(text: &str) -> Option<String> {
    let digits: String = text.trim().chars().filter(|c| *c != '-').collect();
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (month, day) = (digits[4..6].parse::<u8>().ok()?, digits[6..].parse::<u8>().ok()?);
    let exists = (1..=12).contains(&month) && (1..=31).contains(&day);
    exists.then(|| format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
}

/// What is said of the agent itself.
fn described(record: Marc<'_>, agent: &mut Map<String, Value>) {
    for date in record.fields(&["046"]).filter_map(existence) {
        push(agent, "dates_of_existence", date);
    }
    for field in record.fields(&["377"]) {
        if let Some(language) = field.last("a").or_else(|| field.last("l")) {
            push(agent, "used_languages", json!({"jsonmodel_type": "used_language", "language": language}));
        }
    }
    for field in record.fields(&["670"]) {
        let mut source = object("agent_sources");
        set_text(&mut source, "source_entry", field.last("a"));
        set_text(&mut source, "descriptive_note", field.last("b"));
        set_text(&mut source, "file_uri", field.last("u"));
        push(agent, "agent_sources", Value::Object(source));
    }
    for field in record.fields(&["678"]) {
        let abstracts = field.texts("a").map(|text| json!({"jsonmodel_type": "note_abstract", "content": [text]}));
        let texts = field.texts("b").map(|text| json!({"jsonmodel_type": "note_text", "content": text}));
        let subnotes: Vec<Value> = abstracts.chain(texts).collect();
        if subnotes.is_empty() {
            continue;
        }
        let mut note = json!({"jsonmodel_type": "note_bioghist", "subnotes": subnotes});
        match field.indicator(1) {
            "0" => note["label"] = "Biographical note".into(),
            "1" => note["label"] = "Administrative history".into(),
            _ => {}
        }
        push(agent, "notes", note);
    }
}

/// Agents that the record refers to.
fn relations(record: Marc<'_>, heading: Field<'_>, agent: &mut Map<String, Value>, batch: &mut Batch<'_, '_>) {
    let fields: Vec<_> = record.fields(&["500", "510", "511"]).collect();
    for field in fields {
        let kind = match (field.tag, field.indicator(1)) {
            ("500", "3") => Kind::Family,
            ("500", _) => Kind::Person,
            _ => Kind::Body,
        };
        let mut other = object(&format!("agent_{}", kind.name()));
        let mut name = name(record, field, kind);
        set(&mut name, "source", json!("ingest"));
        push(&mut other, "names", Value::Object(name));
        let address = batch.add(kind.path(), other);
        let bodies = kind == Kind::Body && heading.tag == "110";
        let code = field.last("w").and_then(|text| text.chars().next());
        let (relation, relator, specific) = match code {
            Some('a') => ("earlierlater", "is_earlier_form_of", None),
            Some('b') => ("earlierlater", "is_later_form_of", None),
            Some('d') => ("identity", "is_identified_with", Some("Acronym")),
            Some('f') => ("associative", "is_associative_with", Some("Musical composition")),
            Some('g') => ("associative", "is_associative_with", Some("Broader term")),
            Some('h') => ("associative", "is_associative_with", Some("Narrower term")),
            Some('t') if bodies => ("subordinatesuperior", "is_superior_of", Some("Immediate parent body")),
            _ => ("associative", "is_associative_with", None),
        };
        let mut link = object(&format!("agent_relationship_{relation}"));
        set(&mut link, "relator", json!(relator));
        set(&mut link, "ref", json!(address));
        set_text(&mut link, "specific_relator", specific);
        set_text(&mut link, "relationship_uri", field.last("4"));
        set_text(&mut link, "description", field.last("i"));
        push(agent, "related_agents", Value::Object(link));
    }
}

/// A subfield with the dates of its field.
struct Dated<'e> {
    text: String,
    field: Field<'e>,
}

impl Dated<'_> {
    fn put_dates(&self, into: &mut Value) {
        let has = ["s", "t"].iter().any(|code| self.field.first(code).is_some());
        if let Some(date) = dates(self.field, "existence").filter(|_| has) {
            into["dates"] = json!([date]);
        }
    }
}

fn dated<'e>(field: Field<'e>, code: &str) -> Vec<Dated<'e>> {
    let texts = field.texts(code).filter(|text| !text.trim().is_empty());
    texts.map(|text| Dated { text, field }).collect()
}

/// What is said of the agent by subjects: places, occupations, what it is about.
fn subjects(record: Marc<'_>, kind: Kind, agent: &mut Map<String, Value>, batch: &mut Batch<'_, '_>) {
    let about = if kind == Kind::Person {
        ("372", "a", "agent_topics", "agent_topic", "topical", None)
    } else {
        ("372", "a", "agent_functions", "agent_function", "function", None)
    };
    let place = |code, role| ("370", code, "agent_places", "agent_place", "geographic", Some(role));
    let all = [
        ("374", "a", "agent_occupations", "agent_occupation", "occupation", None),
        place("a", "place_of_birth"),
        place("b", "place_of_death"),
        place("c", "assoc_country"),
        place("e", "residence"),
        place("f", "other_assoc"),
        about,
    ];
    for (tag, code, list, model, kind, role) in all {
        for one in record.fields(&[tag]).flat_map(|field| dated(field, code)) {
            // An identifier is of the first subject of its field: no two subjects have the same.
            let first = one.field.subfields().find(|(code, _)| !["0", "2"].contains(code)).map(|(_, text)| text);
            let authority = one.field.first("0").filter(|_| first.as_deref() == Some(&one.text));
            let source = one.field.first("2").unwrap_or_else(|| "Source not specified".to_owned());
            let terms = term(kind, &one.text).into_iter().collect();
            let subject = batch.subject(terms, &source, authority);
            let mut subrecord = json!({"jsonmodel_type": model, "subjects": [{"ref": subject}]});
            if let Some(role) = role {
                subrecord["place_role"] = json!(role);
            }
            one.put_dates(&mut subrecord);
            push(agent, list, subrecord);
        }
    }
}

/// When the record was made.
fn history(record: Marc<'_>, agent: &mut Map<String, Value>) {
    let Some(changed) = record.control("005") else { return };
    let digits = |text: &str, many: usize| text.chars().take(many).collect::<String>();
    let made = record.control("008").map(|control| {
        // Records have been made by computers since about 1970.
        let century =
            if control.chars().next().and_then(|c| c.to_digit(10)).is_some_and(|c| c >= 7) { "19" } else { "20" };
        format!("{century}{}", digits(&control, 6))
    });
    let agency = record.fields(&["040"]).flat_map(|field| field.texts("d").collect::<Vec<_>>()).last();
    let agency = agency.unwrap_or_else(|| "Missing in File".to_owned());
    let event = json!({"jsonmodel_type": "agent_maintenance_history", "maintenance_event_type": "created",
        "maintenance_agent_type": "machine", "event_date": made.unwrap_or_else(|| digits(&changed, 8)),
        "agent": agency});
    push(agent, "agent_maintenance_histories", event);
}
