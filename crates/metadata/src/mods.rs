//! MODS of digital objects and their components (contract 6.8).

use record_xml::{
    Lists,
    json::{is, list, resolved, text},
    xml::Xml,
};
use serde_json::Value;

use crate::notes::{language_notes, languages, published_text};

/// A MODS document that is being written: a digital object, then a related item for each component.
pub struct Mods {
    xml: Xml,
}

impl Mods {
    /// Begins with a digital object, its agents, subjects and repository (with its agent) resolved.
    pub fn begin(record: &Value, lists: &dyn Lists) -> Self {
        let mut xml = Xml::document();
        xml.open("mods", &[("version", Some("3.4")), ("xmlns", Some("http://www.loc.gov/mods/v3"))]);
        Writing { xml: &mut xml, prefix: "", lists }.description(record);
        Self { xml }
    }

    /// Adds a component.
    pub fn component(&mut self, record: &Value) {
        self.xml.open("relatedItem", &[("type", Some("constituent"))]);
        self.xml.open("titleInfo", &[]);
        self.xml.plain("title", &[], title(record));
        self.xml.close("titleInfo");
        self.xml.close("relatedItem");
    }

    /// Takes what is written so far.
    pub fn written(&mut self) -> &mut Vec<u8> {
        self.xml.written()
    }

    /// Ends the document; returns the rest of it.
    pub fn end(mut self) -> String {
        self.xml.close("mods");
        self.xml.finish()
    }
}

/// MODS within another document, its elements with this prefix.
pub(crate) fn write(xml: &mut Xml, prefix: &str, record: &Value, lists: &dyn Lists) {
    let root = format!("{prefix}mods");
    xml.open(&root, &[("version", Some("3.4"))]);
    Writing { xml, prefix, lists }.description(record);
    xml.close(&root);
}

fn title(record: &Value) -> &str {
    text(record, "title").or(text(record, "display_string")).unwrap_or_default()
}

struct Writing<'a> {
    xml: &'a mut Xml,
    prefix: &'a str,
    lists: &'a dyn Lists,
}

impl Writing<'_> {
    fn open(&mut self, name: &str, attributes: &[(&str, Option<&str>)]) {
        self.xml.open(&format!("{}{name}", self.prefix), attributes);
    }

    fn close(&mut self, name: &str) {
        self.xml.close(&format!("{}{name}", self.prefix));
    }

    /// An element with a text, if there is one.
    fn put(&mut self, name: &str, attributes: &[(&str, Option<&str>)], content: Option<&str>) {
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            self.xml.plain(&format!("{}{name}", self.prefix), attributes, content);
        }
    }

    fn description(&mut self, record: &Value) {
        self.open("titleInfo", &[]);
        self.xml.plain(&format!("{}title", self.prefix), &[], title(record));
        self.close("titleInfo");
        self.put("identifier", &[], text(record, "digital_object_id"));
        let kind = text(record, "digital_object_type");
        let lists = self.lists;
        let label = kind.map(|kind| lists.label("digital_object_digital_object_type", kind).unwrap_or(kind));
        self.put("typeOfResource", &[], label);
        languages(record).for_each(|language| self.language(language));
        for note in language_notes(record) {
            self.note("note", Some("language"), text(note, "label"), &published_text(note, false));
        }
        list(record, "dates").iter().for_each(|date| self.date(date));
        self.physical_description(record);
        list(record, "notes").iter().for_each(|note| self.record_note(note));
        if let Some(repository) = record.get("repository").and_then(resolved) {
            let label = Some("Digital object made available by");
            self.note("note", None, label, &made_available_by(repository));
        }
        list(record, "subjects").iter().filter_map(resolved).for_each(|subject| self.subject(subject));
        for link in list(record, "linked_agents") {
            if let (Some(role), Some(agent)) = (text(link, "role"), resolved(link)) {
                list(agent, "names").iter().for_each(|name| self.agent(role, agent, name));
            }
        }
    }

    fn language(&mut self, language: &Value) {
        let lists = self.lists;
        self.open("language", &[]);
        for (part, element, list, authority) in [
            ("language", "languageTerm", "language_iso639_2", "iso639-2b"),
            ("script", "scriptTerm", "script_iso15924", "iso15924"),
        ] {
            let Some(code) = text(language, part) else { continue };
            let label = lists.label(list, code).unwrap_or(code);
            self.put(element, &[("type", Some("text")), ("authority", Some(authority))], Some(label));
            self.put(element, &[("type", Some("code")), ("authority", Some(authority))], Some(code));
        }
        self.close("language");
    }

    fn note(&mut self, element: &str, kind: Option<&str>, label: Option<&str>, content: &str) {
        self.put(element, &[("type", kind), ("displayLabel", label)], Some(content));
    }

    fn record_note(&mut self, note: &Value) {
        let kind = text(note, "type");
        let (element, shown) = match kind {
            Some("physdesc" | "dimensions") => return,
            Some("accessrestrict") => ("accessCondition", Some("restrictionOnAccess")),
            Some("userestrict") => ("accessCondition", Some("useAndReproduction")),
            Some("legalstatus") => ("accessCondition", kind),
            _ => ("note", kind),
        };
        self.note(element, shown, text(note, "label"), &published_text(note, false));
    }

    /// Extents, with physical details and dimensions of extents and of notes.
    fn physical_description(&mut self, record: &Value) {
        let details = |writing: &mut Self, content: &str| {
            writing.note("note", Some("physical_description"), Some("Physical Details"), content);
        };
        let dimensions =
            |writing: &mut Self, content: &str| writing.note("note", Some("dimensions"), Some("Dimensions"), content);
        self.open("physicalDescription", &[]);
        let extents = list(record, "extents");
        for extent in extents {
            let parts: Vec<&str> = ["number", "extent_type"].iter().filter_map(|part| text(extent, part)).collect();
            self.put("extent", &[], Some(&parts.join(" ")));
        }
        for extent in extents {
            details(self, text(extent, "physical_details").unwrap_or_default());
            dimensions(self, text(extent, "dimensions").unwrap_or_default());
        }
        for note in list(record, "notes").iter().filter(|note| is(note, "publish", true)) {
            match text(note, "type") {
                Some("physdesc") => details(self, &published_text(note, false)),
                Some("dimensions") => dimensions(self, &published_text(note, false)),
                _ => {}
            }
        }
        self.close("physicalDescription");
    }

    fn date(&mut self, date: &Value) {
        let element = match text(date, "label") {
            Some("creation") => "dateCreated",
            Some("digitized") => "dateCaptured",
            Some("copyright") => "copyrightDate",
            Some("modified") => "dateModified",
            Some("broadcast" | "issued" | "publication") => "dateIssued",
            _ => "dateOther",
        };
        let certainty = text(date, "certainty");
        let qualifier =
            ("qualifier", certainty.filter(|value| ["approximate", "inferred", "questionable"].contains(value)));
        if let Some(expression) = text(date, "expression") {
            return self.put(element, &[qualifier], Some(expression));
        }
        for (point, member) in [("start", "begin"), ("end", "end")] {
            let attributes =
                [qualifier, ("encoding", Some("w3cdtf")), ("keyDate", Some("yes")), ("point", Some(point))];
            self.put(element, &attributes, text(date, member));
        }
    }

    fn subject(&mut self, subject: &Value) {
        let terms = list(subject, "terms");
        let element = match terms.first().and_then(|term| text(term, "term_type")) {
            Some("geographic" | "cultural_context") => "geographic",
            Some("temporal") => "temporal",
            Some("uniform_title") => "titleInfo",
            Some("genre_form" | "style_period" | "technique" | "function") => "genre",
            Some("occupation") => "occupation",
            _ => "topic",
        };
        let words: Vec<&str> = terms.iter().filter_map(|term| text(term, "term")).collect();
        self.open("subject", &[("authority", text(subject, "source"))]);
        self.put(element, &[], Some(&words.join(" -- ")));
        self.close("subject");
    }

    fn agent(&mut self, role: &str, agent: &Value, name: &Value) {
        let (kind, parts) = parts_of(text(agent, "jsonmodel_type").unwrap_or_default());
        if role == "subject" {
            self.open("subject", &[]);
        }
        let attributes =
            [("type", kind), ("authority", text(name, "source")), ("valueURI", text(name, "authority_id"))];
        self.open("name", &attributes);
        for (member, kind) in parts {
            self.put("namePart", &[("type", *kind)], text(name, member));
        }
        self.open("role", &[]);
        self.put("roleTerm", &[("type", Some("text")), ("authority", Some("marcrelator"))], Some(role));
        self.close("role");
        self.close("name");
        if role == "subject" {
            self.close("subject");
        }
    }
}

/// The type of a name, and its parts with their types.
type Parts = (Option<&'static str>, &'static [(&'static str, Option<&'static str>)]);

fn parts_of(kind: &str) -> Parts {
    match kind {
        "agent_person" => (
            Some("personal"),
            &[
                ("primary_name", Some("family")),
                ("title", Some("termsOfAddress")),
                ("prefix", Some("termsOfAddress")),
                ("rest_of_name", Some("given")),
                ("suffix", None),
                ("fuller_form", None),
                ("number", None),
            ],
        ),
        "agent_family" => (Some("family"), &[("family_name", Some("family")), ("prefix", Some("termsOfAddress"))]),
        "agent_corporate_entity" => (
            Some("corporate"),
            &[
                ("primary_name", Some("family")),
                ("subordinate_name_1", None),
                ("subordinate_name_2", None),
                ("number", None),
            ],
        ),
        _ => (None, &[("software_name", None), ("version", None), ("manufacturer", None)]),
    }
}

/// The repository's name, the address of its agent, and where it is on the web.
fn made_available_by(repository: &Value) -> String {
    const ADDRESS: [&str; 7] = ["address_1", "address_2", "address_3", "city", "region", "post_code", "country"];
    let agent = repository.get("agent_representation").and_then(resolved);
    let contact = agent.and_then(|agent| list(agent, "agent_contacts").first());
    let address = contact.into_iter().flat_map(|contact| ADDRESS.iter().filter_map(|part| text(contact, part)));
    let parts: Vec<&str> = text(repository, "name").into_iter().chain(address).collect();
    let on_the_web = text(repository, "url").map(|url| format!(" ({url})")).unwrap_or_default();
    parts.join(", ") + &on_the_web
}
