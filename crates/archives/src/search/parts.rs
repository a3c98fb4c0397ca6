//! Documents of parts of records, which are searched for themselves.

use search::document::Document;
use serde_json::{Map, Value, json};

use super::document::{Builder, MANAGEMENT, Names, text};
use crate::model::AUDIT;

impl Builder<'_> {
    /// The document of how the work on a record is managed, which is searched for itself.
    pub(super) fn management(record: &Value, names: &Names, source: &str) -> Option<Document> {
        let part = &record[MANAGEMENT];
        let uri = part["uri"].as_str()?;
        let mut of_part = Builder { record: part, names, shown: Map::new(), hidden: Vec::new() };
        let title = ["title", "display_string"].into_iter().find_map(|name| record[name].as_str()).unwrap_or_default();
        for (field, value) in [
            ("id", uri),
            ("uri", uri),
            ("primary_type", MANAGEMENT),
            ("jsonmodel_type", MANAGEMENT),
            ("parent_id", text(record, "/uri")),
            ("parent_type", text(record, "/jsonmodel_type")),
            ("parent_title", title),
            ("title", title),
            ("repository", text(record, "/repository/ref")),
        ] {
            of_part.put(field, value.into());
        }
        of_part.put("types", json!([MANAGEMENT]));
        of_part.put("suppressed", (record["suppressed"] == true).into());
        of_part.hide("title_sort", title.to_owned());
        // Words without a field are looked for there.
        of_part.hide("title_ws", title.to_owned());
        for (field, of_record) in AUDIT {
            of_part.put(field, record[of_record].clone());
        }
        for field in [
            "processing_priority",
            "processing_status",
            "processing_hours_total",
            "processing_funding_source",
            "processors",
        ] {
            of_part.put(field, part[field].clone());
        }
        Some(of_part.document(uri.to_owned(), source))
    }
}
