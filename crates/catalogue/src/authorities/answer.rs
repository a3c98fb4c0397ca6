//! The form of results: what lists show of a heading, or everything that is searched.

use authorities::headings::Standing;
use serde_json::{Map, Value, json};

use super::document::{NO_FILE, OTHER};

/// Members of a record that all its headings have in common.
const COMMON: &[&str] = &["subjectHeadings", "identifiers", "notes", "metadata"];

/// A heading as it was indexed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row(Map<String, Value>);

impl Row {
    pub(super) fn of(stored: Map<String, Value>) -> Self {
        Self(stored)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The id of its authority.
    pub(super) fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    /// Its text; a record without headings has none.
    pub(super) fn heading(&self) -> Option<&str> {
        self.text("text")
    }

    /// Whether titles are counted that have it.
    pub(super) fn is_decided(&self) -> bool {
        self.text("standing") == Some(Standing::Authorized.name())
    }

    /// The heading as clients see it, with the number of its titles, and with all of its record if that is given.
    pub(super) fn shown(&self, tenant: &str, titles: Option<usize>, record: Option<&Value>) -> Value {
        let mut shown = Map::new();
        for (name, value) in [("id", Some(self.id())), ("tenantId", Some(tenant))] {
            shown.insert(name.to_owned(), value.into());
        }
        shown.insert("shared".to_owned(), false.into());
        for (name, value) in [
            ("headingType", Some(self.text("kind").unwrap_or(OTHER))),
            ("authRefType", self.text("standing")),
            ("headingRef", self.heading()),
            ("sourceFileId", Some(self.text("file").unwrap_or(NO_FILE))),
            ("naturalId", self.text("number")),
        ] {
            if let Some(value) = value {
                shown.insert(name.to_owned(), value.into());
            }
        }
        if let Some(titles) = titles {
            shown.insert("numberOfTitles".to_owned(), titles.into());
        }
        if let Some(record) = record {
            if let (Some(member), Some(heading)) = (self.text("member"), self.heading()) {
                let value = if self.is_decided() { json!(heading) } else { json!([heading]) };
                shown.insert(member.to_owned(), value);
            }
            for name in COMMON {
                if let Some(value) = record.get(*name) {
                    shown.insert((*name).to_owned(), value.clone());
                }
            }
        }
        Value::Object(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_brief_or_full() {
        let row = |standing: &str| {
            let stored = json!({"id": "1", "member": "sftTopicalTerm", "text": "Maps", "kind": "Topical", "standing": standing,
                "number": "sh1"});
            Row::of(stored.as_object().cloned().unwrap_or_default())
        };
        assert_eq!(
            row("Authorized").shown("diku", Some(2), None),
            json!({"id": "1", "tenantId": "diku", "shared": false, "headingType": "Topical", "authRefType": "Authorized",
                "headingRef": "Maps", "sourceFileId": "NULL", "naturalId": "sh1", "numberOfTitles": 2})
        );
        let record = json!({"source": "MARC", "subjectHeadings": "a", "identifiers": [{"value": "x"}]});
        let full = row("Reference").shown("diku", None, Some(&record));
        assert_eq!(full["sftTopicalTerm"], json!(["Maps"]));
        assert_eq!((&full["subjectHeadings"], &full["identifiers"][0]["value"]), (&json!("a"), &json!("x")));
        assert_eq!((full.get("source"), full.get("numberOfTitles")), (None, None));
        let bare = Row::of(json!({"id": "1", "number": "n1"}).as_object().cloned().unwrap_or_default());
        assert_eq!(
            bare.shown("diku", None, None),
            json!({"id": "1", "tenantId": "diku", "shared": false, "headingType": "Other", "sourceFileId": "NULL",
                "naturalId": "n1"})
        );
    }
}
