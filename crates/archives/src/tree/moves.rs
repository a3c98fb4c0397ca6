//! Adding and moving nodes.

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::FIND_RECORD};

use crate::{
    arks,
    model::Uri,
    nodes::{Slot, put, tree_of_root},
    records::{Author, Place, add_all, prepare},
    refusal::Refusal,
};

/// Moves a node to a place below another node, or to the first level (`parent`). Returns the version of the node. Two round
/// trips.
pub async fn set_parent(
    session: &Session,
    place: Place,
    id: i64,
    (parent, slot): (Option<i64>, i64),
    author: &Author,
) -> Result<i32, Refusal> {
    let found = session.find(FIND_RECORD, &[&place.kind, &id, &place.repository]).await?;
    let found = found.ok_or_else(|| Refusal::no(place.kind))?;
    let root: Option<i64> = found.get("root");
    let root = root.ok_or_else(|| Refusal::no(place.kind))?;
    put(session, place.kind, &[id], Slot { root, parent, slot }, author.now).await?;
    Ok(found.get("lock_version"))
}

/// Moves nodes below a record or a node of the same tree. Returns its version. Two round trips.
pub async fn accept_children(
    session: &Session,
    place: Place,
    id: i64,
    (children, slot): (&[String], i64),
    author: &Author,
) -> Result<i32, Refusal> {
    let found = session.find(FIND_RECORD, &[&place.kind, &id, &place.repository]).await?;
    let found = found.ok_or_else(|| Refusal::no(place.kind))?;
    let (node, root, parent) = match tree_of_root(place.kind) {
        Some(tree) => (tree.node, id, None),
        None => (place.kind, found.get::<_, Option<i64>>("root").unwrap_or(id), Some(id)),
    };
    let mut ids = Vec::new();
    for uri in children {
        let child = Uri::parse(uri).filter(|child| child.kind.name == node && child.repository == place.repository);
        let child = child.ok_or_else(|| Refusal::MissingReference(uri.clone()))?;
        if !ids.contains(&child.id) {
            ids.push(child.id);
        }
    }
    if !ids.is_empty() {
        put(session, node, &ids, Slot { root, parent, slot }, author.now).await?;
    }
    Ok(found.get("lock_version"))
}

/// Adds checked records below a record or a node, after the children that are there. Returns its version. Two round trips, and one
/// more for new ARKs.
pub async fn add_children(
    session: &Session,
    place: Place,
    id: i64,
    mut children: Vec<Map<String, Value>>,
    author: &Author,
) -> Result<i32, Refusal> {
    let found = session.find(FIND_RECORD, &[&place.kind, &id, &place.repository]).await?;
    let found = found.ok_or_else(|| Refusal::no(place.kind))?;
    let below = tree_of_root(place.kind);
    let node = below.map_or(place.kind, |tree| tree.node);
    let of_node = Place { kind: node, repository: place.repository };
    let root_kind = match below {
        Some(tree) => tree.root.to_owned(),
        None => found.get::<_, Option<String>>("root_kind").unwrap_or_default(),
    };
    let root = if below.is_some() { id } else { found.get::<_, Option<i64>>("root").unwrap_or(id) };
    let repository = place.repository.unwrap_or_default();
    arks::give(session, (of_node.kind, of_node.repository), &mut children, &author.arks).await?;
    let entries: Result<Vec<Value>, Refusal> = children
        .into_iter()
        .map(|mut child| {
            child.remove("position");
            child.insert(root_kind.clone(), json!({"ref": format!("/repositories/{repository}/{root_kind}s/{root}")}));
            child.remove("parent");
            if below.is_none() {
                let parent = json!({"ref": format!("/repositories/{repository}/{node}s/{id}")});
                child.insert("parent".to_owned(), parent);
            }
            prepare(of_node, child)
        })
        .collect();
    add_all(session, entries?, author).await?;
    Ok(found.get("lock_version"))
}
