//! The documents of published trees, which the public application asks for by their addresses (ArchivesSpace's
//! `large_tree_doc_indexer.rb` and `pui_indexer.rb`). They are made when they are asked for: a tree of 100,000 components would
//! have as many.

use std::collections::BTreeSet;

use indexing::Index;
use search::query::Query;
use serde_json::{Map, Value, json};
use store::Session;

use super::run::matching;
use crate::{
    model::Uri,
    nodes::tree_of_root,
    records::Seen,
    refusal::Refusal,
    tree::{self, Tree},
};

/// How many of them an answer has at most, since each is read by itself.
const MOST: usize = 25;

/// What a document shows of a tree.
enum Part {
    Root,
    /// A page of what is below a node, or below the top.
    Waypoint(Option<Uri>, i64),
    Node(Uri),
    PathTo(i64),
    /// All of it, as a reader turns its pages.
    Ordered,
}

/// The address of such a document.
struct Address<'a> {
    id: &'a str,
    root: Uri,
    tree: Tree,
    part: Part,
}

impl<'a> Address<'a> {
    fn read(id: &'a str) -> Option<Self> {
        let (root, rest) = match id.strip_suffix("/ordered_records") {
            Some(root) => (root, None),
            None => id.split_once("/tree/").map(|(root, rest)| (root, Some(rest)))?,
        };
        let root = Uri::parse(root)?;
        let kind = tree_of_root(&root.kind.name)?;
        let repository = root.repository?;
        let tree = Tree { kind, repository, root: root.id, published_only: true, seen: Seen::Unsuppressed };
        let of_tree = |uri: &str| {
            let uri = Uri::parse(uri)?;
            (uri.kind.name == kind.node && uri.repository == root.repository).then_some(uri)
        };
        let part = match rest {
            None if kind.root == "resource" => Part::Ordered,
            None => return None,
            Some("root") => Part::Root,
            Some(rest) => {
                if let Some(node) = rest.strip_prefix("node_from_root_") {
                    Part::PathTo(node.parse().ok()?)
                } else if let Some(node) = rest.strip_prefix("node_") {
                    Part::Node(of_tree(node)?)
                } else {
                    let (parent, number) = rest.strip_prefix("waypoint_")?.rsplit_once('_')?;
                    let parent = if parent.is_empty() { None } else { Some(of_tree(parent)?) };
                    Part::Waypoint(parent, number.parse().ok().filter(|number| *number >= 0)?)
                }
            }
        };
        Some(Self { id, root, tree, part })
    }

    /// The node that the document is about, if it is not about the top.
    fn node(&self) -> Option<String> {
        match &self.part {
            Part::Waypoint(Some(node), _) | Part::Node(node) => Some(node.to_string()),
            Part::PathTo(id) => Some(format!("/repositories/{}/{}s/{id}", self.tree.repository, self.tree.kind.node)),
            Part::Root | Part::Ordered | Part::Waypoint(None, _) => None,
        }
    }

    /// At most two round trips.
    async fn read_part(&self, session: &Session) -> Result<(&'static str, Value), Refusal> {
        let tree = self.tree;
        Ok(match &self.part {
            Part::Root => ("tree_root", tree::root(session, tree).await?),
            Part::Waypoint(parent, number) => {
                let parent = parent.as_ref().map(|uri| uri.id);
                ("tree_waypoint", tree::waypoint(session, tree, parent, *number).await?)
            }
            Part::Node(node) => ("tree_node", tree::node(session, tree, node.id).await?),
            Part::PathTo(id) => ("tree_node_from_root", tree::paths(session, tree, &[*id]).await?),
            Part::Ordered => ("resource_ordered_records", tree::ordered_records(session, tree).await?),
        })
    }
}

/// Those of these ids that are addresses of parts of published trees, with what the public sees of them.
pub(super) async fn documents(
    index: &Index,
    session: &Session,
    ids: &[String],
) -> Result<Vec<Map<String, Value>>, Refusal> {
    let wanted: Vec<Address<'_>> = ids.iter().filter_map(|id| Address::read(id)).collect();
    if wanted.len() > MOST {
        return Err(Refusal::parameter("uri", format!("At most {MOST} parts of trees can be asked for at once")));
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let published = published(index, &wanted).await?;
    let mut documents = Vec::new();
    for address in &wanted {
        let (root, node) = (address.root.to_string(), address.node());
        if !published.contains(&root) || node.as_ref().is_some_and(|node| !published.contains(node)) {
            continue;
        }
        let (kind, part) = match address.read_part(session).await {
            Ok(read) => read,
            Err(Refusal::NotFound(_)) => continue,
            Err(refusal) => return Err(refusal),
        };
        let document = json!({
            "id": address.id, "uri": address.id, "pui_parent_id": node.unwrap_or(root), "publish": true, "primary_type": kind,
            "jsonmodel_type": kind, "types": ["pui"], "json": part.to_string()});
        documents.extend(document.as_object().cloned());
    }
    Ok(documents)
}

/// The tops and nodes that the public sees. No round trip.
async fn published(index: &Index, wanted: &[Address<'_>]) -> Result<BTreeSet<String>, Refusal> {
    let uris: BTreeSet<String> =
        wanted.iter().flat_map(|address| std::iter::once(address.root.to_string()).chain(address.node())).collect();
    let limit = 2 * uris.len();
    let query = Query::And(vec![Query::any("uri", uris), Query::has("types", "pui"), Query::has("publish", "true")]);
    let found = matching(index, query, limit).await?;
    Ok(found.iter().filter_map(|document| document["uri"].as_str().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_trees_have_addresses() {
        let (tree, node) = ("/repositories/2/resources/7", "/repositories/2/archival_objects/9");
        for (id, node) in [
            (format!("{tree}/tree/root"), None),
            (format!("{tree}/tree/waypoint__3"), None),
            (format!("{tree}/tree/waypoint_{node}_0"), Some(node)),
            (format!("{tree}/tree/node_{node}"), Some(node)),
            (format!("{tree}/tree/node_from_root_9"), Some(node)),
            (format!("{tree}/ordered_records"), None),
        ] {
            let address = Address::read(&id).unwrap_or_else(|| panic!("{id}"));
            assert_eq!((address.root.to_string().as_str(), address.node().as_deref()), (tree, node), "{id}");
        }
        for id in [
            "/repositories/2/resources/7",
            "/repositories/2/resources/7/tree/waypoint__x",
            "/repositories/2/resources/7/tree/waypoint__-1",
            "/repositories/2/resources/7/tree/node_/repositories/3/archival_objects/9",
            "/repositories/2/resources/7/tree/node_/repositories/2/resources/9",
            "/repositories/2/archival_objects/7/tree/root",
            "/repositories/2/digital_objects/7/ordered_records",
        ] {
            assert!(Address::read(id).is_none(), "{id}");
        }
    }
}
