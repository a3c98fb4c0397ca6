//! Texts of records that describe materials.

use serde_json::{Map, Value};

use super::super::declaration::{Fields, Kind, RecordType};
use super::super::reading::{objects, text};
use super::super::references::chosen;
use super::super::registry::declared;

/// The dates of a record in one line, such as `bulk: 1990, 1991 - 1995`; none if it has no dates.
pub(crate) fn dates_text(record: &Map<String, Value>) -> Option<String> {
    let texts: Vec<_> = objects(record, "dates").map(date_text).collect();
    if texts.is_empty() { None } else { Some(texts.join(", ")) }
}

fn date_text(date: &Map<String, Value>) -> String {
    let dated = match (text(date, "expression"), text(date, "begin"), text(date, "end")) {
        (Some(expression), _, _) => expression.to_owned(),
        (None, Some(begin), Some(end)) => format!("{begin} - {end}"),
        (None, begin, _) => begin.unwrap_or_default().to_owned(),
    };
    if text(date, "date_type") == Some("bulk") { format!("bulk: {dated}") } else { dated }
}

/// The `display_string` of an archival object: its title and dates.
pub(crate) fn archival_object_display_string(record: &Map<String, Value>) -> String {
    let title = text(record, "title").map(str::to_owned);
    title.into_iter().chain(dates_text(record)).collect::<Vec<_>>().join(", ")
}

/// The `display_string` of a digital object component: its title, or else its label, and its dates. Only a title is
/// separated from the dates; clients of ArchivesSpace see a label and dates run together.
pub(crate) fn digital_object_component_display_string(record: &Map<String, Value>) -> String {
    match (text(record, "title"), text(record, "label")) {
        (None, Some(label)) => format!("{label}{}", dates_text(record).unwrap_or_default()),
        _ => archival_object_display_string(record),
    }
}

/// The parts of a resource's or accession's identifier that are used, joined: by `-` where people read it, by `--` in
/// the containers of a collection, by `.` in exports.
pub fn identifier(record: &Map<String, Value>, separator: &str) -> String {
    ["id_0", "id_1", "id_2", "id_3"].iter().filter_map(|part| text(record, part)).collect::<Vec<_>>().join(separator)
}

/// The `display_string` of an accession: its title, or else its identifier.
pub(crate) fn accession_display_string(record: &Map<String, Value>) -> String {
    text(record, "title").map_or_else(|| identifier(record, "-"), str::to_owned)
}

/// The `title` of a subject: its terms. `term` gives the text of a term that the subject has only the URI of.
pub(crate) fn subject_title(record: &Map<String, Value>, term: &dyn Fn(&str) -> Option<String>) -> String {
    let terms = record.get("terms").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = terms.iter().filter_map(|each| match each {
        Value::String(uri) => term(uri),
        Value::Object(map) => text(map, "term").map(str::to_owned),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" -- ")
}

/// The `display_string` of a repository.
pub(crate) fn repository_display_string(record: &Map<String, Value>) -> String {
    format!("{} ({})", text(record, "name").unwrap_or_default(), text(record, "repo_code").unwrap_or_default())
}

/// Gives an archival object without a `ref_id` the one given, which is 32 random hexadecimal digits.
pub(crate) fn fill_ref_id(record: &mut Map<String, Value>, random: &str) {
    record.entry("ref_id").or_insert_with(|| Value::from(random));
}

/// Gives each note in the record that has no `persistent_id` one that `new_id` makes, which are 32 hexadecimal digits.
pub(crate) fn fill_persistent_ids(
    of: &RecordType,
    record: &mut Map<String, Value>,
    new_id: &mut dyn FnMut() -> String,
) {
    fill_fields(&of.fields, record, new_id);
}

fn fill_fields(fields: &Fields, map: &mut Map<String, Value>, new_id: &mut dyn FnMut() -> String) {
    if fields.get("persistent_id").is_some() && !map.contains_key("persistent_id") {
        map.insert("persistent_id".to_owned(), Value::from(new_id()));
    }
    for (name, value) in map {
        if let Some(property) = fields.get(name) {
            fill_value(&property.kind, value, new_id);
        }
    }
}

fn fill_value(kind: &Kind, value: &mut Value, new_id: &mut dyn FnMut() -> String) {
    match (kind, value) {
        (Kind::Fields(fields), Value::Object(map)) => fill_fields(fields, map, new_id),
        (Kind::Record(name), Value::Object(map)) => fill_fields(&declared(name).fields, map, new_id),
        (Kind::AnyOf(kinds), Value::Object(map)) => {
            if let Some(of) = chosen(kinds, map) {
                fill_fields(&of.fields, map, new_id);
            }
        }
        (Kind::Array { of, .. }, Value::Array(items)) => items.iter_mut().for_each(|item| fill_value(of, item, new_id)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::registry::record_type;
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { panic!("an object is needed") };
        map
    }

    #[test]
    fn a_component_is_shown_by_title_and_dates() {
        let dates = json!([
            {"date_type": "single", "begin": "1990"},
            {"date_type": "bulk", "begin": "1991", "end": "1995"},
            {"date_type": "inclusive", "expression": "about 1996", "begin": "1996"},
        ]);
        let text = "1990, bulk: 1991 - 1995, about 1996";
        let cases = [
            (json!({"title": "Letters", "dates": dates}), format!("Letters, {text}"), format!("Letters, {text}")),
            (json!({"dates": dates}), text.to_owned(), text.to_owned()),
            (json!({"title": "Letters", "dates": []}), "Letters".to_owned(), "Letters".to_owned()),
            (json!({"label": "1r", "dates": []}), String::new(), "1r".to_owned()),
            (json!({"label": "1r", "dates": dates}), text.to_owned(), format!("1r{text}")),
        ];
        for (record, object, component) in cases {
            let record = map(record);
            assert_eq!(archival_object_display_string(&record), object);
            assert_eq!(digital_object_component_display_string(&record), component);
        }
    }

    #[test]
    fn an_accession_is_shown_by_title_or_identifier() {
        let record = map(json!({"id_0": "2010", "id_1": "7"}));
        assert_eq!(accession_display_string(&record), "2010-7");
        assert_eq!(accession_display_string(&map(json!({"id_0": "2010", "title": "Gift"}))), "Gift");
    }

    #[test]
    fn a_ref_id_is_given_once() {
        let mut record = Map::new();
        fill_ref_id(&mut record, "0a");
        fill_ref_id(&mut record, "0b");
        assert_eq!(record["ref_id"], "0a");
    }

    #[test]
    fn notes_without_an_identifier_get_one() {
        let mut record = map(json!({"notes": [
            {"jsonmodel_type": "note_singlepart", "persistent_id": "kept"},
            {"jsonmodel_type": "note_multipart", "subnotes": [{"jsonmodel_type": "note_text", "content": "x"}]},
        ], "lang_materials": [{"notes": [{"jsonmodel_type": "note_langmaterial"}]}]}));
        let mut count = 0;
        let mut new_id = || {
            count += 1;
            format!("id{count}")
        };
        let of = record_type("resource").unwrap();
        fill_persistent_ids(of, &mut record, &mut new_id);
        let once = record.clone();
        fill_persistent_ids(of, &mut record, &mut new_id);
        assert_eq!(record, once);
        assert_eq!(record["notes"][0]["persistent_id"], "kept");
        assert_eq!(record["notes"][1]["persistent_id"], "id1");
        assert_eq!(record["notes"][1]["subnotes"][0].get("persistent_id"), None);
        assert_eq!(record["lang_materials"][0]["notes"][0].get("persistent_id"), Some(&json!("id2")));
    }
}
