//! Trees in pages of siblings, "waypoints" (contract 7.2).

use serde_json::{Map, Value, json};
use store::{
    Session,
    db::Parameter,
    statements::archives::{CHILDREN, PREVIOUS_NODE, TREE_NODE, TREE_PAGE, TREE_PATHS, TREE_ROOT},
};

use crate::{
    markup,
    model::Uri,
    nodes::{TreeKind, tree_of_root},
    records::{Place, Seen, get},
    refusal::Refusal,
};

/// How many siblings a page has.
const PAGE: i64 = 200;

/// A tree as a request asks for it.
#[derive(Debug, Clone, Copy)]
pub struct Tree {
    pub kind: &'static TreeKind,
    pub repository: i64,
    /// The record at the top.
    pub root: i64,
    /// Only nodes that are published and not suppressed count.
    pub published_only: bool,
    /// Whether it is there if what is at its top, or the node that is asked for, is suppressed.
    pub seen: Seen,
}

impl Tree {
    /// The tree with an address, such as `/repositories/2/resources/7/tree`.
    pub(crate) fn at(address: &str, seen: Seen) -> Option<Self> {
        let root = Uri::parse(address.strip_suffix("/tree")?)?;
        let kind = tree_of_root(&root.kind.name)?;
        Some(Self { kind, repository: root.repository?, root: root.id, published_only: false, seen })
    }

    pub(super) fn node_uri(&self, id: i64) -> String {
        format!("/repositories/{}/{}s/{id}", self.repository, self.kind.node)
    }

    pub(super) fn root_uri(&self, id: i64) -> String {
        format!("/repositories/{}/{}s/{id}", self.repository, self.kind.root)
    }
}

fn counts(children: i64) -> Map<String, Value> {
    let counts = json!({"child_count": children, "waypoints": (children + PAGE - 1) / PAGE, "waypoint_size": PAGE});
    counts.as_object().cloned().unwrap_or_default()
}

/// The top of the tree, with the first page of its children. Two round trips.
pub async fn root(session: &Session, tree: Tree) -> Result<Value, Refusal> {
    let parameters: [Parameter<'_>; 6] =
        [&tree.kind.root, &tree.root, &tree.repository, &tree.kind.node, &tree.published_only, &tree.seen.all()];
    let row = session.find(TREE_ROOT, &parameters).await?.ok_or_else(|| Refusal::no(tree.kind.root))?;
    let doc: Value = row.get("doc");
    let mut shown = counts(row.get("child_count"));
    let uri = tree.root_uri(tree.root);
    shown.insert("title".to_owned(), doc["title"].clone());
    shown.insert("uri".to_owned(), uri.into());
    shown.insert("slugged_url".to_owned(), Value::Null);
    shown.insert("jsonmodel_type".to_owned(), tree.kind.root.into());
    shown.insert("parsed_title".to_owned(), markup::to_html(&doc["title"]));
    shown.insert("suppressed".to_owned(), row.get::<_, bool>("suppressed").into());
    shown.insert("has_digital_instance".to_owned(), row.get::<_, bool>("has_digital_instance").into());
    let members = match tree.kind.root {
        "resource" => {
            let parts = ["id_0", "id_1", "id_2", "id_3"].iter().filter_map(|part| doc[*part].as_str());
            let level = doc.get("other_level").unwrap_or(&doc["level"]);
            json!({"level": level, "identifier": parts.collect::<Vec<_>>().join("-"),
                   "containers": row.get::<_, Option<Value>>("containers")})
        }
        "digital_object" => {
            // Told even if there is none.
            shown.insert("digital_object_type".to_owned(), doc["digital_object_type"].clone());
            json!({"file_uri_summary": file_uris(&doc["file_versions"])})
        }
        _ => json!({"identifier": doc["identifier"]}),
    };
    add_present(&mut shown, members);
    add_first_page(session, tree, None, &mut shown).await?;
    Ok(Value::Object(shown))
}

fn file_uris(versions: &Value) -> String {
    let uris: Vec<_> = versions.as_array().into_iter().flatten().filter_map(|one| one["file_uri"].as_str()).collect();
    uris.join(", ")
}

fn add_present(shown: &mut Map<String, Value>, members: Value) {
    let Value::Object(members) = members else { return };
    shown.extend(members.into_iter().filter(|(_, value)| !value.is_null()));
}

/// Clients ask for the first page next, so it comes along.
async fn add_first_page(
    session: &Session,
    tree: Tree,
    parent: Option<i64>,
    shown: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let mut pages = Map::new();
    if shown["waypoints"] != 0 {
        let first = waypoint(session, tree, parent, 0).await?;
        let above = parent.map(|id| tree.node_uri(id)).unwrap_or_default();
        pages.insert(above, json!({"0": first}));
    }
    shown.insert("precomputed_waypoints".to_owned(), Value::Object(pages));
    Ok(())
}

/// A node, with the first page of its children. Two round trips.
pub async fn node(session: &Session, tree: Tree, id: i64) -> Result<Value, Refusal> {
    let parameters: [Parameter<'_>; 7] =
        [&tree.kind.root, &tree.root, &tree.repository, &tree.kind.node, &id, &tree.published_only, &tree.seen.all()];
    let row = session.find(TREE_NODE, &parameters).await?.ok_or_else(|| Refusal::no(tree.kind.node))?;
    let doc: Value = row.get("doc");
    let mut shown = counts(row.get("child_count"));
    let title = doc.get("display_string").unwrap_or(&doc["title"]).clone();
    shown.insert("title".to_owned(), title);
    shown.insert("uri".to_owned(), tree.node_uri(id).into());
    // Counted from 1 here, from 0 in pages.
    shown.insert("position".to_owned(), (row.get::<_, i64>("position") + 1).into());
    shown.insert("jsonmodel_type".to_owned(), tree.kind.node.into());
    shown.insert("has_digital_instance".to_owned(), row.get::<_, bool>("has_digital_instance").into());
    if tree.kind.root == "resource" {
        shown.insert("identifier".to_owned(), doc["component_id"].clone());
    } else if tree.kind.root == "classification" {
        shown.insert("identifier".to_owned(), doc["identifier"].clone());
    }
    add_first_page(session, tree, Some(id), &mut shown).await?;
    Ok(Value::Object(shown))
}

/// A page of the children of a node, or of the first level. One round trip.
pub async fn waypoint(session: &Session, tree: Tree, parent: Option<i64>, page: i64) -> Result<Value, Refusal> {
    let skipped = page.max(0).saturating_mul(PAGE);
    let Tree { kind, repository, root, published_only, seen } = tree;
    let parameters: [Parameter<'_>; 9] =
        [&kind.node, &root, &parent, &published_only, &skipped, &PAGE, &kind.root, &repository, &seen.all()];
    let rows = session.query(TREE_PAGE, &parameters).await?;
    if rows.is_empty() {
        return Err(Refusal::no(kind.root));
    }
    let nodes = rows.iter().filter_map(|row| Some((row.get::<_, Option<i64>>("id")?, row)));
    let items = nodes.enumerate().map(|(place, (id, row))| {
        let mut shown = counts(row.get("child_count"));
        let title: Option<String> = row.get("title");
        shown.insert("title".to_owned(), json!(title));
        shown.insert("slugged_url".to_owned(), Value::Null);
        shown.insert("parsed_title".to_owned(), markup::to_html(&json!(title)));
        shown.insert("uri".to_owned(), tree.node_uri(id).into());
        shown.insert("position".to_owned(), (skipped + place as i64).into());
        shown.insert("parent_id".to_owned(), json!(parent));
        shown.insert("suppressed".to_owned(), row.get::<_, bool>("suppressed").into());
        shown.insert("jsonmodel_type".to_owned(), tree.kind.node.into());
        shown.insert("has_digital_instance".to_owned(), row.get::<_, bool>("has_digital_instance").into());
        if tree.kind.root == "classification" {
            shown.insert("identifier".to_owned(), json!(row.get::<_, Option<String>>("identifier")));
        }
        let dates: Option<Value> = row.get("dates");
        let dates = dates.as_ref().and_then(page_dates);
        if tree.kind.root == "resource" {
            shown.insert("identifier".to_owned(), json!(row.get::<_, Option<String>>("component_id")));
            shown.insert("level".to_owned(), json!(row.get::<_, Option<String>>("level")));
            add_present(&mut shown, json!({"dates": dates, "containers": row.get::<_, Option<Value>>("containers")}));
        }
        if tree.kind.root == "digital_object" {
            let files = row.get::<_, Option<Value>>("files").map(|files| file_uris(&files));
            let files = files.filter(|files| !files.is_empty());
            let label: Option<String> = row.get("label");
            add_present(&mut shown, json!({"label": label, "dates": dates, "file_uri_summary": files}));
        }
        Value::Object(shown)
    });
    Ok(items.collect())
}

/// The dates of a component as pages show them.
fn page_dates(dates: &Value) -> Option<Value> {
    let dates = dates.as_array().filter(|dates| !dates.is_empty())?;
    let shown = dates.iter().map(|date| {
        let members = [
            ("type", "date_type"),
            ("label", "label"),
            ("expression", "expression"),
            ("begin", "begin"),
            ("end", "end"),
        ];
        let present = members.iter().filter_map(|(to, from)| Some(((*to).to_owned(), date.get(*from)?.clone())));
        Value::Object(present.collect())
    });
    Some(shown.collect())
}

/// For each of these nodes, the way from the top of the tree: where to find the next step. One round trip.
pub async fn paths(session: &Session, tree: Tree, ids: &[i64]) -> Result<Value, Refusal> {
    let parameters: [Parameter<'_>; 5] =
        [&tree.kind.node, &ids, &tree.repository, &tree.published_only, &tree.seen.all()];
    let rows = session.query(TREE_PATHS, &parameters).await?;
    let mut all: Map<String, Value> = Map::new();
    // A step names the node above and the page of its children that has the next node. Rows come from the top down.
    let mut above: Option<String> = None;
    for row in &rows {
        let steps = all.entry(row.get::<_, i64>("asked").to_string()).or_insert_with(|| json!([]));
        let Some(steps) = steps.as_array_mut() else { continue };
        let parent: Option<i64> = row.get("parent");
        let title: Option<String> = if steps.is_empty() { row.get("root_title") } else { above };
        let title = json!(title);
        let kind = if parent.is_none() { tree.kind.root } else { tree.kind.node };
        steps.push(json!({"node": parent.map(|id| tree.node_uri(id)),
            "root_record_uri": tree.root_uri(row.get("root")), "offset": row.get::<_, i64>("position") / PAGE,
            "jsonmodel_type": kind, "title": title, "parsed_title": markup::to_html(&title)}));
        above = row.get("title");
    }
    if ids.iter().any(|id| !all.contains_key(&id.to_string())) {
        return Err(Refusal::no(tree.kind.node));
    }
    Ok(Value::Object(all))
}

/// The children of a node as a GET returns them. One round trip; another tells a node without children from none.
pub async fn children(session: &Session, place: Place, id: i64, seen: Seen) -> Result<Vec<Value>, Refusal> {
    let children: Vec<Value> = session.values(CHILDREN, &[&place.kind, &id, &place.repository, &seen.all()]).await?;
    if children.is_empty() {
        get(session, place, id, seen).await?;
    }
    Ok(children)
}

/// The node before a node: its sibling or, if it is the first, its parent. One round trip.
pub async fn previous(session: &Session, place: Place, id: i64, seen: Seen) -> Result<Value, Refusal> {
    let found = session.find_value(PREVIOUS_NODE, &[&place.kind, &id, &place.repository, &seen.all()]).await?;
    found.ok_or_else(|| Refusal::NotFound("No previous node".to_owned()))
}
