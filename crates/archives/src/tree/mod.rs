//! Trees: the components of a resource, a digital object or a classification (contract 3.2, 7).

mod moves;
mod order;
mod pages;
mod whole;

use serde_json::{Map, Value, json};

pub use moves::{Slot, accept_children, add_children, put, set_parent};
pub use order::ordered_records;
pub use pages::{Tree, children, node, paths, previous, root, waypoint};
pub use whole::whole;

use crate::{model::Uri, refusal::Refusal};

/// A kind of tree.
#[derive(Debug, PartialEq, Eq)]
pub struct TreeKind {
    /// The record type at the top.
    pub root: &'static str,
    /// The record type of the nodes.
    pub node: &'static str,
}

/// Every kind of tree.
pub const TREES: [TreeKind; 3] = [
    TreeKind { root: "resource", node: "archival_object" },
    TreeKind { root: "digital_object", node: "digital_object_component" },
    TreeKind { root: "classification", node: "classification_term" },
];

/// The kind of tree whose nodes are of that type.
pub(crate) fn tree_of_node(kind: &str) -> Option<&'static TreeKind> {
    TREES.iter().find(|tree| tree.node == kind)
}

/// The kind of tree with such a record at the top.
pub(crate) fn tree_of_root(kind: &str) -> Option<&'static TreeKind> {
    TREES.iter().find(|tree| tree.root == kind)
}

/// The place of a node, as its record names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub root_kind: &'static str,
    pub root: i64,
    pub parent: Option<i64>,
    /// What must exist, as `add_archival` takes it.
    needs: Vec<Value>,
}

impl Node {
    pub(crate) fn needs(&self) -> Value {
        json!(self.needs)
    }
}

/// Takes the place out of the record of a node: it is kept in columns. `None` for a type that is in no tree.
pub(crate) fn place_of(kind: &str, record: &mut Map<String, Value>) -> Result<Option<Node>, Refusal> {
    let Some(tree) = tree_of_node(kind) else { return Ok(None) };
    let mut needs = Vec::new();
    let mut take = |name: &str, of: &str| {
        let uri = record.remove(name)?["ref"].as_str()?.to_owned();
        let target = Uri::parse(&uri).filter(|target| target.kind.name == of);
        if let Some(target) = &target {
            needs.push(json!({"kind": of, "id": target.id, "uri": uri}));
        }
        Some((uri, target.map(|target| target.id)))
    };
    let (root, parent) = (take(tree.root, tree.root), take("parent", tree.node));
    let existing = |found: Option<(String, Option<i64>)>| match found {
        Some((uri, None)) => Err(Refusal::MissingReference(uri)),
        found => Ok(found.and_then(|(_, id)| id)),
    };
    let (root, parent) = (existing(root)?, existing(parent)?);
    let root = root.ok_or_else(|| Refusal::parameter(tree.root, "Property is required but was missing"))?;
    Ok(Some(Node { root_kind: tree.root, root, parent, needs }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_names_its_place() {
        let record = json!({"title": "Letters", "resource": {"ref": "/repositories/2/resources/1"},
            "parent": {"ref": "/repositories/2/archival_objects/5"}});
        let mut record = record.as_object().cloned().expect("an object");
        let node = place_of("archival_object", &mut record).expect("a place").expect("a node");
        assert_eq!((node.root_kind, node.root, node.parent), ("resource", 1, Some(5)));
        assert_eq!(node.needs().as_array().map(Vec::len), Some(2));
        assert_eq!(Value::Object(record), json!({"title": "Letters"}));
        assert_eq!(place_of("resource", &mut Map::new()).expect("no place"), None);
    }

    #[test]
    fn a_place_that_cannot_be_is_refused() {
        for record in [json!({}), json!({"resource": {"ref": "/repositories/2/accessions/1"}})] {
            let mut record = record.as_object().cloned().expect("an object");
            assert!(place_of("archival_object", &mut record).is_err(), "{record:?}");
        }
    }
}
