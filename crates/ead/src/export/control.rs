//! `control` of EAD3 (section 6.6): what `eadheader` is in EAD 2002.

use super::header::address_lines;
use super::{Description, Holder};
use crate::read::{Json, identifier, is, list, text};

impl Description<'_> {
    pub(super) fn control(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open(
            "control",
            &[
                ("repositoryencoding", Some("iso15511")),
                ("countryencoding", Some("iso3166-1")),
                ("dateencoding", Some("iso8601")),
                ("relatedencoding", Some("marc")),
                ("langencoding", Some("iso639-2b")),
                ("scriptencoding", Some("iso15924")),
            ],
        );
        let ark = resource.get("ark_name").and_then(|ark| text(ark, "current"));
        let url = ark.or_else(|| text(resource, "ead_location"));
        self.xml.plain("recordid", &[("instanceurl", url)], text(resource, "ead_id").unwrap_or_default());
        self.filedesc3(resource, repository);
        self.xml.empty("maintenancestatus", &[("value", Some("derived"))]);
        self.agency(&repository.record);
        self.language_declaration(resource);
        self.conventions(resource);
        self.rights(resource);
        let open = self.options.include_unpublished || is(resource, "is_finding_aid_status_published", true);
        if let Some(status) = text(resource, "finding_aid_status").filter(|_| open) {
            self.xml.open("localcontrol", &[("localtype", Some("findaidstatus"))]);
            self.xml.plain("term", &[], status);
            self.xml.close("localcontrol");
        }
        self.history(resource);
        self.xml.close("control");
    }

    fn filedesc3(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open("filedesc", &[]);
        self.xml.open("titlestmt", &[]);
        let title = text(resource, "finding_aid_title").or_else(|| text(resource, "title")).unwrap_or_default();
        self.mixed("titleproper", &[], &without_tags(title));
        if let Some(filing) = text(resource, "finding_aid_filing_title") {
            self.mixed("titleproper", &[("localtype", Some("filing"))], filing);
        }
        for (element, key) in
            [("subtitle", "finding_aid_subtitle"), ("author", "finding_aid_author"), ("sponsor", "finding_aid_sponsor")]
        {
            self.optional(element, text(resource, key));
        }
        self.xml.close("titlestmt");
        self.statement("editionstmt", text(resource, "finding_aid_edition_statement"));
        self.publication3(resource, repository);
        self.statement("seriesstmt", text(resource, "finding_aid_series_statement"));
        if let Some(note) = text(resource, "finding_aid_note") {
            self.xml.open("notestmt", &[]);
            self.statement("controlnote", Some(note));
            self.xml.close("notestmt");
        }
        self.xml.close("filedesc");
    }

    fn publication3(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open("publicationstmt", &[]);
        self.mixed("publisher", &[], text(&repository.record, "name").unwrap_or_default());
        self.address3(repository);
        self.optional("date", text(resource, "finding_aid_date"));
        self.xml.plain("num", &[], &identifier(resource));
        if let Some(image) = text(&repository.record, "image_url") {
            self.xml.open("p", &[]);
            self.xml.empty("ptr", &[("href", Some(image)), ("actuate", Some("onload")), ("show", Some("embed"))]);
            self.xml.close("p");
        }
        for declaration in list(resource, "metadata_rights_declarations") {
            if let Some(note) =
                text(declaration, "descriptive_note").filter(|_| text(declaration, "file_uri").is_none())
            {
                self.xml.plain("p", &[], note);
            }
        }
        self.xml.close("publicationstmt");
    }

    fn address3(&mut self, repository: &Holder) {
        let lines = address_lines(repository);
        if lines.is_empty() {
            return;
        }
        self.xml.open("address", &[]);
        for line in &lines {
            self.mixed("addressline", &[("localtype", line.kind.as_deref())], &line.plain);
        }
        if let Some(url) = text(&repository.record, "url") {
            self.xml.open("addressline", &[]);
            self.xml.plain("ref", &[("href", Some(url)), ("linktitle", Some(url)), ("show", Some("new"))], url);
            self.xml.close("addressline");
        }
        self.xml.close("address");
    }

    fn agency(&mut self, repository: &Json) {
        let country = text(repository, "country");
        self.xml.open("maintenanceagency", &[("countrycode", country)]);
        if let Some(code) = text(repository, "org_code") {
            let code = country.map_or(code.to_owned(), |country| format!("{country}-{code}"));
            self.xml.plain("agencycode", &[], &code);
        }
        self.xml.plain("agencyname", &[], text(repository, "name").unwrap_or_default());
        self.xml.close("maintenanceagency");
    }

    fn language_declaration(&mut self, resource: &Json) {
        let Some(language) = text(resource, "finding_aid_language") else { return };
        let script = text(resource, "finding_aid_script").unwrap_or("Zyyy");
        self.xml.open("languagedeclaration", &[]);
        let label = self.label("language_iso639_2", language).to_owned();
        self.xml.plain("language", &[("langcode", Some(language))], &label);
        let label = self.label("script_iso15924", script).to_owned();
        self.xml.plain("script", &[("scriptcode", Some(script))], &label);
        self.statement("descriptivenote", text(resource, "finding_aid_language_note"));
        self.xml.close("languagedeclaration");
    }

    fn conventions(&mut self, resource: &Json) {
        let Some(rules) = text(resource, "finding_aid_description_rules") else { return };
        self.xml.open("conventiondeclaration", &[]);
        self.xml.plain("abbr", &[], rules);
        let label = self.label("resource_finding_aid_description_rules", rules).to_owned();
        self.xml.plain("citation", &[], &label);
        self.xml.close("conventiondeclaration");
    }

    fn rights(&mut self, resource: &Json) {
        for declaration in list(resource, "metadata_rights_declarations") {
            let Some(uri) = text(declaration, "file_uri") else { continue };
            let license = text(declaration, "license");
            let attributes = [
                ("href", Some(uri)),
                ("arcrole", text(declaration, "xlink_arcrole_attribute")),
                ("linkrole", text(declaration, "xlink_role_attribute")),
            ];
            self.xml.open("rightsdeclaration", &[]);
            let label = license.map(|license| self.label("metadata_license", license).to_owned());
            // The schema has the abbreviation before the citation.
            if let Some(license) = license {
                self.xml.plain("abbr", &[], license);
            }
            self.xml.plain("citation", &attributes, label.as_deref().unwrap_or_default());
            self.statement("descriptivenote", text(declaration, "descriptive_note"));
            self.xml.close("rightsdeclaration");
        }
    }

    fn history(&mut self, resource: &Json) {
        self.xml.open("maintenancehistory", &[]);
        let (created, producer) = (self.options.created.clone(), self.options.producer.clone());
        let description = format!("This finding aid was produced using ArchivesSpace on {created}");
        self.maintenance(None, ["derived", &created, "machine", &producer], &description);
        let all = self.options.include_unpublished;
        for entry in list(resource, "revision_statements").iter().filter(|entry| all || is(entry, "publish", true)) {
            let hidden = (!is(entry, "publish", true)).then_some("internal");
            let date = text(entry, "date").unwrap_or_default();
            self.maintenance(hidden, ["revised", date, "unknown", ""], text(entry, "description").unwrap_or_default());
        }
        self.xml.close("maintenancehistory");
    }

    /// An event: its kind, time, kind of agent and agent.
    fn maintenance(&mut self, audience: Option<&str>, [kind, time, agents, agent]: [&str; 4], description: &str) {
        self.xml.open("maintenanceevent", &[("audience", audience)]);
        self.xml.empty("eventtype", &[("value", Some(kind))]);
        self.xml.plain("eventdatetime", &[], time);
        self.xml.empty("agenttype", &[("value", Some(agents))]);
        self.xml.plain("agent", &[], agent);
        self.mixed("eventdescription", &[], description);
        self.xml.close("maintenanceevent");
    }
}

/// The text without anything in angle brackets.
fn without_tags(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let Some((_, after)) = tag.split_once('>') else {
            out.push('<');
            rest = tag;
            break;
        };
        rest = after;
    }
    out + rest
}
