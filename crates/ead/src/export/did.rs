//! `did`: identification of a resource or component (section 6.2).

use super::{Description, Holder, audience, prefixed};
use crate::read::{Json, identifier, list, text};

/// Notes that stand in the `did`.
pub(super) const DID_NOTES: [&str; 7] =
    ["abstract", "dimensions", "physdesc", "langmaterial", "physloc", "materialspec", "physfacet"];

impl Description<'_> {
    pub(super) fn resource_did(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open("did", &[]);
        if let Some(name) = text(&repository.record, "name") {
            self.xml.open("repository", &[]);
            self.mixed("corpname", &[], name);
            self.xml.close("repository");
        }
        self.optional("unittitle", text(resource, "title"));
        self.origination(resource);
        self.xml.plain("unitid", &[], &identifier(resource));
        self.external_ids(resource);
        self.arks(resource);
        self.own_uri(resource);
        self.physical(resource);
        self.containers(resource);
        self.xml.close("did");
    }

    pub(super) fn component_did(&mut self, record: &Json) {
        self.xml.open("did", &[]);
        self.optional("unittitle", text(record, "title"));
        if let Some(id) = text(record, "component_id") {
            self.xml.plain("unitid", &[], id);
        }
        self.arks(record);
        self.own_uri(record);
        self.external_ids(record);
        self.origination(record);
        self.physical(record);
        self.containers(record);
        if self.options.include_daos {
            self.digital_objects(record);
        }
        self.xml.close("did");
    }

    fn physical(&mut self, record: &Json) {
        self.extents(record);
        self.dates(record);
        self.did_notes(record);
        self.languages(record);
    }

    pub(super) fn external_ids(&mut self, record: &Json) {
        if !self.options.include_unpublished {
            return;
        }
        for id in list(record, "external_ids") {
            let value = text(id, "external_id").unwrap_or_default();
            let attributes = [
                ("audience", Some("internal")),
                (self.type_attribute(), text(id, "source")),
                ("identifier", Some(value)),
            ];
            self.xml.plain("unitid", &attributes, value);
        }
    }

    pub(super) fn arks(&mut self, record: &Json) {
        let Some(arks) = record.get("ark_name") else { return };
        let current = text(arks, "current").map(|ark| ("ark", ark, "Archival Resource Key"));
        let previous = list(arks, "previous").iter().filter_map(Json::as_str);
        let previous = previous.map(|ark| ("ark-superseded", ark, "Previous Archival Resource Key"));
        for (kind, ark, label) in current.into_iter().chain(previous) {
            self.xml.open("unitid", &[(self.type_attribute(), Some(kind))]);
            if self.ead3() {
                let link = [("href", Some(ark)), ("actuate", Some("onload")), ("show", Some("new"))];
                self.xml.plain("ref", &link, label);
            } else {
                let link = [("xlink:href", Some(ark)), ("xlink:actuate", Some("onLoad")), ("xlink:show", Some("new"))];
                self.xml.plain("extref", &link, label);
            }
            self.xml.close("unitid");
        }
    }

    pub(super) fn own_uri(&mut self, record: &Json) {
        if let Some(uri) = text(record, "uri").filter(|_| self.options.include_uris) {
            self.xml.plain("unitid", &[(self.type_attribute(), Some("aspace_uri"))], uri);
        }
    }

    /// What the attribute for one's own kinds of things is called.
    pub(super) fn type_attribute(&self) -> &'static str {
        if self.ead3() { "localtype" } else { "type" }
    }

    fn extents(&mut self, record: &Json) {
        for extent in list(record, "extents") {
            if !self.shows(extent) {
                continue;
            }
            self.xml.open("physdesc", &[("altrender", text(extent, "portion")), ("audience", audience(extent))]);
            if let Some((number, kind)) = text(extent, "number").zip(text(extent, "extent_type")) {
                let size = format!("{number} {}", self.label("extent_extent_type", kind));
                self.mixed("extent", &[("altrender", Some("materialtype spaceoccupied"))], &size);
            }
            if let Some(summary) = text(extent, "container_summary") {
                self.mixed("extent", &[("altrender", Some("carrier"))], summary);
            }
            self.optional("physfacet", text(extent, "physical_details"));
            self.optional("dimensions", text(extent, "dimensions"));
            self.xml.close("physdesc");
        }
    }

    fn dates(&mut self, record: &Json) {
        for date in list(record, "dates") {
            if !self.shows(date) {
                continue;
            }
            let normal = normal_date(date);
            let kind = match text(date, "date_type") {
                Some("single") => None,
                Some("inclusive") => Some("inclusive"),
                _ => Some("bulk"),
            };
            let attributes = [
                ("type", kind),
                ("certainty", text(date, "certainty")),
                ("normal", normal.as_deref()),
                ("era", text(date, "era")),
                ("calendar", text(date, "calendar")),
                ("datechar", text(date, "label")),
                ("audience", audience(date)),
            ];
            self.mixed("unitdate", &attributes, &shown_date(date));
        }
    }

    fn did_notes(&mut self, record: &Json) {
        for note in list(record, "notes") {
            let Some(kind) = text(note, "type").filter(|kind| DID_NOTES.contains(kind)) else { continue };
            if !self.shows(note) {
                continue;
            }
            let content = self.note_text(note);
            let id = text(note, "persistent_id").map(prefixed);
            let hidden = ("audience", audience(note));
            let label = text(note, "label").filter(|_| !matches!(kind, "langmaterial" | "materialspec"));
            if matches!(kind, "dimensions" | "physfacet") {
                self.xml.open("physdesc", &[hidden]);
                self.mixed(kind, &[("id", id.as_deref()), ("label", label)], &content);
                self.xml.close("physdesc");
            } else {
                self.mixed(kind, &[("id", id.as_deref()), ("label", label), hidden], &content);
            }
        }
    }

    fn languages(&mut self, record: &Json) {
        let materials = list(record, "lang_materials");
        let notes = materials.iter().flat_map(|material| list(material, "notes"));
        let notes: Vec<&Json> = notes.filter(|note| self.shows(note)).collect();
        let coded: Vec<&Json> = materials.iter().filter_map(|material| material.get("language_and_script")).collect();
        let codes = coded.iter().map(|language| text(language, "language").unwrap_or_default());
        let labels: String = codes.map(|code| self.label("language_iso639_2", code)).collect();
        // A note that says no more than the codes is what an import made of them: the codes say it better.
        let note = match notes[..] {
            [] if coded.is_empty() => return,
            [] => None,
            [note] if !coded.is_empty() && self.note_text(note) == labels => Some(note),
            _ => return notes.into_iter().for_each(|note| self.language_note(note)),
        };
        let id = note.and_then(|note| text(note, "persistent_id")).map(prefixed);
        self.xml.open("langmaterial", &[("id", id.as_deref()), ("audience", note.and_then(audience))]);
        for language in coded {
            let code = text(language, "language").unwrap_or_default();
            let label = self.label("language_iso639_2", code).to_owned();
            self.xml.plain("language", &[("langcode", Some(code)), ("scriptcode", text(language, "script"))], &label);
        }
        self.xml.close("langmaterial");
    }

    fn language_note(&mut self, note: &Json) {
        let id = text(note, "persistent_id").map(prefixed);
        let content = self.note_text(note);
        self.mixed("langmaterial", &[("id", id.as_deref()), ("audience", audience(note))], &content);
    }

    /// The text of a note: its content and its text subnotes, those for the public unless all are asked for.
    pub(super) fn note_text(&self, note: &Json) -> String {
        let content = note.get("content");
        let own =
            content.and_then(Json::as_str).into_iter().chain(list(note, "content").iter().filter_map(Json::as_str));
        let subnotes = list(note, "subnotes").iter().filter(|subnote| self.shows(subnote));
        let texts: Vec<&str> = own.chain(subnotes.filter_map(|subnote| text(subnote, "content"))).collect();
        texts.join(" ").trim().to_owned()
    }
}

/// `begin/end` for `@normal`; a single date or one without an end repeats its begin.
fn normal_date(date: &Json) -> Option<String> {
    let begin = text(date, "begin")?;
    let end = text(date, "end").filter(|_| text(date, "date_type") != Some("single")).unwrap_or(begin);
    Some(format!("{begin}/{end}"))
}

/// The date as readers see it: the expression, else `begin` or `begin-end`.
pub(super) fn shown_date(date: &Json) -> String {
    let begin = text(date, "begin").unwrap_or_default();
    match (text(date, "expression"), text(date, "end")) {
        (Some(expression), _) => expression.to_owned(),
        (None, Some(end)) if end != begin => format!("{begin}-{end}"),
        _ => begin.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_are_shown_and_normalised() {
        for (date, normal, shown) in [
            (json!({"date_type": "single", "begin": "1900"}), Some("1900/1900"), "1900"),
            (json!({"date_type": "single", "begin": "1900", "end": "1901"}), Some("1900/1900"), "1900-1901"),
            (
                json!({"date_type": "inclusive", "begin": "1900", "end": "1910-05"}),
                Some("1900/1910-05"),
                "1900-1910-05",
            ),
            (
                json!({"date_type": "inclusive", "begin": "1900", "expression": "from 1900"}),
                Some("1900/1900"),
                "from 1900",
            ),
            (json!({"date_type": "bulk", "expression": "undated"}), None, "undated"),
            (json!({"date_type": "inclusive", "end": "1910"}), None, "-1910"),
        ] {
            let read = Json::from(&date);
            assert_eq!(normal_date(&read).as_deref(), normal, "{date}");
            assert_eq!(shown_date(&read), shown, "{date}");
        }
    }
}
