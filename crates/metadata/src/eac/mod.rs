//! EAC-CPF of agents (contract 6.8).

mod control;
mod dates;
mod description;
mod identity;
mod notes;
mod relations;

use record_xml::{
    Lists,
    json::text,
    xml::{Attributes, Xml},
};
use serde_json::Value;

/// A record that has the agent: in which role, its address and title.
#[derive(Debug, Clone, Copy)]
pub struct Related<'a> {
    pub role: &'a str,
    pub uri: &'a str,
    pub title: &'a str,
}

/// An EAC-CPF document that is being written: an agent, then the records that have it.
pub struct Eac<'a> {
    writing: Writing<'a>,
    agent: Value,
    site: String,
}

impl<'a> Eac<'a> {
    /// Begins with an agent, its related agents and the subjects and places of its parts resolved. `site` is where readers
    /// find records, before their addresses.
    pub fn begin(agent: Value, lists: &'a dyn Lists, site: String) -> Self {
        let mut writing = Writing { xml: Xml::document(), lists };
        writing.xml.open(
            "eac-cpf",
            &[
                ("xmlns", Some("urn:isbn:1-931666-33-4")),
                ("xmlns:html", Some("http://www.w3.org/1999/xhtml")),
                ("xmlns:xlink", Some("http://www.w3.org/1999/xlink")),
                ("xmlns:xsi", Some("http://www.w3.org/2001/XMLSchema-instance")),
                (
                    "xsi:schemaLocation",
                    Some("urn:isbn:1-931666-33-4 https://eac.staatsbibliothek-berlin.de/schema/cpf.xsd"),
                ),
                ("xml:lang", Some("eng")),
            ],
        );
        writing.control(&agent);
        writing.xml.open("cpfDescription", &[]);
        writing.identity(&agent);
        writing.description(&agent);
        writing.xml.open("relations", &[]);
        writing.resources(&agent);
        writing.agents(&agent, &site);
        Self { writing, agent, site }
    }

    /// Adds a record that has the agent.
    pub fn record(&mut self, related: Related) {
        let (role, address) = (format!("{}Of", related.role), format!("{}{}", self.site, related.uri));
        let attributes = [
            ("resourceRelationType", Some(role.as_str())),
            ("xlink:type", Some("simple")),
            ("xlink:href", Some(address.as_str())),
        ];
        self.writing.xml.open("resourceRelation", &attributes);
        self.writing.xml.plain("relationEntry", &[], related.title);
        self.writing.xml.close("resourceRelation");
    }

    /// Takes what is written so far.
    pub fn written(&mut self) -> &mut Vec<u8> {
        self.writing.xml.written()
    }

    /// Ends the document; returns the rest of it.
    pub fn end(mut self) -> String {
        self.writing.xml.close("relations");
        self.writing.alternative_sets(&self.agent);
        self.writing.xml.close("cpfDescription");
        self.writing.xml.close("eac-cpf");
        self.writing.xml.finish()
    }
}

struct Writing<'a> {
    xml: Xml,
    lists: &'a dyn Lists,
}

impl<'a> Writing<'a> {
    /// An element with a text, if there is one.
    fn put(&mut self, name: &str, attributes: Attributes, content: Option<&str>) {
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            self.xml.plain(name, attributes, content);
        }
    }

    /// A member of a record as an element, if it is there.
    fn member(&mut self, name: &str, record: &Value, member: &str) {
        self.put(name, &[], text(record, member));
    }

    fn descriptive_note(&mut self, content: Option<&str>) {
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            self.xml.open("descriptiveNote", &[]);
            self.xml.plain("p", &[], content);
            self.xml.close("descriptiveNote");
        }
    }

    fn label<'v>(&self, list: &str, value: &'v str) -> &'v str
    where
        'a: 'v,
    {
        self.lists.label(list, value).unwrap_or(value)
    }

    /// A list of parts in an element of its own, if there are any.
    fn within(&mut self, name: &str, parts: &[Value], each: impl Fn(&mut Self, &Value)) {
        if !parts.is_empty() {
            self.xml.open(name, &[]);
            parts.iter().for_each(|part| each(self, part));
            self.xml.close(name);
        }
    }

    fn language_and_script(&mut self, element: &str, record: &Value, note: &str) {
        let (language, script) = (text(record, "language"), text(record, "script"));
        if language.is_none() && script.is_none() && note.is_empty() {
            return;
        }
        self.xml.open(element, &[]);
        let label = language.map(|code| self.label("language_iso639_2", code));
        self.put("language", &[("languageCode", language)], label);
        let label = script.map(|code| self.label("script_iso15924", code));
        self.put("script", &[("scriptCode", script)], label);
        self.descriptive_note(Some(note));
        self.xml.close(element);
    }
}

/// Whether one of the members is there.
fn has_any(record: &Value, members: &[&str]) -> bool {
    members.iter().any(|member| text(record, member).is_some())
}

/// The attributes of a file elsewhere, before others; the time it was seen last comes after them.
fn file_attributes(file: &Value) -> [(&'static str, Option<&str>); 6] {
    [
        ("xlink:href", text(file, "file_uri")),
        ("xlink:actuate", text(file, "file_version_xlink_actuate_attribute")),
        ("xlink:show", text(file, "file_version_xlink_show_attribute")),
        ("xlink:title", text(file, "xlink_title_attribute")),
        ("xlink:role", text(file, "xlink_role_attribute")),
        ("xlink:arcrole", text(file, "xlink_arcrole_attribute")),
    ]
}

/// When a file elsewhere was seen last.
fn verified(file: &Value) -> Option<String> {
    text(file, "last_verified_date").and_then(crate::dates::iso)
}
