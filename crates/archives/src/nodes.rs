//! The places of records in trees: which record is at the top, which node above, and where among the siblings.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{Session, statements::writes::PLACE_ARCHIVAL};

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

/// What clients are told if a sibling has the title or identifier of a node.
pub(crate) const UNIQUE_IN_LEVEL: &str = "must be unique to its level in the tree";

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
    /// What must exist: types, ids and addresses.
    needs: Vec<(&'static str, i64, String)>,
}

impl Node {
    /// What must exist, as `add_archival` takes it.
    pub(crate) fn needs(&self) -> Value {
        self.needs.iter().map(need).collect()
    }

    /// The reference to the record at the top with that to the node above, as `change_archival` takes it.
    pub(crate) fn top(&self) -> Option<Value> {
        let (tops, above): (Vec<_>, Vec<_>) = self.needs.iter().partition(|(kind, ..)| *kind == self.root_kind);
        let mut top = need(tops.first()?);
        if let Some(parent) = above.first() {
            top["parent"] = need(parent);
        }
        Some(top)
    }
}

fn need((kind, id, uri): &(&'static str, i64, String)) -> Value {
    json!({"kind": kind, "id": id, "uri": uri})
}

/// Takes the place out of the record of a node: it is kept in columns. `None` for a type that is in no tree.
pub(crate) fn place_of(
    kind: &str,
    repository: Option<i64>,
    record: &mut Map<String, Value>,
) -> Result<Option<Node>, Refusal> {
    let Some(tree) = tree_of_node(kind) else { return Ok(None) };
    let mut needs = Vec::new();
    let mut take = |name: &str, of: &'static str| {
        let uri = record.remove(name)?["ref"].as_str()?.to_owned();
        let target = Uri::parse(&uri).filter(|target| target.kind.name == of && target.repository == repository);
        if let Some(target) = &target {
            needs.push((of, target.id, uri.clone()));
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

/// A place among the children of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// The record at the top of the tree.
    pub root: i64,
    /// The node above; none at the first level.
    pub parent: Option<i64>,
    /// From 0; past the end means the end.
    pub slot: i64,
}

/// Moves nodes of a tree to a place, in their order. One round trip, whatever is below them.
pub(crate) async fn put(session: &Session, kind: &str, ids: &[i64], to: Slot, now: Timestamp) -> Result<(), Refusal> {
    let slot = to.slot.max(0);
    let answer: Value = session.value(PLACE_ARCHIVAL, &[&kind, &ids, &to.root, &to.parent, &slot, &now]).await?;
    if answer["gone"] == true {
        return Err(Refusal::no(kind));
    }
    if let Some(scope) = answer["taken"][0]["scope"].as_str() {
        let property = scope.rsplit('/').next().unwrap_or_default();
        return Err(Refusal::Taken(Map::from_iter([(property.to_owned(), json!([UNIQUE_IN_LEVEL]))])));
    }
    if answer["cycle"] == true {
        return Err(Refusal::Conflict("Can't make a parent into its own child".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_names_its_place() {
        let record = json!({"title": "Letters", "resource": {"ref": "/repositories/2/resources/1"},
            "parent": {"ref": "/repositories/2/archival_objects/5"}});
        let mut record = record.as_object().cloned().expect("an object");
        let node = place_of("archival_object", Some(2), &mut record).expect("a place").expect("a node");
        assert_eq!((node.root_kind, node.root, node.parent), ("resource", 1, Some(5)));
        assert_eq!(node.needs().as_array().map(Vec::len), Some(2));
        let top = node.top().expect("a top");
        assert_eq!((&top["uri"], &top["parent"]["id"]), (&json!("/repositories/2/resources/1"), &json!(5)));
        assert_eq!(Value::Object(record), json!({"title": "Letters"}));
        assert_eq!(place_of("resource", Some(2), &mut Map::new()).expect("no place"), None);
    }

    #[test]
    fn a_place_that_cannot_be_is_refused() {
        let elsewhere = json!({"resource": {"ref": "/repositories/3/resources/1"}});
        for record in [json!({}), json!({"resource": {"ref": "/repositories/2/accessions/1"}}), elsewhere] {
            let mut record = record.as_object().cloned().expect("an object");
            assert!(place_of("archival_object", Some(2), &mut record).is_err(), "{record:?}");
        }
    }
}
