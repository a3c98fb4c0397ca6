//! What follows for an agent from its names.

use std::cmp::Reverse;

use serde_json::{Map, Value};

use super::super::lists::Labels;
use super::super::reading::{is_true, items, objects, text};
use super::sort_names::{existence, sort_name};

/// The lists of an agent whose items are published as the agent is.
const PUBLISHED_WITH_AGENT: [&str; 5] =
    ["agent_functions", "agent_occupations", "agent_places", "agent_resources", "agent_topics"];

/// Completes a checked agent before it is saved: one name is authorized and one shown, a name that is there twice goes,
/// sort names are made, and subrecords with subjects are published as the agent is.
pub(crate) fn complete_agent(agent: &mut Map<String, Value>, labels: &dyn Labels) {
    let names = agent.remove("names").map_or_else(Vec::new, |names| match names {
        Value::Array(names) => names,
        _ => Vec::new(),
    });
    let mut names: Vec<_> = names.into_iter().filter_map(as_object).collect();
    flag_one(&mut names);
    let mut names = without_twins(names);
    flag_one(&mut names);
    let existence = existence(agent, labels);
    for name in &mut names {
        let shown = is_true(name, "is_display_name");
        make_sort_names(name, existence.as_deref().filter(|_| shown));
    }
    agent.insert("names".to_owned(), names.into_iter().map(Value::Object).collect());
    publish_with_agent(agent);
}

fn as_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

/// Marks the first name as authorized if none is, and the authorized one as shown if none is.
fn flag_one(names: &mut [Map<String, Value>]) {
    if names.is_empty() {
        return;
    }
    let authorized = names.iter().position(|name| is_true(name, "authorized")).unwrap_or(0);
    let shown = names.iter().position(|name| is_true(name, "is_display_name")).unwrap_or(authorized);
    names[authorized].insert("authorized".to_owned(), Value::Bool(true));
    names[shown].insert("is_display_name".to_owned(), Value::Bool(true));
}

/// The names in their order, of each that is there several times only the authorized one, or else the one shown, or
/// else the last.
fn without_twins(names: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    let keys: Vec<_> = names.iter().map(name_identity).collect();
    let mut ranked: Vec<usize> = (0..names.len()).rev().collect();
    ranked.sort_by_key(|place| {
        let name = &names[*place];
        Reverse((is_true(name, "authorized"), is_true(name, "is_display_name")))
    });
    let is_first = |place: usize| {
        let best = ranked.iter().copied().find(|other| keys[*other] == keys[place]);
        best == Some(place)
    };
    let mut kept: Vec<_> = (0..names.len()).filter(|place| is_first(*place)).collect();
    kept.sort_by_key(|place| keys.iter().position(|key| *key == keys[*place]));
    let mut names: Vec<_> = names.into_iter().map(Some).collect();
    kept.into_iter().filter_map(|place| names[place].take()).collect()
}

fn make_sort_names(name: &mut Map<String, Value>, existence: Option<&str>) {
    if is_true(name, "sort_name_auto_generate")
        && let Some(name_type) = text(name, "jsonmodel_type")
    {
        let made = sort_name(name_type, name, existence);
        name.insert("sort_name".to_owned(), Value::from(made));
    }
    for parallel in name.get_mut("parallel_names").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Value::Object(parallel) = parallel {
            make_sort_names(parallel, None);
        }
    }
}

fn publish_with_agent(agent: &mut Map<String, Value>) {
    let publish = agent.get("publish").cloned();
    for list in PUBLISHED_WITH_AGENT {
        for record in agent.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            match (record, &publish) {
                (Value::Object(record), Some(publish)) => {
                    record.insert("publish".to_owned(), publish.clone());
                }
                (Value::Object(record), None) => {
                    record.shift_remove("publish");
                }
                _ => {}
            }
        }
    }
}

/// The `display_name` of an agent: the name that is shown.
pub(crate) fn display_name(agent: &Map<String, Value>) -> Option<&Map<String, Value>> {
    objects(agent, "names").find(|name| is_true(name, "is_display_name"))
}

/// The `title` of an agent.
pub(crate) fn agent_title(agent: &Map<String, Value>) -> Option<&str> {
    display_name(agent).and_then(|name| text(name, "sort_name"))
}

/// A text that two agents of a type share if they count as the same agent: their authorized names, dates of existence,
/// contacts, documents and notes (contract section 4.7).
pub(crate) fn agent_identity(agent: &Map<String, Value>) -> String {
    const CONTACT: [&str; 11] = [
        "name",
        "salutation",
        "address_1",
        "address_2",
        "address_3",
        "city",
        "region",
        "country",
        "post_code",
        "email",
        "email_signature",
    ];
    let mut fields = Vec::new();
    fields
        .extend(objects(agent, "dates_of_existence").map(|date| joined(date, &["date_type_structured", "date_label"])));
    fields.extend(objects(agent, "agent_contacts").map(|contact| joined(contact, &CONTACT)));
    fields.extend(objects(agent, "external_documents").map(|document| joined(document, &["title", "location"])));
    for note in objects(agent, "notes") {
        let mut note = note.clone();
        note.shift_remove("publish");
        note.shift_remove("persistent_id");
        fields.push(Value::Object(note).to_string());
    }
    fields.extend(objects(agent, "names").filter(|name| is_true(name, "authorized")).flat_map(name_fields));
    fields.sort();
    fields.join("-")
}

fn name_identity(name: &Map<String, Value>) -> String {
    let mut fields = name_fields(name);
    fields.sort();
    fields.join("-")
}

fn name_fields(name: &Map<String, Value>) -> Vec<String> {
    let own: &[&str] = match text(name, "jsonmodel_type") {
        Some("name_person") => {
            &["primary_name", "title", "name_order", "prefix", "rest_of_name", "suffix", "fuller_form", "number"]
        }
        Some("name_family") => &["family_name", "prefix"],
        Some("name_corporate_entity") => &["primary_name", "subordinate_name_1", "subordinate_name_2", "number"],
        _ => &["software_name", "version", "manufacturer"],
    };
    let properties = [&["dates", "qualifier", "source", "rules"], own].concat();
    let dates = items(name, "use_dates").iter().filter_map(Value::as_object);
    let mut fields: Vec<_> = dates.map(|date| joined(date, &["date_type_structured", "date_label"])).collect();
    fields.push(joined(name, &properties));
    fields
}

fn joined(record: &Map<String, Value>, properties: &[&str]) -> String {
    properties.iter().map(|property| text(record, property).unwrap_or(" ")).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::super::lists::StartingLists;
    use super::*;

    fn completed(agent: Value) -> Map<String, Value> {
        let mut agent = as_object(agent).unwrap();
        complete_agent(&mut agent, &StartingLists);
        agent
    }

    fn family(name: &str, flags: Value) -> Value {
        let mut record = json!({"jsonmodel_type": "name_family", "family_name": name, "sort_name_auto_generate": true});
        let flags = as_object(flags).unwrap();
        flags.into_iter().for_each(|(flag, value)| record[flag] = value);
        record
    }

    #[test]
    fn the_first_name_is_authorized_and_shown_if_none_is() {
        let agent = completed(json!({"names": [family("A", json!({})), family("B", json!({}))]}));
        assert_eq!(
            (&agent["names"][0]["authorized"], &agent["names"][0]["is_display_name"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(agent["names"][1].get("authorized"), None);
        assert_eq!(agent_title(&agent), Some("A"));
        let agent = completed(json!({"names": [family("A", json!({})), family("B", json!({"authorized": true}))]}));
        assert_eq!((agent_title(&agent), agent["names"][0].get("is_display_name")), (Some("B"), None));
    }

    #[test]
    fn a_name_that_is_there_twice_goes() {
        let names = json!([
            family("A", json!({})),
            family("B", json!({})),
            family("A", json!({"authorized": true})),
            family("A", json!({"is_display_name": true})),
        ]);
        let agent = completed(json!({"names": names}));
        let kept: Vec<_> = objects(&agent, "names").map(|name| text(name, "family_name").unwrap()).collect();
        assert_eq!(kept, ["A", "B"]);
        assert_eq!(
            (&agent["names"][0]["authorized"], &agent["names"][0]["is_display_name"]),
            (&json!(true), &json!(true))
        );
    }

    #[test]
    fn only_the_name_that_is_shown_has_the_years() {
        let name = |name: &str| {
            json!({
                "jsonmodel_type": "name_person", "name_order": "inverted", "primary_name": name,
                "sort_name_auto_generate": true,
                "parallel_names": [{
                    "jsonmodel_type": "parallel_name_person", "name_order": "direct", "primary_name": "C",
                    "sort_name_auto_generate": true,
                }],
            })
        };
        let date = json!({"date_type_structured": "single", "structured_date_single": {"date_standardized": "1815"}});
        let mut kept = name("B");
        kept["sort_name_auto_generate"] = json!(false);
        kept["sort_name"] = json!("as written");
        let agent = completed(json!({"names": [name("A"), name("D"), kept], "dates_of_existence": [date]}));
        let sorted: Vec<_> = objects(&agent, "names").map(|name| text(name, "sort_name").unwrap()).collect();
        assert_eq!(sorted, ["A (1815)", "D", "as written"]);
        assert_eq!(agent["names"][0]["parallel_names"][0]["sort_name"], "C");
    }

    #[test]
    fn what_has_subjects_is_published_with_the_agent() {
        let agent = completed(json!({"publish": true, "agent_places": [{"publish": false}], "agent_topics": [{}]}));
        assert_eq!(
            (&agent["agent_places"][0]["publish"], &agent["agent_topics"][0]["publish"]),
            (&json!(true), &json!(true))
        );
        assert_eq!(completed(json!({"agent_places": [{"publish": true}]}))["agent_places"][0].get("publish"), None);
    }

    #[test]
    fn agents_are_the_same_by_what_tells_them_apart() {
        let agent = |name: &str, note: &str| {
            let note = json!({"jsonmodel_type": "note_bioghist", "label": "x", "persistent_id": note});
            agent_identity(&completed(json!({"names": [family(name, json!({}))], "notes": [note]})))
        };
        assert_eq!(agent("A", "1"), agent("A", "2"));
        assert_ne!(agent("A", "1"), agent("B", "1"));
    }
}
