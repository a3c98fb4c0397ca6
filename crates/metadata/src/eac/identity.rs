//! `identity`: what the agent is called.

use record_xml::json::{is, list, text};
use serde_json::Value;

use super::Writing;

/// Members of a name, and what its parts are called.
type Parts = &'static [(&'static str, &'static str)];

const PERSON: Parts = &[
    ("primary_name", "surname"),
    ("title", "title"),
    ("prefix", "prefix"),
    ("rest_of_name", "forename"),
    ("suffix", "suffix"),
    ("fuller_form", "fuller_form"),
    ("number", "numeration"),
    ("qualifier", "qualifier"),
    ("dates", "dates"),
];
const FAMILY: Parts = &[
    ("prefix", "prefix"),
    ("family_name", "surname"),
    ("qualifier", "qualifier"),
    ("location", "location"),
    ("dates", "dates"),
    ("family_type", "family_type"),
];
const CORPORATE_ENTITY: Parts = &[
    ("primary_name", "primary_name"),
    ("subordinate_name_1", "subordinate_name_1"),
    ("subordinate_name_2", "subordinate_name_2"),
    ("number", "numeration"),
    ("qualifier", "qualifier"),
    ("location", "location"),
    ("dates", "dates"),
];
const SOFTWARE: Parts = &[("software_name", "software_name"), ("version", "version"), ("manufacturer", "manufacturer")];

impl Writing<'_> {
    pub(super) fn identity(&mut self, agent: &Value) {
        let (kind, parts) = match text(agent, "jsonmodel_type") {
            Some("agent_family") => ("family", FAMILY),
            Some("agent_corporate_entity") => ("corporateBody", CORPORATE_ENTITY),
            Some("agent_software") => ("software", SOFTWARE),
            _ => ("person", PERSON),
        };
        self.xml.open("identity", &[]);
        for id in list(agent, "agent_identifiers") {
            let kind = [("localType", text(id, "identifier_type"))];
            self.put("entityId", &kind, text(id, "entity_identifier"));
        }
        self.xml.plain("entityType", &[], kind);
        for name in list(agent, "names") {
            let parallel = list(name, "parallel_names");
            if parallel.is_empty() {
                self.name(name, parts, false);
                continue;
            }
            self.xml.open("nameEntryParallel", &[]);
            self.name(name, parts, true);
            self.dates_within("useDates", list(name, "use_dates"));
            parallel.iter().for_each(|name| self.name(name, parts, true));
            self.xml.close("nameEntryParallel");
        }
        self.xml.close("identity");
    }

    /// A name; the dates of one with `parallel` names are told beside it.
    fn name(&mut self, name: &Value, parts: Parts, parallel: bool) {
        let attributes = [
            ("xml:lang", text(name, "language")),
            ("scriptCode", text(name, "script")),
            ("transliteration", text(name, "transliteration")),
        ];
        self.xml.open("nameEntry", &attributes);
        for (member, kind) in parts {
            self.put("part", &[("localType", Some(kind))], text(name, member));
        }
        if !parallel {
            self.dates_within("useDates", list(name, "use_dates"));
        }
        let source = text(name, "source");
        self.put("preferredForm", &[], source.filter(|_| parallel && is(name, "is_display_name", true)));
        let form = if is(name, "authorized", true) { "authorizedForm" } else { "alternativeForm" };
        self.put(form, &[], source);
        self.xml.close("nameEntry");
    }
}
