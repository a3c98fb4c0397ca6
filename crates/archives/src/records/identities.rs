//! Keys that are made of more than members of a record: what agents, subjects and terms are told apart by (contract 1.3,
//! 4.7, 4.8).

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::model::derive::agent_identity;

/// What clients are told if another record has such a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The first part of the scope, or how it begins.
    kind: &'static str,
    /// The last part of the scope.
    name: &'static str,
    /// The property that the message names, unless the key says where its value is.
    named: &'static str,
    message: &'static str,
    /// Whether clients are told which record has it.
    tells_record: bool,
}

const fn identity(kind: &'static str, name: &'static str, named: &'static str, message: &'static str) -> Identity {
    Identity { kind, name, named, message, tells_record: true }
}

const IDENTITIES: [Identity; 5] = [
    identity("agent", "identity", "names", "Agent must be unique"),
    identity("agent", "authority_id", "names/0/authority_id", "Authority ID must be unique"),
    identity("subject", "identity", "terms", "Subject must be unique"),
    Identity {
        tells_record: false,
        ..identity("subject", "authority_id", "authority_id", "Subject heading identifier must be unique within source")
    },
    identity("term", "identity", "term", "Term must be unique"),
];

/// The identity that a scope with these parts is of.
pub(super) fn of(kind: &str, name: &str) -> Option<&'static Identity> {
    IDENTITIES.iter().find(|one| one.name == name && kind.starts_with(one.kind))
}

impl Identity {
    /// Adds what clients are told about a taken key: messages by property.
    pub(super) fn tell(&self, taken: &Value, messages: &mut Map<String, Value>) {
        let named = taken["at"].as_str().unwrap_or(self.named);
        messages.insert(named.to_owned(), json!([self.message]));
        if let Some(uri) = taken["uri"].as_str().filter(|_| self.tells_record) {
            messages.insert("conflicting_record".to_owned(), json!([uri]));
        }
    }
}

/// The keys of a record that has such ones, as `add_archival` takes them.
pub(super) fn keys(kind: &str, record: &Map<String, Value>) -> Vec<Value> {
    match kind {
        "agent_person" | "agent_family" | "agent_corporate_entity" | "agent_software" => {
            let own = json!({"scope": format!("{kind}/identity"), "value": digest(&agent_identity(record))});
            std::iter::once(own).chain(authority_ids(record)).collect()
        }
        "subject" => {
            let terms = record.get("terms").and_then(Value::as_array).into_iter().flatten();
            let terms: Vec<_> = terms.map(|term| [&term["term"], &term["term_type"]]).collect();
            let own = json!([record.get("vocabulary"), record.get("source"), terms]);
            let own = json!({"scope": "subject/identity", "value": digest(&own.to_string())});
            let heading = record.get("authority_id").map(|id| {
                let heading = json!([record.get("vocabulary"), record.get("source"), id]).to_string();
                json!({"scope": "subject/authority_id", "value": digest(&heading)})
            });
            std::iter::once(own).chain(heading).collect()
        }
        "term" => {
            let own = json!([record.get("vocabulary"), record.get("term_type"), record.get("term")]).to_string();
            vec![json!({"scope": "term/identity", "value": digest(&own)})]
        }
        _ => Vec::new(),
    }
}

/// Names of all agents share their identifiers.
fn authority_ids(agent: &Map<String, Value>) -> impl Iterator<Item = Value> {
    let names = agent.get("names").and_then(Value::as_array).into_iter().flatten().enumerate();
    names.filter_map(|(place, name)| {
        let id = name["authority_id"].as_str()?;
        let at = format!("names/{place}/authority_id");
        Some(json!({"scope": "agent/authority_id", "value": digest(id), "at": at}))
    })
}

/// A text of any length as a key.
pub(super) fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_record(kind: &str, record: Value) -> Vec<Value> {
        keys(kind, record.as_object().expect("an object"))
    }

    #[test]
    fn an_agent_has_a_key_for_itself_and_for_each_identifier() {
        let names = json!([{"primary_name": "A"}, {"primary_name": "B", "authority_id": "n1"}]);
        let keys = of_record("agent_person", json!({"names": names}));
        let scopes: Vec<_> = keys.iter().map(|key| key["scope"].as_str().unwrap_or_default()).collect();
        assert_eq!(scopes, ["agent_person/identity", "agent/authority_id"]);
        assert_eq!((&keys[0]["at"], &keys[1]["at"]), (&Value::Null, &json!("names/1/authority_id")));
    }

    #[test]
    fn subjects_differ_by_vocabulary_source_and_terms() {
        let subject = |source: &str, term: &str, kind: &str| {
            let terms = json!([{"term": term, "term_type": kind, "uri": "/terms/1"}]);
            of_record("subject", json!({"vocabulary": "/vocabularies/1", "source": source, "terms": terms}))
        };
        let one = subject("lcsh", "Letters", "topical");
        assert_eq!(one.len(), 1);
        assert_eq!(one, subject("lcsh", "Letters", "topical"));
        for other in
            [("local", "Letters", "topical"), ("lcsh", "Diaries", "topical"), ("lcsh", "Letters", "genre_form")]
        {
            assert_ne!(one, subject(other.0, other.1, other.2), "{other:?}");
        }
    }

    #[test]
    fn a_taken_identity_is_told_with_its_record() {
        let mut told = Map::new();
        let taken = json!({"uri": "/agents/people/3", "at": "names/2/authority_id"});
        of("agent", "authority_id").expect("an identity").tell(&taken, &mut told);
        let expected = json!({"names/2/authority_id": ["Authority ID must be unique"],
            "conflicting_record": ["/agents/people/3"]});
        assert_eq!(Value::Object(told), expected);
        assert_eq!(of("agent_family", "identity").map(|one| one.named), Some("names"));
        assert_eq!(of("resource", "identity"), None);
    }
}
