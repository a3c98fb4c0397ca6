//! `description`: existence, languages, places, occupations, functions, topics and notes.

use record_xml::json::{list, resolved, text};
use serde_json::Value;

use super::Writing;
use crate::notes::contents;

impl Writing<'_> {
    pub(super) fn description(&mut self, agent: &Value) {
        self.xml.open("description", &[]);
        self.dates_within("existDates", list(agent, "dates_of_existence"));
        self.within("languagesUsed", list(agent, "used_languages"), |writing, language| {
            writing.language_and_script("languageUsed", language, &texts(language));
        });
        for (member, group, element) in [
            ("agent_places", "places", "place"),
            ("agent_occupations", "occupations", "occupation"),
            ("agent_functions", "functions", "function"),
        ] {
            for part in list(agent, member) {
                self.xml.open(group, &[]);
                self.with_subjects(element, None, part);
                self.xml.close(group);
            }
        }
        let (topics, genders) = (list(agent, "agent_topics"), list(agent, "agent_genders"));
        if !topics.is_empty() || !genders.is_empty() {
            self.xml.open("localDescriptions", &[("localType", Some("archivesspace"))]);
            topics.iter().for_each(|topic| self.with_subjects("localDescription", Some("associatedSubject"), topic));
            genders.iter().for_each(|gender| self.gender(gender));
            self.xml.close("localDescriptions");
        }
        self.notes(list(agent, "notes"));
        self.xml.close("description");
    }

    /// An element for each subject of a part, with the part's dates, notes and places.
    fn with_subjects(&mut self, element: &str, kind: Option<&str>, part: &Value) {
        for subject in list(part, "subjects").iter().filter_map(resolved) {
            self.xml.open(element, &[("localType", kind)]);
            if element == "place" {
                let role = text(part, "place_role").map(|role| self.label("place_role", role).to_owned());
                self.put("placeRole", &[], role.as_deref());
                self.put("placeEntry", &[("vocabularySource", text(subject, "source"))], first_term(subject));
            } else {
                self.put("term", &[], first_term(subject));
            }
            list(part, "dates").iter().for_each(|date| self.date(date));
            self.descriptive_note(Some(&texts(part)));
            self.places(part);
            self.xml.close(element);
        }
    }

    /// The places of a part.
    pub(super) fn places(&mut self, part: &Value) {
        for place in list(part, "places").iter().filter_map(resolved) {
            self.put("placeEntry", &[("vocabularySource", text(place, "source"))], first_term(place));
        }
    }

    fn gender(&mut self, gender: &Value) {
        let Some(term) = text(gender, "gender") else { return };
        self.xml.open("localDescription", &[("localType", Some("gender"))]);
        self.xml.plain("term", &[], term);
        list(gender, "dates").iter().for_each(|date| self.date(date));
        self.descriptive_note(Some(&texts(gender)));
        self.xml.close("localDescription");
    }
}

fn first_term(subject: &Value) -> Option<&str> {
    list(subject, "terms").first().and_then(|term| text(term, "term"))
}

/// The notes of a part that are no citations, each in a line.
fn texts(part: &Value) -> String {
    let notes = list(part, "notes").iter().filter(|note| text(note, "jsonmodel_type") != Some("note_citation"));
    notes.flat_map(contents).collect::<Vec<_>>().join("\n")
}
