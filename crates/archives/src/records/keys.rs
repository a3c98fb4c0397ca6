//! What must be unique about a record, and what clients are told if it is not (contract 1.3, 4).

use serde_json::{Map, Value, json};
use store::named_values;

use super::identities;
use crate::{arks, nodes::UNIQUE_IN_LEVEL};

/// Where a key must be unique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Everywhere,
    Repository,
    Tree,
    /// The children of one node.
    Level,
}

/// A key of a record type: the properties whose values together are unique.
#[derive(Debug)]
struct Key {
    kind: &'static str,
    within: Within,
    properties: &'static [&'static str],
    /// The property that the message names.
    named: &'static str,
    message: &'static str,
}

const KEYS: &[Key] = &[
    Key {
        kind: "resource",
        within: Within::Repository,
        properties: &["id_0", "id_1", "id_2", "id_3"],
        named: "id_0",
        message: "That ID is already in use",
    },
    Key {
        kind: "resource",
        within: Within::Repository,
        properties: &["ead_id"],
        named: "ead_id",
        message: "Must be unique",
    },
    Key {
        kind: "accession",
        within: Within::Repository,
        properties: &["id_0", "id_1", "id_2", "id_3"],
        named: "id_0",
        message: "That ID is already in use",
    },
    Key {
        kind: "archival_object",
        within: Within::Tree,
        properties: &["ref_id"],
        named: "ref_id",
        message: "An Archival Object Ref ID must be unique to its resource",
    },
    Key {
        kind: "digital_object",
        within: Within::Repository,
        properties: &["digital_object_id"],
        named: "digital_object_id",
        message: "Must be unique",
    },
    Key {
        kind: "digital_object_component",
        within: Within::Tree,
        properties: &["component_id"],
        named: "component_id",
        message: "A Digital Object Component ID must be unique to its Digital Object",
    },
    Key {
        kind: "classification_term",
        within: Within::Level,
        properties: &["title"],
        named: "title",
        message: UNIQUE_IN_LEVEL,
    },
    Key {
        kind: "classification_term",
        within: Within::Level,
        properties: &["identifier"],
        named: "identifier",
        message: UNIQUE_IN_LEVEL,
    },
    Key {
        kind: "repository",
        within: Within::Everywhere,
        properties: &["repo_code"],
        named: "repo_code",
        message: "short name already in use",
    },
    Key {
        kind: "top_container",
        within: Within::Repository,
        properties: &["barcode"],
        named: "barcode",
        message: "A barcode must be unique within a repository",
    },
    Key {
        kind: "container_profile",
        within: Within::Everywhere,
        properties: &["name"],
        named: "name",
        message: "container profile name not unique",
    },
    Key {
        kind: "location_profile",
        within: Within::Everywhere,
        properties: &["name"],
        named: "name",
        message: "location profile name not unique",
    },
    Key {
        kind: "group",
        within: Within::Repository,
        properties: &["group_code"],
        named: "group_code",
        message: "Group code must be unique within a repository",
    },
    Key {
        kind: "preference",
        within: Within::Repository,
        properties: &["user_id"],
        named: "user_id",
        message: "Preferences exist already",
    },
    Key {
        kind: "vocabulary",
        within: Within::Everywhere,
        properties: &["ref_id"],
        named: "ref_id",
        message: "Must be unique",
    },
    Key {
        kind: "vocabulary",
        within: Within::Everywhere,
        properties: &["name"],
        named: "name",
        message: "Must be unique",
    },
];

/// A record's place, as far as its keys depend on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub repository: Option<i64>,
    pub root: Option<i64>,
    /// The node above; none at the first level.
    pub parent: Option<i64>,
}

impl Key {
    fn scope(&self, place: Place) -> String {
        let number = match self.within {
            Within::Everywhere => None,
            Within::Repository => place.repository,
            Within::Tree | Within::Level => place.root,
        };
        let mut number = number.map(|number| format!("/{number}")).unwrap_or_default();
        if self.within == Within::Level {
            number = format!("{number}/{}", place.parent.unwrap_or_default());
        }
        format!("{}{number}/{}", self.kind, self.properties[0])
    }

    /// The values as one text; `None` if the record has none of them.
    fn value(&self, record: &Map<String, Value>) -> Option<String> {
        if self.kind == "preference" {
            // Those of all users have no user.
            return Some(record.get("user_id").map(Value::to_string).unwrap_or_default());
        }
        let values: Vec<_> = self.properties.iter().map(|name| record.get(*name).and_then(Value::as_str)).collect();
        values.iter().any(Option::is_some).then(|| match values.as_slice() {
            // Codes of groups that differ only in case are the same.
            [one] if self.kind == "group" => one.unwrap_or_default().to_lowercase(),
            // Titles may be longer than what an index takes.
            [one] if self.within == Within::Level => identities::digest(one.unwrap_or_default()),
            [one] => one.unwrap_or_default().to_owned(),
            several => json!(several).to_string(),
        })
    }
}

/// The keys of a record, as `add_archival` takes them.
pub(super) fn keys(kind: &str, record: &Map<String, Value>, place: Place) -> Value {
    let of_kind = KEYS.iter().filter(|key| key.kind == kind);
    let simple = of_kind.filter_map(|key| Some(json!({"scope": key.scope(place), "value": key.value(record)?})));
    simple.chain(identities::keys(kind, record)).chain(arks::keys(record)).collect()
}

/// What clients are told about keys that others have: messages by property.
pub(super) fn messages(taken: &Value) -> Map<String, Value> {
    let mut messages = Map::new();
    for one in taken.as_array().into_iter().flatten() {
        let (kind, property) = scope_parts(one["scope"].as_str().unwrap_or_default());
        if kind == arks::SCOPE {
            let (named, message) = arks::collision(one);
            messages.insert(named.to_owned(), json!([message]));
        } else if let Some(identity) = identities::of(kind, property) {
            identity.tell(one, &mut messages);
        } else if let Some(key) = KEYS.iter().find(|key| key.kind == kind && key.properties[0] == property) {
            messages.insert(key.named.to_owned(), json!([key.message]));
        }
    }
    messages
}

/// Kind and property of a scope.
fn scope_parts(scope: &str) -> (&str, &str) {
    let kind = scope.split('/').next().unwrap_or_default();
    (kind, scope.rsplit('/').next().unwrap_or_default())
}

/// What clients are told if a unique index, not the look before, found the key: PostgreSQL's detail line names the scope.
pub(super) fn messages_of_detail(detail: &str) -> Map<String, Value> {
    let scope = named_values(detail).and_then(|values| values.split_once(',')).map(|(scope, _)| scope);
    messages(&json!([{"scope": scope}]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_key_is_unique_within_its_repository_or_tree() {
        let place = Place { repository: Some(2), root: Some(7), parent: None };
        let resource = of(json!({"id_0": "MS", "id_1": "1", "ead_id": "ms1"}));
        assert_eq!(
            keys("resource", &resource, place),
            json!([{"scope": "resource/2/id_0", "value": r#"["MS","1",null,null]"#},
                   {"scope": "resource/2/ead_id", "value": "ms1"}])
        );
        let node = of(json!({"ref_id": "a"}));
        assert_eq!(keys("archival_object", &node, place), json!([{"scope": "archival_object/7/ref_id", "value": "a"}]));
        assert_eq!(keys("resource", &of(json!({"id_1": "1"})), place)[0]["scope"], "resource/2/id_0");
        assert_eq!(keys("digital_object_component", &Map::new(), place), json!([]));
        assert_eq!(keys("repository", &of(json!({"repo_code": "A"})), place)[0]["scope"], "repository/repo_code");
    }

    #[test]
    fn a_term_is_unique_among_its_siblings() {
        let place = Place { repository: Some(2), root: Some(7), parent: Some(4) };
        let term = keys("classification_term", &of(json!({"title": "Deeds", "identifier": "A1"})), place);
        assert_eq!(term[0]["scope"], "classification_term/7/4/title");
        assert_eq!(term[1]["scope"], "classification_term/7/4/identifier");
        let told = messages(&json!([{"scope": "classification_term/7/0/title"}]));
        assert_eq!(Value::Object(told), json!({"title": ["must be unique to its level in the tree"]}));
    }

    #[test]
    fn parts_of_an_identifier_do_not_run_together() {
        let place = Place { repository: Some(2), root: None, parent: None };
        let one = keys("accession", &of(json!({"id_0": "a b"})), place);
        let other = keys("accession", &of(json!({"id_0": "a", "id_1": "b"})), place);
        assert_ne!(one[0]["value"], other[0]["value"]);
    }

    #[test]
    fn a_taken_key_is_told_by_its_property() {
        let told = messages(&json!([{"scope": "resource/2/ead_id"}, {"scope": "resource/2/id_0"}]));
        assert_eq!(Value::Object(told), json!({"ead_id": ["Must be unique"], "id_0": ["That ID is already in use"]}));
        assert_eq!(Value::Object(messages(&json!([{"scope": "ark"}]))), json!({"ark": ["ark_collision"]}));
        let detail = "Key (scope, value)=(repository/repo_code, ABC) already exists.";
        assert_eq!(Value::Object(messages_of_detail(detail)), json!({"repo_code": ["short name already in use"]}));
        assert!(messages_of_detail("something else").is_empty());
    }
}
