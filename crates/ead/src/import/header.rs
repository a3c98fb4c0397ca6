//! `eadheader` (section 6.4).

use serde_json::json;

use super::ImportError;
use super::build::{Build, Draft, MISSING, NAME, NOTE};
use super::tree::Element;

/// Fields that are the formatted content of an element of the header.
const FIELDS: [(&[&str], &str); 6] = [
    (&["filedesc", "titlestmt", "subtitle"], "finding_aid_subtitle"),
    (&["filedesc", "titlestmt", "author"], "finding_aid_author"),
    (&["filedesc", "titlestmt", "sponsor"], "finding_aid_sponsor"),
    (&["filedesc", "editionstmt"], "finding_aid_edition_statement"),
    (&["filedesc", "seriesstmt"], "finding_aid_series_statement"),
    (&["profiledesc", "descrules"], "finding_aid_description_rules"),
];

impl Build<'_> {
    pub(super) fn header(&mut self, draft: &mut Draft, header: &Element) -> Result<(), ImportError> {
        if let Some(status) = header.attribute("findaidstatus") {
            draft.set("finding_aid_status", self.value("resource_finding_aid_status", status));
        }
        if let Some(eadid) = header.child("eadid") {
            self.field(draft, eadid, "ead_id", eadid.plain(), NAME)?;
            let url = eadid.attribute("url").unwrap_or_default().to_owned();
            self.field(draft, eadid, "ead_location", url, NAME)?;
        }
        for (path, key) in FIELDS {
            if let Some(element) = at(header, path) {
                self.field(draft, element, key, element.formatted(), NOTE)?;
            }
        }
        if let Some(rules) = draft.text("finding_aid_description_rules").map(str::to_owned) {
            draft.set("finding_aid_description_rules", self.value("resource_finding_aid_description_rules", &rules));
        }
        let titles = at(header, &["filedesc", "titlestmt"]).into_iter().flat_map(Element::elements);
        for title in titles.filter(|child| child.name() == "titleproper") {
            let filing = title.attribute("type") == Some("filing");
            let key = if filing { "finding_aid_filing_title" } else { "finding_aid_title" };
            self.field(draft, title, key, title.formatted(), NOTE)?;
        }
        if let Some(date) = at(header, &["filedesc", "publicationstmt"]).and_then(|statement| find(statement, "date")) {
            self.field(draft, date, "finding_aid_date", date.inner(), NAME)?;
        }
        self.header_notes(draft, header)?;
        self.langusage(draft, header)?;
        self.revisions(draft, header)
    }

    fn field(
        &mut self,
        draft: &mut Draft,
        element: &Element,
        key: &str,
        content: String,
        most: usize,
    ) -> Result<(), ImportError> {
        if !content.is_empty() {
            let content = self.limited(draft, element.line(), key, content, most)?;
            draft.set(key, content);
        }
        Ok(())
    }

    fn header_notes(&mut self, draft: &mut Draft, header: &Element) -> Result<(), ImportError> {
        let Some(statement) = at(header, &["filedesc", "notestmt"]) else { return Ok(()) };
        let notes = statement.elements().filter(|child| child.name() == "note").map(Element::formatted);
        let notes: Vec<String> = notes.filter(|note| !note.is_empty()).collect();
        self.field(draft, statement, "finding_aid_note", notes.join("\n\n"), NOTE)
    }

    fn langusage(&mut self, draft: &mut Draft, header: &Element) -> Result<(), ImportError> {
        let Some(usage) = at(header, &["profiledesc", "langusage"]) else { return Ok(()) };
        let language = find(usage, "language");
        if let Some(language) = language {
            let code = self.listed(draft, language, "language_iso639_2", language.attribute("langcode"))?;
            let script = language.attribute("scriptcode").map(str::to_owned);
            if code.is_some() {
                for (key, value) in [("finding_aid_language", code), ("finding_aid_script", script)] {
                    value.into_iter().for_each(|value| draft.set(key, value));
                }
            }
        }
        self.field(draft, usage, "finding_aid_language_note", usage.escaped_text(), NOTE)
    }

    fn revisions(&mut self, draft: &mut Draft, header: &Element) -> Result<(), ImportError> {
        let changes = header.elements().filter(|child| child.name() == "revisiondesc").flat_map(Element::elements);
        for change in changes.filter(|child| child.name() == "change" && !child.is_blank()) {
            let mut statement = json!({"jsonmodel_type": "revision_statement", "publish": change.published()});
            for (key, name, filler) in [("date", "date", "undated"), ("description", "item", "Revised")] {
                let parts = change.elements().filter(|child| child.name() == name).map(Element::formatted);
                let mut content = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
                if content.is_empty() {
                    let problem = format!("{key}: {MISSING}");
                    self.repair(draft, change.line(), "change", problem, &format!("became `{filler}`"))?;
                    content = filler.to_owned();
                }
                let most = if key == "date" { NAME } else { NOTE };
                statement[key] = self.limited(draft, change.line(), "change", content, most)?.into();
            }
            draft.push("revision_statements", statement);
        }
        Ok(())
    }
}

/// The element at a path of child names.
fn at<'e>(element: &'e Element, path: &[&str]) -> Option<&'e Element> {
    path.iter().try_fold(element, |element, name| element.child(name))
}

/// The first element of this name, at any depth.
fn find<'e>(element: &'e Element, name: &str) -> Option<&'e Element> {
    element.elements().find_map(|child| if child.name() == name { Some(child) } else { find(child, name) })
}
