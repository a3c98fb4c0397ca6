//! What the parts of a description share: links, dates, subjects, texts.

use serde_json::{Map, Value, json};

use super::super::{
    element::Element,
    record::{Batch, object, push, set_text, term},
};

/// A kind of agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Person,
    Family,
    Body,
}

impl Kind {
    pub(super) fn of(entity_type: &str) -> Option<Self> {
        match entity_type.trim() {
            "person" => Some(Self::Person),
            "family" => Some(Self::Family),
            "corporateBody" => Some(Self::Body),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Family => "family",
            Self::Body => "corporate_entity",
        }
    }

    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Person => "/agents/people",
            Self::Family => "/agents/families",
            Self::Body => "/agents/corporate_entities",
        }
    }

    /// The parts of a name: what each is called in the file, and its member. The first is what a part without a type is.
    pub(super) fn parts(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Person => &[
                ("surname", "primary_name"),
                ("prefix", "prefix"),
                ("suffix", "suffix"),
                ("title", "title"),
                ("forename", "rest_of_name"),
                ("numeration", "number"),
                ("fuller_form", "fuller_form"),
                ("dates", "dates"),
                ("qualifier", "qualifier"),
            ],
            Self::Family => &[
                ("surname", "family_name"),
                ("prefix", "prefix"),
                ("family_type", "family_type"),
                ("location", "location"),
                ("dates", "dates"),
                ("qualifier", "qualifier"),
            ],
            Self::Body => &[
                ("primary_name", "primary_name"),
                ("subordinate_name_1", "subordinate_name_1"),
                ("subordinate_name_2", "subordinate_name_2"),
                ("numeration", "number"),
                ("location", "location"),
                ("dates", "dates"),
                ("qualifier", "qualifier"),
            ],
        }
    }
}

/// Adds a subject of one term, unless it is blank; returns its address.
pub(super) fn subject(entry: &Element, kind: &str, batch: &mut Batch<'_, '_>) -> Option<String> {
    let term = term(kind, &entry.text())?;
    let source = entry.attribute("vocabularySource").unwrap_or("Source not specified");
    Some(batch.subject(vec![term], source, None))
}

/// A subrecord with the file that an element points to.
pub(super) fn linked(model: &str, element: &Element) -> Map<String, Value> {
    let mut record = object(model);
    for (member, attribute) in [
        ("file_uri", "href"),
        ("file_version_xlink_actuate_attribute", "actuate"),
        ("file_version_xlink_show_attribute", "show"),
        ("xlink_title_attribute", "title"),
        ("xlink_role_attribute", "role"),
        ("xlink_arcrole_attribute", "arcrole"),
        ("last_verified_date", "lastDateTimeVerified"),
    ] {
        set_text(&mut record, member, element.attribute(attribute));
    }
    record
}

pub(super) fn put_dates(element: &Element, record: &mut Map<String, Value>) {
    for date in structured_dates(element, None) {
        push(record, "dates", date);
    }
}

/// The dates in an element: single ones, then ranges. Without a label they have that of their own type.
pub(super) fn structured_dates(element: &Element, label: Option<&str>) -> Vec<Value> {
    let single = element.find("date").map(|date| {
        let mut structured = json!({"jsonmodel_type": "structured_date_single", "date_role": "begin"});
        put_date(date, "date", &mut structured);
        labelled(date, label, "single", structured)
    });
    let ranges = element.find("dateRange").map(|range| {
        let mut structured = json!({"jsonmodel_type": "structured_date_range"});
        for (name, member) in [("fromDate", "begin_date"), ("toDate", "end_date")] {
            if let Some(date) = range.child(name) {
                put_date(date, member, &mut structured);
            }
        }
        labelled(range, label, "range", structured)
    });
    single.chain(ranges).collect()
}

fn labelled(date: &Element, label: Option<&str>, kind: &str, structured: Value) -> Value {
    let label = label.or(date.attribute("localType")).unwrap_or("other");
    json!({"jsonmodel_type": "structured_date_label", "date_label": label, "date_type_structured": kind,
        format!("structured_date_{kind}"): structured})
}

fn put_date(date: &Element, member: &str, into: &mut Value) {
    let text = date.text();
    if !text.trim().is_empty() {
        into[format!("{member}_expression")] = text.trim().into();
    }
    let is_date = |text: &str| {
        let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
        ["9999", "9999-99", "9999-99-99"].contains(&shape.as_str())
    };
    if let Some(standard) = date.attribute("standardDate").filter(|text| is_date(text)) {
        into[format!("{member}_standardized")] = standard.into();
        let bound = [("notBefore", "not_before"), ("notAfter", "not_after")];
        if let Some((_, kind)) = bound.iter().find(|(attribute, _)| date.attribute(attribute).is_some()) {
            into[format!("{member}_standardized_type")] = (*kind).into();
        }
    }
}

pub(super) fn text_note(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"jsonmodel_type": "note_text", "content": text}))
}

pub(super) fn text_notes(element: &Element, record: &mut Map<String, Value>) {
    for note in element.find("descriptiveNote").filter_map(|note| text_note(&formatted(note))) {
        push(record, "notes", note);
    }
}

/// The text in an element.
pub(super) fn plain(element: &Element) -> String {
    paragraphs(&element.text())
}

/// What is in an element, with its markup.
pub(super) fn formatted(element: &Element) -> String {
    paragraphs(&element.inner(&[]))
}

/// Paragraphs and line breaks as blank lines, other blanks as one.
pub(super) fn paragraphs(content: &str) -> String {
    let mut text = String::new();
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(&before.replace(['\n', '\r', '\t'], " "));
        let Some((tag, after)) = after.split_once('>') else { break };
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match (name, tag.starts_with('/')) {
            ("p", false) if !tag.ends_with('/') => {}
            ("p", _) | ("lb", false) => text.push_str("\n\n"),
            ("lb", true) => {}
            _ => {
                text.push('<');
                text.push_str(tag);
                text.push('>');
            }
        }
        rest = after;
    }
    text.push_str(&rest.replace(['\n', '\r', '\t'], " "));
    let lines = text.split("\n\n").map(|part| part.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    let parts: Vec<String> = lines.map(|words| words.join(" ")).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}
