//! Notes below the `did`: multipart notes, bibliographies, indexes (section 6.2).

use super::{Description, audience, prefixed};
use crate::ead3_text;
use crate::lists::note_head;
use crate::read::{Json, is, list, text};
use crate::text::split_head;

/// Multipart notes that have an element of their name.
pub(crate) const MULTIPART: [&str; 20] = [
    "accruals",
    "appraisal",
    "arrangement",
    "bioghist",
    "accessrestrict",
    "legalstatus",
    "userestrict",
    "custodhist",
    "altformavail",
    "originalsloc",
    "fileplan",
    "odd",
    "acqinfo",
    "otherfindaid",
    "phystech",
    "prefercite",
    "processinfo",
    "relatedmaterial",
    "scopecontent",
    "separatedmaterial",
];

/// Elements for the types of index items.
pub(crate) const INDEX_ITEMS: [(&str, &str); 10] = [
    ("corporate_entity", "corpname"),
    ("genre_form", "genreform"),
    ("name", "name"),
    ("occupation", "occupation"),
    ("person", "persname"),
    ("subject", "subject"),
    ("family", "famname"),
    ("function", "function"),
    ("geographic_name", "geogname"),
    ("title", "title"),
];

impl Description<'_> {
    pub(super) fn notes(&mut self, record: &Json) {
        for note in list(record, "notes") {
            let Some(kind) = text(note, "type").filter(|kind| MULTIPART.contains(kind)) else { continue };
            if !self.shows(note) || is(note, "internal", true) {
                continue;
            }
            let legal = kind == "legalstatus" && !self.ead3();
            if legal {
                self.xml.open("accessrestrict", &[("audience", audience(note))]);
            }
            self.multipart(kind, note);
            if legal {
                self.xml.close("accessrestrict");
            }
        }
    }

    fn multipart(&mut self, kind: &str, note: &Json) {
        let id = text(note, "persistent_id").map(prefixed);
        self.xml.open(kind, &[("id", id.as_deref()), ("audience", audience(note))]);
        let own = note.get("content").and_then(Json::as_str);
        let subnotes = list(note, "subnotes");
        let headed = kind != "legalstatus";
        let paragraphs = headed || self.ead3();
        let first = own.or_else(|| subnotes.first().and_then(|subnote| text(subnote, "content"))).unwrap_or_default();
        let (head, rest) = split_head(first).map_or((None, first), |(head, rest)| (Some(head), rest));
        if headed {
            let usual = text(note, "label").unwrap_or_else(|| note_head(self.options.lists, kind)).to_owned();
            self.mixed("head", &[], head.unwrap_or(&usual));
        }
        if own.is_some() {
            self.content(kind, rest, paragraphs);
        }
        for (at, subnote) in subnotes.iter().enumerate() {
            if self.shows(subnote) {
                let content = if own.is_none() && at == 0 { Some(rest) } else { text(subnote, "content") };
                self.subnote(subnote, content.unwrap_or_default(), paragraphs);
            }
        }
        self.xml.close(kind);
    }

    fn subnote(&mut self, subnote: &Json, content: &str, paragraphs: bool) {
        let hidden = ("audience", audience(subnote));
        let title = text(subnote, "title");
        match text(subnote, "jsonmodel_type") {
            Some("note_chronology") => {
                self.xml.open("chronlist", &[hidden]);
                self.optional("head", title);
                list(subnote, "items").iter().for_each(|item| self.chronitem(item));
                self.xml.close("chronlist");
            }
            Some("note_orderedlist") => {
                let numeration = text(subnote, "enumeration");
                let numeration = if self.ead3() { numeration.map(ead3_text::numeration) } else { numeration };
                self.xml.open("list", &[(self.list_type(), Some("ordered")), ("numeration", numeration), hidden]);
                self.optional("head", title);
                for item in list(subnote, "items").iter().filter_map(Json::as_str) {
                    self.mixed("item", &[], item);
                }
                self.xml.close("list");
            }
            Some("note_definedlist") => {
                self.xml.open("list", &[(self.list_type(), Some("deflist")), hidden]);
                self.optional("head", title);
                for item in list(subnote, "items") {
                    self.xml.open("defitem", &[]);
                    self.optional("label", text(item, "label"));
                    self.optional("item", text(item, "value"));
                    self.xml.close("defitem");
                }
                self.xml.close("list");
            }
            Some("note_text") => self.content("note", content, paragraphs),
            _ => {}
        }
    }

    fn list_type(&self) -> &'static str {
        if self.ead3() { "listtype" } else { "type" }
    }

    fn chronitem(&mut self, item: &Json) {
        self.xml.open("chronitem", &[]);
        let (date, group) = if self.ead3() { ("datesingle", "chronitemset") } else { ("date", "eventgrp") };
        self.optional(date, text(item, "event_date"));
        let events = list(item, "events");
        if !events.is_empty() {
            self.xml.open(group, &[]);
            for event in events.iter().filter_map(Json::as_str) {
                self.mixed("event", &[], event);
            }
            self.xml.close(group);
        }
        self.xml.close("chronitem");
    }

    /// The published notes of a kind, with the attributes all of them have.
    fn open_note(&mut self, element: &str, note: &Json) {
        let id = text(note, "persistent_id").map(prefixed);
        self.xml.open(element, &[("id", id.as_deref()), ("audience", audience(note))]);
    }

    pub(super) fn bibliographies(&mut self, record: &Json) {
        for note in of_model(record, "note_bibliography") {
            if !self.shows(note) {
                continue;
            }
            self.open_note("bibliography", note);
            let usual = note_head(self.options.lists, text(note, "type").unwrap_or("bibliography"));
            let head = text(note, "label").unwrap_or(usual).to_owned();
            self.mixed("head", &[], &head);
            self.content("bibliography", &self.note_text(note), true);
            for item in list(note, "items").iter().filter_map(Json::as_str).filter(|item| !item.is_empty()) {
                self.mixed("bibref", &[], item);
            }
            self.xml.close("bibliography");
        }
    }

    pub(super) fn indexes(&mut self, record: &Json) {
        for note in of_model(record, "note_index") {
            if !self.shows(note) {
                continue;
            }
            self.open_note("index", note);
            let content = self.note_text(note);
            let (own, rest) = split_head(&content).map_or((None, content.as_str()), |(head, rest)| (Some(head), rest));
            let typed = text(note, "type").map(|kind| note_head(self.options.lists, kind).to_owned());
            self.optional("head", own.or(text(note, "label")).or(typed.as_deref()));
            self.content("index", rest, true);
            list(note, "items").iter().for_each(|item| self.indexentry(item));
            self.xml.close("index");
        }
    }

    fn indexentry(&mut self, item: &Json) {
        let kind = text(item, "type").unwrap_or_default();
        let Some((_, element)) = INDEX_ITEMS.iter().find(|(name, _)| *name == kind) else { return };
        self.xml.open("indexentry", &[]);
        if let Some(value) = text(item, "value") {
            self.name(element, &[], value);
        }
        if let Some(label) = text(item, "reference_text") {
            let target = text(item, "reference").map(prefixed);
            self.mixed("ref", &[("target", target.as_deref())], label);
        }
        self.xml.close("indexentry");
    }
}

fn of_model<'v>(record: &'v Json<'v>, model: &'static str) -> impl Iterator<Item = &'v Json<'v>> {
    list(record, "notes").iter().filter(move |note| text(note, "jsonmodel_type") == Some(model))
}
