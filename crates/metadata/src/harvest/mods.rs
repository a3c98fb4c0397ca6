//! MODS of resources and archival objects.

use record_xml::{
    Lists,
    json::{list, resolved, text},
    xml::{Xml, without_markup},
};
use serde_json::Value;

use super::{agents, collection, extent_text, joined_identifier, texts::published_texts};
use crate::notes::{language_notes, languages};

/// Types of notes with their elements and the types that these have.
const NOTES: [(&str, &str, Option<&str>); 21] = [
    ("bioghist", "note", Some("biographical")),
    ("scopecontent", "abstract", None),
    ("abstract", "abstract", None),
    ("odd", "note", None),
    ("arrangement", "note", Some("organization")),
    ("altformavail", "note", Some("additionalform")),
    ("accessrestrict", "accessCondition", Some("restrictionOnAccess")),
    ("userestrict", "accessCondition", Some("useAndReproduction")),
    ("accruals", "note", Some("accrual method")),
    ("acqinfo", "note", Some("acquisition")),
    ("appraisal", "note", Some("action")),
    ("bibliography", "note", Some("citation")),
    ("custodhist", "note", Some("ownership")),
    ("originalsloc", "note", Some("originallocation")),
    ("fileplan", "note", Some("fileplan")),
    ("otherfindaid", "note", Some("otherfindaid")),
    ("phystech", "note", Some("systemdetails")),
    ("prefercite", "note", Some("preferredcitation")),
    ("processinfo", "note", Some("action")),
    ("relatedmaterial", "note", Some("relatedmaterial")),
    ("separatedmaterial", "note", Some("separatedmaterial")),
];

/// A record as one element.
pub(super) fn write(record: &Value, lists: &dyn Lists) -> String {
    let mut writing = Writing { xml: Xml::new() };
    writing.xml.open(
        "mods",
        &[
            ("xmlns", Some("http://www.loc.gov/mods/v3")),
            ("xmlns:xlink", Some("http://www.w3.org/1999/xlink")),
            ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
            (
                "xsi:schemaLocation",
                Some("http://www.loc.gov/mods/v3 https://www.loc.gov/standards/mods/v3/mods-3-6.xsd"),
            ),
        ],
    );
    let repository = record.get("repository").and_then(resolved);
    writing.within("location", "physicalLocation", &[], repository.and_then(|of| text(of, "name")));
    writing.put("identifier", &[], Some(&joined_identifier(record)));
    writing.put("identifier", &[], record.get("ark_name").and_then(|ark| text(ark, "current")));
    for (_, title) in agents(record).filter(|(link, _)| text(link, "role") == Some("creator")) {
        writing.within("name", "namePart", &[], Some(title));
    }
    let title = without_markup(text(record, "display_string").or(text(record, "title")).unwrap_or_default());
    writing.within("titleInfo", "title", &[], Some(&title));
    list(record, "dates").iter().for_each(|date| writing.date(date));
    for extent in list(record, "extents") {
        writing.within("physicalDescription", "extent", &[], Some(&extent_text(extent, lists)));
    }
    let of_type = |wanted: &'static str| {
        list(record, "notes").iter().filter(move |note| text(note, "type") == Some(wanted)).flat_map(published_texts)
    };
    for content in of_type("dimensions") {
        writing.within("physicalDescription", "extent", &[], Some(&content));
    }
    languages(record).for_each(|language| writing.language(language, lists));
    for content in language_notes(record).flat_map(published_texts) {
        writing.put("note", &[("type", Some("language"))], Some(&content));
    }
    list(record, "notes").iter().for_each(|note| writing.note(note));
    list(record, "subjects").iter().filter_map(resolved).for_each(|subject| writing.subject(subject));
    for (link, title) in agents(record).filter(|(link, _)| text(link, "role") == Some("subject")) {
        let kind = match resolved(link).and_then(|agent| text(agent, "agent_type")) {
            Some("agent_person" | "agent_family") => "personal",
            Some("agent_corporate_entity") => "corporate",
            _ => continue,
        };
        writing.within("subject", "name", &[("type", Some(kind))], Some(title));
    }
    writing.put("relatedItem", &[("type", Some("host"))], collection(record).as_deref());
    writing.xml.close("mods");
    String::from_utf8(std::mem::take(writing.xml.written())).unwrap_or_default()
}

struct Writing {
    xml: Xml,
}

impl Writing {
    fn put(&mut self, name: &str, attributes: &[(&str, Option<&str>)], content: Option<&str>) {
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            self.xml.plain(name, attributes, content);
        }
    }

    /// An element with a text, alone within another.
    fn within(&mut self, outer: &str, name: &str, attributes: &[(&str, Option<&str>)], content: Option<&str>) {
        if content.is_some_and(|content| !content.is_empty()) {
            self.xml.open(outer, &[]);
            self.put(name, attributes, content);
            self.xml.close(outer);
        }
    }

    /// When the material was made.
    fn date(&mut self, date: &Value) {
        if text(date, "label") != Some("creation") {
            return;
        }
        let ends: Vec<&str> = ["begin", "end"].iter().filter_map(|end| text(date, end)).collect();
        if ends.is_empty() {
            return self.within("originInfo", "dateCreated", &[], text(date, "expression"));
        }
        self.within("originInfo", "dateCreated", &[("encoding", Some("iso8601"))], Some(&ends.join("/")));
    }

    fn language(&mut self, language: &Value, lists: &dyn Lists) {
        self.xml.open("language", &[]);
        for (part, element, list, authority) in [
            ("language", "languageTerm", "language_iso639_2", "iso639-2b"),
            ("script", "scriptTerm", "script_iso15924", "iso15924"),
        ] {
            let Some(code) = text(language, part) else { continue };
            let label = lists.label(list, code).unwrap_or(code);
            self.put(element, &[("authority", Some(authority)), ("type", Some("text"))], Some(label));
            self.put(element, &[("authority", Some(authority)), ("type", Some("code"))], Some(code));
        }
        self.xml.close("language");
    }

    fn note(&mut self, note: &Value) {
        let kind = text(note, "type").unwrap_or_default();
        if let Some((_, element, kind)) = NOTES.iter().find(|(of, ..)| *of == kind) {
            published_texts(note).iter().for_each(|content| self.put(element, &[("type", *kind)], Some(content)));
        }
    }

    fn subject(&mut self, subject: &Value) {
        let has = |kind| list(subject, "terms").iter().any(|term| text(term, "term_type") == Some(kind));
        let title = text(subject, "title");
        match [("topical", "topic"), ("geographic", "geographic"), ("genre_form", "genre")]
            .iter()
            .find(|(kind, _)| has(kind))
        {
            Some((_, element)) => self.within("subject", element, &[], title),
            None => self.put("subject", &[], title),
        }
    }
}
