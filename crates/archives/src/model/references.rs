//! The references in a record.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::declaration::{Fields, Kind, RecordType};
use super::registry::declared;
use super::uri::Uri;

/// A `ref` in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The properties that lead to it, such as `linked_agents` or `instances/sub_container/top_container`.
    pub property: String,
    /// Its place among the record's references of that property, from 0.
    pub place: usize,
    /// Where it is in the record, with the places in lists: `instances/0/sub_container/top_container`.
    pub at: String,
    /// The `role` beside the `ref`: what an agent did for the record.
    pub role: Option<String>,
    /// What it points to; in an import this can be a temporary one.
    pub uri: String,
}

impl Reference {
    /// The record it points to, unless the URI is temporary.
    pub fn target(&self) -> Option<Uri> {
        Uri::parse(&self.uri)
    }
}

/// All references in a checked record, nested ones too, in the order of the record. Those that clients only read are
/// left out.
pub fn references(of: &RecordType, record: &Map<String, Value>) -> Vec<Reference> {
    let mut finder = Finder { found: Vec::new(), counts: HashMap::new() };
    finder.fields(&of.fields, record, "", "");
    finder.found
}

struct Finder {
    found: Vec<Reference>,
    counts: HashMap<String, usize>,
}

impl Finder {
    fn fields(&mut self, fields: &Fields, map: &Map<String, Value>, property: &str, at: &str) {
        if fields.targets().is_some()
            && let Some(Value::String(uri)) = map.get("ref")
        {
            let count = self.counts.entry(property.to_owned()).or_default();
            let place = *count;
            *count += 1;
            let role = map.get("role").and_then(Value::as_str).map(str::to_owned);
            let (property, at, uri) = (property.to_owned(), at.to_owned(), uri.clone());
            self.found.push(Reference { property, place, at, role, uri });
        }
        // Most properties are texts or empty lists: nothing is looked up for them.
        for (name, value) in map.iter().filter(|(_, value)| has_parts(value)) {
            if let Some(declared) = fields.get(name).filter(|declared| !declared.read_only) {
                self.value(&declared.kind, value, &joined(property, name), &joined(at, name));
            }
        }
    }

    fn value(&mut self, kind: &Kind, value: &Value, property: &str, at: &str) {
        match (kind, value) {
            (Kind::Fields(fields), Value::Object(map)) => self.fields(fields, map, property, at),
            (Kind::Record(name) | Kind::RecordOrUri(name), Value::Object(map)) => {
                self.fields(&declared(name).fields, map, property, at);
            }
            (Kind::AnyOf(kinds), Value::Object(map)) => {
                if let Some(of) = chosen(kinds, map) {
                    self.fields(&of.fields, map, property, at);
                }
            }
            (Kind::Array { of, .. }, Value::Array(items)) => {
                for (place, item) in items.iter().enumerate() {
                    self.value(of, item, property, &joined(at, &place.to_string()));
                }
            }
            _ => {}
        }
    }
}

fn has_parts(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        value => value.is_object(),
    }
}

/// The record type that the object's `jsonmodel_type` chooses among the kinds.
pub(crate) fn chosen(kinds: &[Kind], map: &Map<String, Value>) -> Option<&'static RecordType> {
    let wanted = map.get("jsonmodel_type")?.as_str()?;
    kinds.iter().find_map(|kind| match kind {
        Kind::Record(name) if name == wanted => Some(declared(name)),
        _ => None,
    })
}

/// A slash path with one more step.
pub(crate) fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}/{step}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::registry::record_type;
    use super::*;

    fn found(of: &str, record: Value) -> Vec<(String, usize, String, String)> {
        let Value::Object(map) = record else { panic!("an object is needed") };
        let found = references(record_type(of).unwrap(), &map);
        found.into_iter().map(|each| (each.property, each.place, each.at, each.uri)).collect()
    }

    fn row(property: &str, place: usize, at: &str, uri: &str) -> (String, usize, String, String) {
        (property.to_owned(), place, at.to_owned(), uri.to_owned())
    }

    #[test]
    fn nested_references_are_found() {
        let record = json!({
            "resource": {"ref": "/repositories/2/resources/1"},
            "ancestors": [{"ref": "/repositories/2/resources/1"}],
            "linked_agents": [{"ref": "/agents/people/1", "role": "creator"}, {"ref": "/agents/people/2", "role": "source"}],
            "instances": [
                {"instance_type": "text", "sub_container": {"top_container": {"ref": "/repositories/2/top_containers/5"}}},
                {"instance_type": "digital_object", "digital_object": {"ref": "/repositories/2/digital_objects/6"}},
                {"instance_type": "text", "sub_container": {"top_container": {"ref": "/repositories/2/top_containers/7"}}},
            ],
            "rights_statements": [{"linked_agents": [{"ref": "/agents/people/1"}]}],
            "notes": [{"jsonmodel_type": "note_multipart", "rights_restriction": {"linked_records": {"ref": "/repositories/2/resources/1"}}}],
        });
        let containers = "instances/sub_container/top_container";
        assert_eq!(
            found("archival_object", record),
            [
                row("resource", 0, "resource", "/repositories/2/resources/1"),
                row("linked_agents", 0, "linked_agents/0", "/agents/people/1"),
                row("linked_agents", 1, "linked_agents/1", "/agents/people/2"),
                row(containers, 0, "instances/0/sub_container/top_container", "/repositories/2/top_containers/5"),
                row("instances/digital_object", 0, "instances/1/digital_object", "/repositories/2/digital_objects/6"),
                row(containers, 1, "instances/2/sub_container/top_container", "/repositories/2/top_containers/7"),
                row("rights_statements/linked_agents", 0, "rights_statements/0/linked_agents/0", "/agents/people/1"),
                row(
                    "notes/rights_restriction/linked_records",
                    0,
                    "notes/0/rights_restriction/linked_records",
                    "/repositories/2/resources/1",
                ),
            ]
        );
    }

    #[test]
    fn subrecords_that_are_references_are_found() {
        let container = json!({"container_locations": [{"ref": "/locations/3", "status": "current"}]});
        assert_eq!(
            found("top_container", container),
            [row("container_locations", 0, "container_locations/0", "/locations/3")]
        );
        let agent = json!({"related_agents": [
            {"jsonmodel_type": "agent_relationship_parentchild", "ref": "/agents/people/4", "relator": "is_child_of"},
        ]});
        assert_eq!(found("agent_person", agent), [row("related_agents", 0, "related_agents/0", "/agents/people/4")]);
    }
}
