//! `control`: the record of the agent.

use record_xml::json::{is, list, text};
use serde_json::Value;

use super::{Writing, file_attributes, has_any, verified};
use crate::dates::iso;

impl Writing<'_> {
    pub(super) fn control(&mut self, agent: &Value) {
        self.xml.open("control", &[]);
        for id in list(agent, "agent_record_identifiers") {
            if is(id, "primary_identifier", true) {
                self.member("recordId", id, "record_identifier");
            } else {
                let kind = [("localType", text(id, "identifier_type"))];
                self.put("otherRecordId", &kind, text(id, "record_identifier"));
            }
        }
        if let Some(control) = list(agent, "agent_record_controls").first() {
            self.record_control(control);
        }
        for declaration in list(agent, "agent_conventions_declarations") {
            self.convention(declaration);
        }
        let events = list(agent, "agent_maintenance_histories");
        self.within("maintenanceHistory", events, |writing, event| writing.maintenance_event(event));
        self.within("sources", list(agent, "agent_sources"), |writing, source| {
            writing.linked_file("source", "sourceEntry", source, "source_entry");
        });
        for declaration in list(agent, "metadata_rights_declarations") {
            self.rights(declaration);
        }
        self.xml.close("control");
    }

    fn record_control(&mut self, control: &Value) {
        let status = text(control, "maintenance_status").map(|status| match status {
            "upgraded" | "revised_corrected" => "revised",
            "cancelled_obsolete" => "cancelled",
            "deleted_split" => "deletedSplit",
            "deleted_replaced" => "deletedReplaced",
            "deleted_merged" => "deletedMerged",
            other => other,
        });
        self.put("maintenanceStatus", &[], status);
        self.member("publicationStatus", control, "publication_status");
        if has_any(control, &["maintenance_agency", "agency_name", "maintenance_agency_note"]) {
            self.xml.open("maintenanceAgency", &[]);
            self.member("agencyName", control, "agency_name");
            self.descriptive_note(text(control, "maintenance_agency_note"));
            self.xml.close("maintenanceAgency");
        }
        let note = text(control, "language_note").unwrap_or_default();
        self.language_and_script("languageDeclaration", control, note);
    }

    fn convention(&mut self, declaration: &Value) {
        if !has_any(declaration, &["name_rule", "citation", "descriptive_note"]) {
            return;
        }
        self.xml.open("conventionDeclaration", &[]);
        self.member("abbreviation", declaration, "name_rule");
        let seen = verified(declaration);
        let mut attributes = file_attributes(declaration).to_vec();
        attributes.push(("lastDateTimeVerified", seen.as_deref()));
        self.put("citation", &attributes, text(declaration, "citation"));
        self.descriptive_note(text(declaration, "descriptive_note"));
        self.xml.close("conventionDeclaration");
    }

    fn maintenance_event(&mut self, event: &Value) {
        self.xml.open("maintenanceEvent", &[]);
        self.member("eventType", event, "maintenance_event_type");
        if let Some(time) = text(event, "event_date").and_then(iso) {
            self.xml.empty("eventDateTime", &[("standardDateTime", Some(&time))]);
        }
        self.member("agentType", event, "maintenance_agent_type");
        self.member("agent", event, "agent");
        self.member("eventDescription", event, "descriptive_note");
        self.xml.close("maintenanceEvent");
    }

    /// A file elsewhere with what it is and a note.
    pub(super) fn linked_file(&mut self, element: &str, entry: &str, file: &Value, member: &str) {
        if !has_any(file, &[member, "descriptive_note"]) {
            return;
        }
        let seen = verified(file);
        let mut attributes = file_attributes(file).to_vec();
        attributes.push(("lastDateTimeVerified", seen.as_deref()));
        self.xml.open(element, &attributes);
        self.member(entry, file, member);
        self.descriptive_note(text(file, "descriptive_note"));
        self.xml.close(element);
    }

    fn rights(&mut self, declaration: &Value) {
        let license = text(declaration, "license");
        self.xml.open("rightsDeclaration", &[]);
        self.put("abbr", &[], license);
        let attributes = [
            ("href", text(declaration, "file_uri")),
            ("arcrole", text(declaration, "xlink_arcrole_attribute")),
            ("role", text(declaration, "xlink_role_attribute")),
        ];
        let label = license.map(|license| self.label("metadata_license", license)).unwrap_or_default();
        self.xml.plain("citation", &attributes, label);
        self.descriptive_note(text(declaration, "descriptive_note"));
        self.xml.close("rightsDeclaration");
    }
}
