//! Texts without markup, and what readers may see of notes.

use record_xml::{
    json::{is, list, text},
    xml::without_markup,
};
use serde_json::Value;

use crate::notes::contents;

/// The published texts of a published note: its own, and those of its parts.
pub(super) fn published_texts(note: &Value) -> Vec<String> {
    if !is(note, "publish", true) {
        return Vec::new();
    }
    let own = match text(note, "jsonmodel_type") {
        Some("note_chronology") => vec![chronology(note)],
        Some("note_definedlist") => vec![titled(note, defined(note))],
        Some("note_orderedlist") => {
            let items = list(note, "items").iter().filter_map(Value::as_str).map(without_markup);
            vec![titled(note, items.collect::<Vec<_>>().join("; "))]
        }
        _ => contents(note).into_iter().map(without_markup).collect(),
    };
    let parts = list(note, "subnotes").iter().filter(|_| note.get("content").is_none());
    own.into_iter().filter(|text| !text.is_empty()).chain(parts.flat_map(published_texts)).collect()
}

/// A list with its title before it.
fn titled(note: &Value, content: String) -> String {
    let title = text(note, "title").map(without_markup);
    title.into_iter().chain([content]).collect::<Vec<_>>().join(". ")
}

fn chronology(note: &Value) -> String {
    let items = list(note, "items").iter().map(|item| {
        let events: Vec<String> = list(item, "events").iter().filter_map(Value::as_str).map(without_markup).collect();
        let date = text(item, "event_date").map(str::to_owned);
        date.into_iter().chain([events.join(", ")]).collect::<Vec<_>>().join(", ")
    });
    titled(note, items.collect::<Vec<_>>().join("; "))
}

fn defined(note: &Value) -> String {
    let items = list(note, "items").iter().map(|item| {
        let parts = ["label", "value"].iter().filter_map(|part| text(item, part)).map(without_markup);
        parts.collect::<Vec<_>>().join(": ")
    });
    items.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_published_is_told() {
        let note = json!({"jsonmodel_type": "note_multipart", "publish": true, "subnotes": [
            {"jsonmodel_type": "note_text", "publish": true, "content": "a <emph>b</emph> &amp; c"},
            {"jsonmodel_type": "note_text", "publish": false, "content": "hidden"},
            {"jsonmodel_type": "note_chronology", "publish": true, "title": "Years", "items": [
                {"event_date": "2011", "events": ["X", "Y"]}, {"events": ["A", "B"]}]},
            {"jsonmodel_type": "note_definedlist", "publish": true, "title": "List",
             "items": [{"label": "L", "value": "V"}, {"label": "M", "value": "W"}]},
            {"jsonmodel_type": "note_orderedlist", "publish": true, "items": ["1", "2"]}]});
        let wanted = ["a b & c", "Years. 2011, X, Y; A, B", "List. L: V; M: W", "1; 2"];
        assert_eq!(published_texts(&note), wanted);
        assert!(published_texts(&json!({"publish": false, "content": ["x"]})).is_empty());
        assert_eq!(published_texts(&json!({"publish": true, "content": ["x", "y"]})), ["x", "y"]);
    }
}
