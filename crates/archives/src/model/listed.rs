//! The texts of a record that are taken from value lists.

use serde_json::{Map, Value};

use super::declaration::{Fields, Kind, RecordType};
use super::references::chosen;
use super::registry::{declared, record_types};

/// How often a record has a value of a list, nested parts too.
pub(crate) fn count_listed(of: &RecordType, record: &Map<String, Value>, list: &str, value: &str) -> usize {
    let mut finder = Finder { list, value, replacement: None, found: 0 };
    finder.fields(&of.fields, &mut record.clone());
    finder.found
}

/// Replaces a value of a list in a record, nested parts too; returns how many there were.
pub(crate) fn replace_listed(
    of: &RecordType,
    record: &mut Map<String, Value>,
    list: &str,
    from: &str,
    to: &str,
) -> usize {
    let mut finder = Finder { list, value: from, replacement: Some(to), found: 0 };
    finder.fields(&of.fields, record);
    finder.found
}

/// The properties, of records of any type, whose values are taken from a list, in the order of the declarations.
pub(crate) fn properties_of_list(list: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    record_types().iter().for_each(|of| properties(&of.fields, list, &mut names));
    names
}

fn properties(fields: &'static Fields, list: &str, names: &mut Vec<&'static str>) {
    for property in &fields.properties {
        if takes(&property.kind, list) && !names.contains(&property.name.as_str()) {
            names.push(&property.name);
        }
        if let Kind::Fields(fields) = &property.kind {
            properties(fields, list, names);
        }
    }
}

fn takes(kind: &Kind, list: &str) -> bool {
    match kind {
        Kind::Text(text) => text.list.as_deref() == Some(list),
        Kind::Array { of, .. } => takes(of, list),
        _ => false,
    }
}

/// Where records of all types have values of a list: the type, and a path of JSON that finds the text `$value` there.
pub(crate) fn places_of_list(list: &str) -> Vec<(&'static str, String)> {
    let mut places = Vec::new();
    for of in record_types() {
        let mut found = Vec::new();
        paths(&of.fields, list, "$", &mut vec![&of.name], &mut found);
        places.extend(found.into_iter().map(|path| (of.name.as_str(), path)));
    }
    places
}

/// `within` are the types around; a type within itself has no lists ([`tests`] holds that).
fn paths(fields: &'static Fields, list: &str, at: &str, within: &mut Vec<&'static str>, found: &mut Vec<String>) {
    for property in &fields.properties {
        path(&property.kind, list, &format!("{at}.\"{}\"", property.name), within, found);
    }
}

fn path(kind: &'static Kind, list: &str, at: &str, within: &mut Vec<&'static str>, found: &mut Vec<String>) {
    let mut inner = |name: &'static str, at: &str| {
        if !within.contains(&name) {
            within.push(name);
            paths(&declared(name).fields, list, at, within, found);
            within.pop();
        }
    };
    match kind {
        Kind::Record(name) | Kind::RecordOrUri(name) => inner(name, at),
        Kind::AnyOf(kinds) => {
            for kind in kinds {
                if let Kind::Record(name) = kind {
                    inner(name, &format!("{at} ? (@.\"jsonmodel_type\" == \"{name}\")"));
                }
            }
        }
        Kind::Array { of, .. } => path(of, list, &format!("{at}[*]"), within, found),
        Kind::Fields(fields) => paths(fields, list, at, within, found),
        kind if takes(kind, list) => found.push(format!("{at} ? (@ == $value)")),
        _ => {}
    }
}

struct Finder<'a> {
    list: &'a str,
    value: &'a str,
    replacement: Option<&'a str>,
    found: usize,
}

impl Finder<'_> {
    fn fields(&mut self, fields: &Fields, map: &mut Map<String, Value>) {
        for (name, value) in map {
            if let Some(declared) = fields.get(name) {
                self.value(&declared.kind, value);
            }
        }
    }

    fn value(&mut self, kind: &Kind, value: &mut Value) {
        match (kind, value) {
            (Kind::Text(_), Value::String(text)) if takes(kind, self.list) && text == self.value => {
                self.found += 1;
                if let Some(replacement) = self.replacement {
                    replacement.clone_into(text);
                }
            }
            (Kind::Fields(fields), Value::Object(map)) => self.fields(fields, map),
            (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) => {
                self.fields(&declared(name).fields, map);
            }
            (Kind::AnyOf(kinds), Value::Object(map)) => {
                if let Some(of) = chosen(kinds, map) {
                    self.fields(&of.fields, map);
                }
            }
            (Kind::Array { of, .. }, Value::Array(items)) => items.iter_mut().for_each(|item| self.value(of, item)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::registry::record_type;
    use super::*;

    #[test]
    fn values_are_found_by_the_list_and_not_by_the_property() {
        let of = record_type("resource").expect("a type");
        // `source` of a link is not the `source` of a subject, and a title is no value.
        let record = json!({"title": "volumes", "extents": [{"extent_type": "volumes"}, {"extent_type": "reels"}],
            "instances": [{"jsonmodel_type": "instance", "sub_container": {"type_2": "volumes"}}],
            "deaccessions": [{"extents": [{"extent_type": "volumes"}]}]});
        let mut record = record.as_object().cloned().expect("an object");
        assert_eq!(count_listed(of, &record, "extent_extent_type", "volumes"), 2);
        assert_eq!(count_listed(of, &record, "container_type", "volumes"), 1);
        assert_eq!(count_listed(of, &record, "extent_portion", "volumes"), 0);
        assert_eq!(replace_listed(of, &mut record, "extent_extent_type", "volumes", "leaves"), 2);
        assert_eq!(record["extents"], json!([{"extent_type": "leaves"}, {"extent_type": "reels"}]));
        assert_eq!(record["deaccessions"][0]["extents"][0]["extent_type"], "leaves");
        assert_eq!(
            (&record["title"], &record["instances"][0]["sub_container"]["type_2"]),
            (&json!("volumes"), &json!("volumes"))
        );
    }

    #[test]
    fn a_list_tells_its_places() {
        let places = places_of_list("extent_extent_type");
        let has = |kind: &str, path: &str| places.iter().any(|(of, at)| *of == kind && at == path);
        assert!(has("resource", r#"$."extents"[*]."extent_type" ? (@ == $value)"#), "{places:?}");
        assert!(has("resource", r#"$."deaccessions"[*]."extents"[*]."extent_type" ? (@ == $value)"#), "{places:?}");
        let notes = places_of_list("note_multipart_type");
        let path = r#"$."notes"[*] ? (@."jsonmodel_type" == "note_multipart")."type" ? (@ == $value)"#;
        assert!(notes.iter().any(|(of, at)| *of == "archival_object" && at == path), "{notes:?}");
        assert!(places_of_list("no_such_list").is_empty());
    }

    /// Otherwise a path would miss the values further in.
    #[test]
    fn no_type_within_itself_has_a_list() {
        fn visit(name: &'static str, within: &mut Vec<&'static str>, has_list: &mut bool) {
            fn kinds(kind: &'static Kind, within: &mut Vec<&'static str>, has_list: &mut bool) {
                match kind {
                    Kind::Text(text) => *has_list |= text.list.is_some(),
                    Kind::Array { of, .. } => kinds(of, within, has_list),
                    Kind::Fields(fields) => fields.properties.iter().for_each(|of| kinds(&of.kind, within, has_list)),
                    Kind::Record(name) | Kind::RecordOrUri(name) => visit(name, within, has_list),
                    Kind::AnyOf(all) => all.iter().for_each(|kind| kinds(kind, within, has_list)),
                    _ => {}
                }
            }
            if within.contains(&name) {
                // What is between the type and itself, the type included.
                let mut between = false;
                let from = within.iter().position(|of| *of == name).unwrap_or_default();
                for of in &within[from..] {
                    for property in &declared(of).fields.properties {
                        between |= matches!(&property.kind, Kind::Text(text) if text.list.is_some());
                    }
                }
                assert!(!between, "{name} has a list and is within itself");
                return;
            }
            within.push(name);
            declared(name).fields.properties.iter().for_each(|of| kinds(&of.kind, within, has_list));
            within.pop();
        }
        for of in record_types() {
            visit(&of.name, &mut Vec::new(), &mut false);
        }
    }

    #[test]
    fn a_list_tells_its_properties() {
        assert_eq!(properties_of_list("extent_extent_type"), ["extent_type", "processing_total_extent_type"]);
        assert_eq!(properties_of_list("container_type").len(), 3);
        assert!(properties_of_list("no_such_list").is_empty());
    }
}
