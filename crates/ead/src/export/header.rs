//! `eadheader` (section 6.1).

use super::{Description, Holder, audience};
use crate::read::{Json, identifier, is, list, text};
use crate::text::raw;

impl Description<'_> {
    pub(super) fn header(&mut self, resource: &Json, repository: &Holder) {
        let open = self.options.include_unpublished || is(resource, "is_finding_aid_status_published", true);
        let status = text(resource, "finding_aid_status").filter(|_| open);
        self.xml.open(
            "eadheader",
            &[
                ("findaidstatus", status),
                ("repositoryencoding", Some("iso15511")),
                ("countryencoding", Some("iso3166-1")),
                ("dateencoding", Some("iso8601")),
                ("langencoding", Some("iso639-2b")),
            ],
        );
        self.eadid(resource, &repository.record);
        self.xml.open("filedesc", &[]);
        self.titles(resource);
        self.statement("editionstmt", text(resource, "finding_aid_edition_statement"));
        self.publication(resource, repository);
        self.statement("seriesstmt", text(resource, "finding_aid_series_statement"));
        if let Some(note) = text(resource, "finding_aid_note") {
            self.xml.open("notestmt", &[]);
            self.statement("note", Some(note));
            self.xml.close("notestmt");
        }
        self.xml.close("filedesc");
        self.profile(resource);
        self.revisions(resource);
        self.xml.close("eadheader");
    }

    fn eadid(&mut self, resource: &Json, repository: &Json) {
        let country = text(repository, "country");
        let agency = country.zip(text(repository, "org_code")).map(|(country, code)| format!("{country}-{code}"));
        let ark = resource.get("ark_name").and_then(|ark| text(ark, "current"));
        let attributes = [
            ("countrycode", country),
            ("url", ark.or_else(|| text(resource, "ead_location"))),
            ("mainagencycode", agency.as_deref()),
        ];
        self.xml.plain("eadid", &attributes, text(resource, "ead_id").unwrap_or_default());
    }

    fn titles(&mut self, resource: &Json) {
        self.xml.open("titlestmt", &[]);
        if let Some(filing) = text(resource, "finding_aid_filing_title") {
            self.mixed("titleproper", &[("type", Some("filing"))], filing);
        }
        let own = text(resource, "finding_aid_title");
        self.xml.open("titleproper", &[]);
        self.content("titleproper", own.or_else(|| text(resource, "title")).unwrap_or_default(), false);
        // An import keeps the number in the title; another one beside it would be one more each time. The number is
        // an element of its own, so that a bad title does not take it along.
        if !own.is_some_and(|title| title.contains("<num")) {
            self.xml.text(if own.is_some() { " " } else { "" });
            self.xml.plain("num", &[], &identifier(resource));
        }
        self.xml.close("titleproper");
        for (element, key) in
            [("subtitle", "finding_aid_subtitle"), ("author", "finding_aid_author"), ("sponsor", "finding_aid_sponsor")]
        {
            self.optional(element, text(resource, key));
        }
        self.xml.close("titlestmt");
    }

    pub(super) fn statement(&mut self, element: &str, content: Option<&str>) {
        let Some(content) = content else { return };
        self.xml.open(element, &[]);
        self.content(element, content, true);
        self.xml.close(element);
    }

    fn publication(&mut self, resource: &Json, repository: &Holder) {
        self.xml.open("publicationstmt", &[]);
        self.mixed("publisher", &[], text(&repository.record, "name").unwrap_or_default());
        if let Some(image) = text(&repository.record, "image_url") {
            let link = [
                ("xlink:href", Some(image)),
                ("xlink:actuate", Some("onLoad")),
                ("xlink:show", Some("embed")),
                ("xlink:type", Some("simple")),
            ];
            self.xml.open("p", &[("id", Some("logostmt"))]);
            self.xml.empty("extref", &link);
            self.xml.close("p");
        }
        if let Some(date) = text(resource, "finding_aid_date") {
            self.xml.open("p", &[]);
            self.mixed("date", &[], date);
            self.xml.close("p");
        }
        self.address(repository);
        for declaration in list(resource, "metadata_rights_declarations") {
            if let Some(license) = text(declaration, "license") {
                let label = self.label("metadata_license", license).to_owned();
                self.xml.plain("p", &[], &label);
            }
        }
        self.xml.close("publicationstmt");
    }

    fn address(&mut self, repository: &Holder) {
        let lines = address_lines(repository);
        if lines.is_empty() {
            return;
        }
        self.xml.open("address", &[]);
        for line in &lines {
            self.mixed("addressline", &[], &line.shown);
        }
        if let Some(url) = text(&repository.record, "url") {
            let link = [
                ("xlink:href", Some(url)),
                ("xlink:title", Some(url)),
                ("xlink:type", Some("simple")),
                ("xlink:show", Some("new")),
            ];
            self.xml.open("addressline", &[]);
            self.xml.text("URL: ");
            self.xml.empty("extptr", &link);
            self.xml.close("addressline");
        }
        self.xml.close("address");
    }

    fn profile(&mut self, resource: &Json) {
        self.xml.open("profiledesc", &[]);
        self.xml.open("creation", &[]);
        self.xml.text("This finding aid was produced using ArchivesSpace on ");
        let created = self.options.created.clone();
        self.xml.plain("date", &[], &created);
        self.xml.text(".");
        self.xml.close("creation");
        self.xml.open("langusage", &[]);
        let labels = self.description_language(resource);
        // A note that says no more than the codes is what an import made of them: the codes say it better.
        let note = text(resource, "finding_aid_language_note");
        match note.filter(|note| *note != format!("Description is written in: {labels}.")) {
            Some(note) => self.content("langusage", note, false),
            None => {
                let (language, script) = description_codes(resource);
                self.xml.text("Description is written in: ");
                self.xml.plain("language", &[("langcode", Some(language)), ("scriptcode", Some(script))], &labels);
                self.xml.text(".");
            }
        }
        self.xml.close("langusage");
        if let Some(rules) = text(resource, "finding_aid_description_rules") {
            let label = self.label("resource_finding_aid_description_rules", rules).to_owned();
            self.mixed("descrules", &[], &label);
        }
        self.xml.close("profiledesc");
    }

    fn description_language(&self, resource: &Json) -> String {
        let (language, script) = description_codes(resource);
        format!("{}, {} script", self.label("language_iso639_2", language), self.label("script_iso15924", script))
    }

    fn revisions(&mut self, resource: &Json) {
        let all = self.options.include_unpublished;
        let shown = || list(resource, "revision_statements").iter().filter(|entry| all || is(entry, "publish", true));
        if shown().next().is_none() {
            return;
        }
        self.xml.open("revisiondesc", &[]);
        for entry in shown() {
            let description = text(entry, "description").unwrap_or_default();
            let start = description.trim_start();
            let own = start.starts_with("<change") || start.starts_with("<list");
            if let Some(markup) = own.then(|| raw(description)).flatten() {
                self.xml.raw(&markup);
                continue;
            }
            let hidden = if is(entry, "publish", true) { None } else { audience(entry).or(Some("internal")) };
            self.xml.open("change", &[("audience", hidden)]);
            self.mixed("date", &[], text(entry, "date").unwrap_or_default());
            self.optional("item", Some(description).filter(|description| !description.is_empty()));
            self.xml.close("change");
        }
        self.xml.close("revisiondesc");
    }
}

/// Language and script of the description; a resource always has both.
fn description_codes<'v>(resource: &'v Json) -> (&'v str, &'v str) {
    let code = |key, usual| text(resource, key).unwrap_or(usual);
    (code("finding_aid_language", "und"), code("finding_aid_script", "Zyyy"))
}

/// A line of an address.
pub(super) struct AddressLine {
    /// As EAD 2002 has it: telephone numbers say what they are.
    pub(super) shown: String,
    /// As EAD3 has it.
    pub(super) plain: String,
    /// What EAD3 calls it: the type of telephone number, `email`.
    pub(super) kind: Option<String>,
}

impl AddressLine {
    fn new(text: impl Into<String>, kind: Option<&str>) -> AddressLine {
        let text = text.into();
        AddressLine { shown: text.clone(), plain: text, kind: kind.map(str::to_owned) }
    }
}

/// The address of the repository, from the first contact of its agent.
pub(super) fn address_lines(repository: &Holder) -> Vec<AddressLine> {
    let Some(contact) = repository.agent.as_ref().and_then(|agent| list(agent, "agent_contacts").first()) else {
        return Vec::new();
    };
    let streets = ["address_1", "address_2", "address_3"].iter().filter_map(|key| text(contact, key));
    let mut lines: Vec<AddressLine> = streets.map(|street| AddressLine::new(street, None)).collect();
    let place: Vec<&str> = ["city", "region"].iter().filter_map(|key| text(contact, key)).collect();
    let town = format!("{} {}", place.join(", "), text(contact, "post_code").unwrap_or_default());
    lines.extend(Some(town.trim()).filter(|town| !town.is_empty()).map(|town| AddressLine::new(town, None)));
    for telephone in list(contact, "telephones") {
        let kind = text(telephone, "number_type");
        let extension = text(telephone, "ext").map(|ext| format!(" (Extension: {ext})")).unwrap_or_default();
        let plain = format!("{}{extension}", text(telephone, "number").unwrap_or_default());
        let label = kind.map_or("Telephone".to_owned(), |kind| capitalised(kind) + " Number");
        let kind = Some(kind.unwrap_or("telephone").to_owned());
        lines.push(AddressLine { shown: format!("{label}: {plain}"), plain, kind });
    }
    lines.extend(text(contact, "email").map(|email| AddressLine::new(email, Some("email"))));
    lines
}

/// The word with a capital at its start and small letters after it.
fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars.flat_map(char::to_lowercase)).collect())
        .unwrap_or_default()
}
