//! The whole tree with as little of each component as choosing some of them takes (contract 3.5, the sheets of
//! `bulk_archival_object_updater_job`).

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::TREE_NODES};

use super::{Tree, whole::Nodes};
use crate::{
    model::derive::identifier,
    records::{Place, get},
    refusal::Refusal,
};

/// The tree of a resource: titles, identifiers and containers. Two round trips.
pub async fn small(session: &Session, tree: Tree) -> Result<Value, Refusal> {
    let place = Place { kind: tree.kind.root, repository: Some(tree.repository) };
    let root = get(session, place, tree.root, tree.seen).await?;
    let mut children: HashMap<Option<i64>, Vec<(i64, Value)>> = HashMap::new();
    for row in &session.query(TREE_NODES, &[&tree.kind.node, &tree.root]).await? {
        let id: i64 = row.get("id");
        let text = |name: &str| row.get::<_, Option<String>>(name).map(Value::from);
        let mut shown = Map::new();
        let found = [
            ("title", text("title")),
            ("uri", Some(tree.node_uri(id).into())),
            ("ref_id", text("ref_id")),
            ("component_id", text("component_id")),
            ("container", container(row.get::<_, Option<Value>>("containers").as_ref()).map(Value::from)),
        ];
        shown.extend(found.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        children.entry(row.get("parent")).or_default().push((id, Value::Object(shown)));
    }
    let below = Nodes { children, open: None }.below(None);
    let called = root.as_object().map(|root| identifier(root, "-"));
    Ok(json!({"title": root["title"], "identifier": called, "children": below, "uri": tree.root_uri(tree.root)}))
}

/// The last container of a component, with what is within it.
fn container(found: Option<&Value>) -> Option<String> {
    let last = found?.as_array()?.last()?;
    let text = |name: &str| last[name].as_str().map(str::to_owned);
    let joined = |texts: Vec<Option<String>>| texts.into_iter().flatten().collect::<Vec<_>>().join(": ");
    let barcode = text("top_container_barcode").map(|barcode| format!("[{barcode}]"));
    let levels = [
        joined(vec![text("top_container_type"), text("top_container_indicator"), barcode]),
        joined(vec![text("type_2"), text("indicator_2")]),
        joined(vec![text("type_3"), text("indicator_3")]),
    ];
    Some(levels.into_iter().filter(|level| !level.is_empty()).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_one_text() {
        let held = json!([{"top_container_type": "box", "top_container_indicator": "1", "top_container_barcode": "b1",
            "type_2": "folder", "indicator_2": "7"}]);
        assert_eq!(container(Some(&held)).as_deref(), Some("box: 1: [b1], folder: 7"));
        assert_eq!(container(Some(&json!([]))), None);
    }
}
