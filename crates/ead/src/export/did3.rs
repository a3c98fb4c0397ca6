//! `did` of EAD3 (section 6.6).

use std::collections::VecDeque;

use super::did::DID_NOTES;
use super::{Description, Holder, audience, prefixed};
use crate::read::{Json, identifier, is, list, text};

/// What an extent of these types counts; the others occupy space.
const EXTENT_TYPES: [(&str, &str); 10] = [
    ("cassettes", "materialtype"),
    ("leaves", "materialtype"),
    ("photographic_prints", "materialtype"),
    ("photographic_slides", "materialtype"),
    ("reels", "materialtype"),
    ("sheets", "materialtype"),
    ("volumes", "materialtype"),
    ("gigabytes", "otherphysdescstructuredtype"),
    ("megabytes", "otherphysdescstructuredtype"),
    ("terabytes", "otherphysdescstructuredtype"),
];

impl Description<'_> {
    pub(super) fn resource_did3(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open("did", &[]);
        self.optional("unittitle", text(resource, "title"));
        self.xml.plain("unitid", &[], &identifier(resource));
        self.arks(resource);
        self.own_uri(resource);
        if let Some(name) = text(&repository.record, "name") {
            self.xml.open("repository", &[]);
            self.name("corpname", &[], name);
            self.xml.close("repository");
        }
        self.languages3(resource);
        self.containers(resource);
        self.extents3(resource);
        self.dates3(resource);
        self.did_notes3(resource);
        self.origination(resource);
        self.external_ids(resource);
        self.digital_objects3(resource);
        self.xml.close("did");
    }

    pub(super) fn component_did3(&mut self, record: &Json) {
        self.xml.open("did", &[]);
        self.optional("unittitle", text(record, "title"));
        self.arks(record);
        self.own_uri(record);
        if let Some(id) = text(record, "component_id") {
            self.xml.plain("unitid", &[], id);
        }
        self.external_ids(record);
        self.origination(record);
        self.extents3(record);
        self.dates3(record);
        self.did_notes3(record);
        self.languages3(record);
        self.containers(record);
        self.digital_objects3(record);
        self.xml.close("did");
    }

    fn extents3(&mut self, record: &Json) {
        for extent in list(record, "extents") {
            if !self.shows(extent) {
                continue;
            }
            let kind = text(extent, "extent_type");
            let counted = EXTENT_TYPES.iter().find(|(name, _)| Some(*name) == kind).map(|(_, counted)| *counted);
            let attributes = [
                ("coverage", text(extent, "portion")),
                ("audience", audience(extent)),
                ("physdescstructuredtype", counted.or(Some("spaceoccupied"))),
            ];
            // The schema wants to be told what other type it is, which the unit tells best.
            let other = kind.filter(|_| counted == Some("otherphysdescstructuredtype"));
            let attributes = [&attributes[..], &[("otherphysdescstructuredtype", other)]].concat();
            self.xml.open("physdescstructured", &attributes);
            if let Some(number) = text(extent, "number") {
                self.xml.plain("quantity", &[], number);
            }
            if let Some(kind) = kind {
                let label = self.label("extent_extent_type", kind).to_owned();
                self.xml.plain("unittype", &[], &label);
            }
            self.optional("physfacet", text(extent, "physical_details"));
            self.optional("dimensions", text(extent, "dimensions"));
            self.xml.close("physdescstructured");
            if let Some(summary) = text(extent, "container_summary") {
                self.mixed("physdesc", &[("localtype", Some("container_summary"))], summary);
            }
        }
    }

    fn dates3(&mut self, record: &Json) {
        for date in list(record, "dates") {
            if !self.shows(date) {
                continue;
            }
            let kind = text(date, "date_type").map(|kind| if kind == "bulk" { "bulk" } else { "inclusive" });
            let attributes = [
                ("certainty", text(date, "certainty")),
                ("era", text(date, "era")),
                ("calendar", text(date, "calendar")),
                ("audience", audience(date)),
                ("datechar", text(date, "label")),
                ("unitdatetype", kind),
            ];
            let (begin, end, expression) = (text(date, "begin"), text(date, "end"), text(date, "expression"));
            if begin.is_some() || end.is_some() {
                self.xml.open("unitdatestructured", &attributes);
                if let Some(begin) = begin.filter(|_| text(date, "date_type") == Some("single")) {
                    self.xml.plain("datesingle", &[("standarddate", Some(begin))], expression.unwrap_or(begin));
                } else {
                    self.xml.open("daterange", &[]);
                    for (element, day) in [("fromdate", begin), ("todate", end)] {
                        if let Some(day) = day {
                            self.xml.plain(element, &[("standarddate", Some(day))], day);
                        }
                    }
                    self.xml.close("daterange");
                }
                self.xml.close("unitdatestructured");
            }
            let said = text(date, "date_type") == Some("single") && begin.is_some() && end.is_none();
            if let Some(expression) = expression.filter(|_| !said) {
                self.mixed("unitdate", &attributes, expression);
            }
        }
    }

    fn did_notes3(&mut self, record: &Json) {
        for note in list(record, "notes") {
            let Some(kind) = text(note, "type").filter(|kind| DID_NOTES.contains(kind)) else { continue };
            if !self.shows(note) {
                continue;
            }
            let element = if matches!(kind, "dimensions" | "physfacet") { "physdesc" } else { kind };
            let label = text(note, "label").filter(|_| matches!(element, "physdesc" | "physloc"));
            let id = text(note, "persistent_id").map(prefixed);
            let attributes = [("audience", audience(note)), ("id", id.as_deref()), ("label", label)];
            let content = self.note_text(note);
            if kind == "langmaterial" {
                self.xml.open(element, &attributes);
                self.mixed("language", &[], &content);
                self.xml.close(element);
            } else {
                self.mixed(element, &attributes, &content);
            }
        }
    }

    fn languages3(&mut self, record: &Json) {
        let materials = list(record, "lang_materials");
        if materials.is_empty() {
            return;
        }
        self.xml.open("langmaterial", &[]);
        let mut coded = false;
        for language in materials.iter().filter_map(|material| material.get("language_and_script")) {
            coded = true;
            let code = text(language, "language").unwrap_or_default();
            let label = self.label("language_iso639_2", code).to_owned();
            let script = text(language, "script");
            if script.is_some() {
                self.xml.open("languageset", &[]);
            }
            self.xml.plain("language", &[("langcode", Some(code))], &label);
            if let Some(script) = script {
                let label = self.label("script_iso15924", script).to_owned();
                self.xml.plain("script", &[("scriptcode", Some(script))], &label);
                self.xml.close("languageset");
            }
        }
        let notes = materials.iter().flat_map(|material| list(material, "notes")).filter(|note| self.shows(note));
        let mut contents: VecDeque<String> =
            notes.map(|note| self.note_text(note)).filter(|content| !content.is_empty()).collect();
        // A note alone is not allowed; the first is the language then.
        if !coded {
            self.mixed("language", &[], &contents.pop_front().unwrap_or_default());
        }
        // There is one for all.
        if !contents.is_empty() {
            self.xml.open("descriptivenote", &[]);
            contents.iter().for_each(|content| self.content("descriptivenote", content, true));
            self.xml.close("descriptivenote");
        }
        self.xml.close("langmaterial");
    }

    fn digital_objects3(&mut self, record: &Json) {
        if !self.options.include_daos {
            return;
        }
        let linked = self.options.linked.clone();
        for instance in list(record, "instances") {
            let Some(object) = instance.get("digital_object").and_then(|link| linked.record(link)) else { continue };
            if !self.shows(object) || is(object, "suppressed", true) {
                continue;
            }
            let representative = is(instance, "is_representative", true);
            let files = list(object, "file_versions");
            let set = representative && files.len() > 1;
            if set {
                self.xml.open("daoset", &[("linkrole", Some("representative"))]);
            }
            if files.is_empty() {
                self.dao3(object, None, false);
            }
            for file in files {
                self.dao3(object, Some(file), representative);
            }
            if set {
                self.xml.close("daoset");
            }
        }
    }

    /// A digital object as one of its files, or by its identifier.
    fn dao3(&mut self, object: &Json, file: Option<&Json>, representative: bool) {
        let of_file = |key| file.and_then(|file| text(file, key));
        let small = |key, usual: &str| of_file(key).map_or(usual.to_owned(), str::to_lowercase);
        let (actuate, show) = (small("xlink_actuate_attribute", "onrequest"), small("xlink_show_attribute", "new"));
        let used = of_file("use_statement");
        let role =
            representative.then(|| used.map_or("representative".to_owned(), |used| format!("{used} representative")));
        let other = text(object, "digital_object_type");
        let public = is(object, "publish", true) && file.is_none_or(|file| is(file, "publish", true));
        let attributes = [
            ("linktitle", text(object, "title")),
            ("daotype", Some(if other.is_some() { "otherdaotype" } else { "unknown" })),
            ("otherdaotype", other),
            ("href", of_file("file_uri").or_else(|| text(object, "digital_object_id"))),
            ("actuate", Some(actuate.as_str())),
            ("show", Some(show.as_str())),
            ("localtype", used),
            ("audience", (!public).then_some("internal")),
            ("linkrole", role.as_deref()),
        ];
        self.xml.open("dao", &attributes);
        let content = super::instances::object_description(object);
        self.statement("descriptivenote", Some(content.as_str()).filter(|content| !content.is_empty()));
        self.xml.close("dao");
    }
}
