//! Records of an import before they have numbers.

use serde_json::{Map, Value, json};

use super::{Place, derived, keys};
use crate::refusal::Refusal;

/// A key of a record, unique within its scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub scope: String,
    pub value: String,
}

/// Adds to a checked record what the server adds, and tells its keys. A node has numbers for the record at the top of its tree
/// and for the node above instead of their ids.
pub(crate) fn complete(place: Place, record: &mut Map<String, Value>, node: Option<(u64, u64)>) -> Vec<Key> {
    derived::fill(place.kind, record, None);
    let number = |of: u64| of as i64;
    let (root, parent) = (node.map(|(root, _)| number(root)), node.map(|(_, above)| number(above)));
    let at = keys::Place { repository: place.repository, root, parent };
    let keys = keys::keys(place.kind, record, at);
    let text = |key: &Value, name: &str| key[name].as_str().unwrap_or_default().to_owned();
    let keys = keys.as_array().into_iter().flatten();
    keys.map(|key| Key { scope: text(key, "scope"), value: text(key, "value") }).collect()
}

/// Another record has the key.
pub(crate) fn taken(key: &Key) -> Refusal {
    Refusal::Taken(keys::messages(&json!([{"scope": key.scope}])))
}
