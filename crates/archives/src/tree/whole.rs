//! The whole tree as one nested record, as clients from before release 3.3 ask for it (contract 7.2, "Old `tree`").

use std::collections::HashMap;

use serde_json::{Value, json};
use store::{Session, statements::archives::TREE_NODES};

use super::Tree;
use crate::{
    model::Uri,
    records::{Place, get},
    refusal::Refusal,
};

/// The tree; with `limit_to` (`root`, or the address of a node) only what is needed to show that node: the nodes above it,
/// their children, and its own. Two round trips.
pub async fn whole(session: &Session, tree: Tree, limit_to: Option<&str>) -> Result<Value, Refusal> {
    let place = Place { kind: tree.kind.root, repository: Some(tree.repository) };
    let root = get(session, place, tree.root, tree.seen).await?;
    let rows = session.query(TREE_NODES, &[&tree.kind.node, &tree.root]).await?;
    let mut nodes = Nodes { children: HashMap::new(), open: None };
    let mut above: HashMap<i64, Option<i64>> = HashMap::new();
    for row in &rows {
        let (id, parent): (i64, Option<i64>) = (row.get("id"), row.get("parent"));
        let (title, publish): (Option<String>, bool) = (row.get("title"), row.get("publish"));
        if tree.published_only && (!publish || row.get("suppressed")) {
            continue;
        }
        above.insert(id, parent);
        if tree.kind.root == "classification" {
            let shown = json!({"title": title, "id": id, "record_uri": tree.node_uri(id), "publish": publish,
                "suppressed": row.get::<_, bool>("suppressed"), "node_type": tree.kind.node,
                "identifier": row.get::<_, Option<String>>("identifier")});
            nodes.children.entry(parent).or_default().push((id, shown));
            continue;
        }
        let instances: Value = row.get::<_, Option<Value>>("instance_types").unwrap_or_else(|| json!([]));
        let mut shown = json!({"title": title, "id": id, "record_uri": tree.node_uri(id), "publish": publish,
            "suppressed": row.get::<_, bool>("suppressed"),
            "node_type": tree.kind.node, "level": row.get::<_, Option<String>>("level"), "instance_types": instances,
            "containers": containers(row.get::<_, Option<Value>>("containers").as_ref())});
        if let Some(component) = row.get::<_, Option<String>>("component_id") {
            shown["component_id"] = component.into();
        }
        nodes.children.entry(parent).or_default().push((id, shown));
    }
    nodes.open = limit_to.map(|limit| opened(limit, &above));
    let children = nodes.below(None);
    let mut shown = json!({"jsonmodel_type": format!("{}_tree", tree.kind.root), "title": root["title"], "id": tree.root,
        "record_uri": tree.root_uri(tree.root), "node_type": tree.kind.root, "publish": root["publish"] == true,
        "suppressed": root["suppressed"] == true, "level": root.get("other_level").unwrap_or(&root["level"]),
        "has_children": !above.is_empty(), "instance_types": instance_types(&root), "containers": [],
        "children": children});
    if tree.kind.root == "classification" {
        shown["identifier"] = root["identifier"].clone();
        let members = shown.as_object_mut().into_iter();
        members.for_each(|members| {
            members.retain(|name, _| !["level", "instance_types", "containers"].contains(&name.as_str()))
        });
    }
    if let Some(title) = root.get("finding_aid_filing_title") {
        shown["finding_aid_filing_title"] = title.clone();
    }
    Ok(shown)
}

fn instance_types(root: &Value) -> Value {
    let instances = root["instances"].as_array().into_iter().flatten();
    instances.map(|instance| instance["instance_type"].clone()).collect()
}

/// Containers with the members that the old tree has: `type_1`, `indicator_1`, `barcode_1`, `type_2`, …
fn containers(found: Option<&Value>) -> Value {
    const MEMBERS: [(&str, &str); 8] = [
        ("type_1", "top_container_type"),
        ("indicator_1", "top_container_indicator"),
        ("barcode_1", "top_container_barcode"),
        ("type_2", "type_2"),
        ("indicator_2", "indicator_2"),
        ("barcode_2", "barcode_2"),
        ("type_3", "type_3"),
        ("indicator_3", "indicator_3"),
    ];
    let all = found.and_then(Value::as_array).into_iter().flatten();
    let shown = all.map(|one| {
        let members = MEMBERS.iter().filter_map(|(to, from)| Some(((*to).to_owned(), one.get(*from)?.clone())));
        Value::Object(members.collect())
    });
    shown.filter(|one| one.as_object().is_some_and(|members| !members.is_empty())).collect()
}

/// The nodes whose children are shown: the one asked for and those above it.
fn opened(limit_to: &str, above: &HashMap<i64, Option<i64>>) -> Vec<i64> {
    let mut open = Vec::new();
    let mut next = Uri::parse(limit_to).map(|uri| uri.id);
    while let Some(id) = next.filter(|id| !open.contains(id)) {
        open.push(id);
        next = above.get(&id).copied().flatten();
    }
    open
}

pub(super) struct Nodes {
    pub(super) children: HashMap<Option<i64>, Vec<(i64, Value)>>,
    /// The nodes whose children are shown; none means all.
    pub(super) open: Option<Vec<i64>>,
}

impl Nodes {
    /// The children of a node with all below them. A tree may be deeper than the stack, so it is built from its leaves up.
    pub(super) fn below(&mut self, top: Option<i64>) -> Value {
        // Nodes in the order of the tree, each after its parent.
        let mut order: Vec<(Option<i64>, i64, Value)> = Vec::new();
        let mut waiting = vec![top];
        while let Some(parent) = waiting.pop() {
            for (id, node) in self.children.remove(&parent).unwrap_or_default() {
                waiting.push(Some(id));
                order.push((parent, id, node));
            }
        }
        let mut built: HashMap<Option<i64>, Vec<Value>> = HashMap::new();
        for (parent, id, mut node) in order.into_iter().rev() {
            let mut children = built.remove(&Some(id)).unwrap_or_default();
            children.reverse();
            node["has_children"] = (!children.is_empty()).into();
            if self.open.as_ref().is_some_and(|open| !open.contains(&id)) {
                children.clear();
            }
            node["children"] = children.into();
            built.entry(parent).or_default().push(node);
        }
        let mut first = built.remove(&top).unwrap_or_default();
        first.reverse();
        first.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_nested_in_their_order() {
        let node = |id: i64| (id, json!({"id": id}));
        let children = HashMap::from([(None, vec![node(1), node(2)]), (Some(1), vec![node(3), node(4)])]);
        let ids = |value: &Value| -> Vec<i64> {
            value.as_array().into_iter().flatten().filter_map(|one| one["id"].as_i64()).collect()
        };
        let built = Nodes { children: children.clone(), open: None }.below(None);
        assert_eq!(ids(&built), [1, 2]);
        assert_eq!(ids(&built[0]["children"]), [3, 4]);
        assert_eq!(built[0]["has_children"], true);
        assert_eq!(built[1]["has_children"], false);
        let closed = Nodes { children, open: Some(vec![2]) }.below(None);
        assert_eq!(ids(&closed[0]["children"]), [0; 0]);
        assert_eq!(closed[0]["has_children"], true);
    }

    #[test]
    fn the_nodes_above_are_open() {
        let above = HashMap::from([(1, None), (3, Some(1)), (4, Some(3))]);
        assert_eq!(opened("/repositories/2/archival_objects/4", &above), [4, 3, 1]);
        assert_eq!(opened("root", &above), [0; 0]);
    }
}
