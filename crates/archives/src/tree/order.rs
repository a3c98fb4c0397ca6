//! A tree as one sequence, as a reader turns its pages (contract 3.2, `ordered_records`).

use std::collections::HashMap;

use serde_json::{Value, json};
use store::{Session, statements::archives::TREE_ORDER};

use super::Tree;
use crate::{
    records::{Place, get},
    refusal::Refusal,
};

/// What the sequence needs of a node.
struct Node {
    id: i64,
    shown: bool,
    title: Option<String>,
    level: Option<String>,
}

/// The published and unsuppressed records of a tree, depth first, its top at depth 0; empty if the top is not among them.
/// Below a record that is left out, all are. Two round trips.
pub async fn ordered_records(session: &Session, tree: Tree) -> Result<Value, Refusal> {
    let place = Place { kind: tree.kind.root, repository: Some(tree.repository) };
    let root = get(session, place, tree.root, tree.seen).await?;
    let mut uris = Vec::new();
    if root["publish"] == true && root["suppressed"] != true {
        let rows = session.query(TREE_ORDER, &[&tree.kind.node, &tree.root]).await?;
        let mut children: HashMap<Option<i64>, Vec<Node>> = HashMap::new();
        for row in &rows {
            let node =
                Node { id: row.get("id"), shown: row.get("shown"), title: row.get("title"), level: row.get("level") };
            children.entry(row.get("parent")).or_default().push(node);
        }
        let level = root.get("other_level").unwrap_or(&root["level"]);
        uris.push(entry(tree.root_uri(tree.root), &root["title"], 0, level));
        let mut waiting: Vec<(Node, u32)> = Vec::new();
        let mut follow = |parent, depth, waiting: &mut Vec<(Node, u32)>| {
            let below = children.remove(&parent).unwrap_or_default();
            waiting.extend(below.into_iter().rev().map(|node| (node, depth)));
        };
        follow(None, 1, &mut waiting);
        while let Some((node, depth)) = waiting.pop() {
            if node.shown {
                uris.push(entry(tree.node_uri(node.id), &json!(node.title), depth, &json!(node.level)));
                follow(Some(node.id), depth + 1, &mut waiting);
            }
        }
    }
    Ok(json!({"jsonmodel_type": format!("{}_ordered_records", tree.kind.root), "uris": uris}))
}

fn entry(uri: String, title: &Value, depth: u32, level: &Value) -> Value {
    let mut entry = json!({"ref": uri, "display_string": title, "depth": depth});
    if !level.is_null() {
        entry["level"] = level.clone();
    }
    entry
}
