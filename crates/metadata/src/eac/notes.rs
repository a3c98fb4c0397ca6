//! Notes about an agent, and their parts.

use record_xml::json::{list, text};
use serde_json::Value;

use super::Writing;
use crate::notes::contents;

/// Types of notes, in the order of the schema, with their elements.
const NOTES: [(&str, &str); 5] = [
    ("note_general_context", "generalContext"),
    ("note_bioghist", "biogHist"),
    ("note_mandate", "mandate"),
    ("note_legal_status", "legalStatus"),
    ("note_structure_or_genealogy", "structureOrGenealogy"),
];

impl Writing<'_> {
    pub(super) fn notes(&mut self, notes: &[Value]) {
        for (kind, element) in NOTES {
            for note in notes.iter().filter(|note| text(note, "jsonmodel_type") == Some(kind)) {
                self.xml.open(element, &[]);
                list(note, "subnotes").iter().for_each(|part| self.part_of_note(part));
                self.xml.close(element);
            }
        }
    }

    fn part_of_note(&mut self, part: &Value) {
        match text(part, "jsonmodel_type") {
            Some("note_abstract") => self.xml.plain("abstract", &[], &contents(part).join("--")),
            Some("note_text") => self.xml.plain("p", &[], &contents(part).join(" ")),
            Some("note_citation") => {
                let link = &part["xlink"];
                let attributes = [
                    ("xlink:actuate", text(link, "actuate")),
                    ("xlink:arcrole", text(link, "arcrole")),
                    ("xlink:href", text(link, "href")),
                    ("xlink:role", text(link, "role")),
                    ("xlink:show", text(link, "show")),
                    ("xlink:title", text(link, "title")),
                    ("xlink:type", text(link, "type")),
                ];
                self.xml.plain("citation", &attributes, &contents(part).join("--"));
            }
            Some("note_definedlist") => {
                self.xml.open("list", &[("localType", Some("defined"))]);
                for item in list(part, "items") {
                    self.xml.plain(
                        "item",
                        &[("localType", text(item, "label"))],
                        text(item, "value").unwrap_or_default(),
                    );
                }
                self.xml.close("list");
            }
            Some("note_orderedlist") => {
                self.xml.open("list", &[("localType", Some("ordered"))]);
                for item in list(part, "items").iter().filter_map(Value::as_str) {
                    self.xml.plain("item", &[("localType", text(part, "enumeration"))], item);
                }
                self.xml.close("list");
            }
            Some("note_chronology") => self.chronology(part),
            Some("note_outline") => {
                self.xml.open("outline", &[]);
                list(part, "levels").iter().for_each(|level| self.level(level));
                self.xml.close("outline");
            }
            _ => {}
        }
    }

    /// Each event with its date, and dates without events.
    fn chronology(&mut self, part: &Value) {
        self.xml.open("chronList", &[("localType", text(part, "title"))]);
        for item in list(part, "items") {
            let date = text(item, "event_date");
            for event in list(item, "events").iter().filter_map(Value::as_str) {
                self.xml.open("chronItem", &[]);
                self.put("date", &[("standardDate", date)], date);
                self.xml.plain("event", &[], event);
                self.xml.close("chronItem");
            }
        }
        self.xml.close("chronList");
    }

    /// A level of an outline; levels are as deep as the schema of records allows.
    fn level(&mut self, level: &Value) {
        self.xml.open("level", &[]);
        for item in list(level, "items") {
            match item.as_str() {
                Some(text) => self.xml.plain("item", &[], text),
                None => self.level(item),
            }
        }
        self.xml.close("level");
    }
}
