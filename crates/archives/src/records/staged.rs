//! Records of an import: completed before they have numbers, and taken apart when they have them.

use serde_json::{Map, Value, json};

use super::{
    Place, derived, keys,
    write::{Target, targets},
};
use crate::{
    nodes::{self, Node},
    refusal::Refusal,
};

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
    keys_of(place, record, at)
}

/// A completed record with the addresses that it is saved with.
pub(crate) struct Numbered {
    /// What it is without its place in a tree.
    pub record: Map<String, Value>,
    pub node: Option<Node>,
    pub targets: Vec<Target>,
}

impl Numbered {
    /// Takes a completed record apart.
    ///
    /// # Errors
    /// It refers to a record of another repository, or to none where it needs one.
    pub(crate) fn of(place: Place, mut record: Map<String, Value>) -> Result<Self, Refusal> {
        let node = nodes::place_of(place.kind, place.repository, &mut record)?;
        let targets = targets(place, &record)?;
        Ok(Self { record, node, targets })
    }

    /// Its keys, as [`complete`] tells them, with the ids that it has now.
    pub(crate) fn keys(&self, place: Place) -> Vec<Key> {
        let (root, parent) = self.node.as_ref().map_or((None, None), |node| (Some(node.root), node.parent));
        keys_of(place, &self.record, keys::Place { repository: place.repository, root, parent })
    }
}

fn keys_of(place: Place, record: &Map<String, Value>, at: keys::Place) -> Vec<Key> {
    let keys = keys::keys(place.kind, record, at);
    let text = |key: &Value, name: &str| key[name].as_str().unwrap_or_default().to_owned();
    let keys = keys.as_array().into_iter().flatten();
    keys.map(|key| Key { scope: text(key, "scope"), value: text(key, "value") }).collect()
}

/// Another record has the key.
pub(crate) fn taken(key: &Key) -> Refusal {
    Refusal::Taken(keys::messages(&json!([{"scope": key.scope}])))
}
