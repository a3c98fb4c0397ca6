//! The text of notes.

use record_xml::json::{is, list, text};
use serde_json::Value;

/// The text of a note: its own content, and of its parts those that are text (`all`), or else those that are published.
pub(crate) fn published_text(note: &Value, all: bool) -> String {
    let parts = list(note, "subnotes")
        .iter()
        .filter(|part| is(part, "publish", true) || (all && text(part, "jsonmodel_type") == Some("note_text")))
        .flat_map(|part| contents(part));
    contents(note).into_iter().chain(parts).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// The text of a note, published or not: its own content, or else that of its parts that are text.
pub(crate) fn whole_text(note: &Value) -> String {
    let own = contents(note);
    if !own.is_empty() {
        return own.join(" ");
    }
    let parts = list(note, "subnotes").iter().filter(|part| text(part, "jsonmodel_type") == Some("note_text"));
    let whole = parts.flat_map(contents).collect::<Vec<_>>().join(" ");
    without_indents(&whole)
}

/// `content`, which is a text or a list of texts.
pub(crate) fn contents(part: &Value) -> Vec<&str> {
    match part.get("content") {
        Some(Value::String(content)) => vec![content],
        Some(Value::Array(contents)) => contents.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// All notes of the language materials.
pub(crate) fn language_notes(record: &Value) -> impl Iterator<Item = &Value> {
    list(record, "lang_materials").iter().flat_map(|material| list(material, "notes"))
}

/// The languages and scripts of the language materials.
pub(crate) fn languages(record: &Value) -> impl Iterator<Item = &Value> {
    list(record, "lang_materials").iter().filter_map(|material| material.get("language_and_script"))
}

fn without_indents(text: &str) -> String {
    text.split('\n')
        .enumerate()
        .map(|(place, line)| if place == 0 { line } else { line.trim_start_matches(' ') })
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_of_notes_are_put_together() {
        let note = json!({"jsonmodel_type": "note_multipart", "subnotes": [
            {"jsonmodel_type": "note_text", "content": "One\n  two", "publish": false},
            {"jsonmodel_type": "note_abstract", "content": ["three"], "publish": true},
            {"jsonmodel_type": "note_text", "content": "four ", "publish": true}]});
        assert_eq!(published_text(&note, false), "three four");
        assert_eq!(published_text(&note, true), "One\n  two three four");
        assert_eq!(whole_text(&note), "One\ntwo four ");
        assert_eq!(whole_text(&json!({"content": ["a", "b"]})), "a b");
    }
}
