//! Trees of components (contract 3.2).

use ::archives::{
    model::{Uri, class_name},
    nodes::{TREES, TreeKind},
    refusal::Refusal,
    tree::{self, Tree},
};
use http::Method;
use serde_json::{Value, json};

use super::{
    call::{Call, updated},
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const VIEW: &[&str] = &["view_repository"];

/// The trees that are served, with the permissions to change them.
const SERVED: [(&TreeKind, &[&str]); 3] = [
    (&TREES[0], &["update_resource_record"]),
    (&TREES[1], &["update_digital_object_record"]),
    (&TREES[2], &["update_classification_record"]),
];

pub(super) fn routes(endpoints: &mut Endpoints) {
    for (kind, update) in SERVED {
        let root = format!("/repositories/{{repo_id}}/{}s/{{id}}", kind.root);
        let node = format!("/repositories/{{repo_id}}/{}s/{{id}}", kind.node);
        let published = "published_only:bool";
        let class = class_name(kind.node);
        endpoints
            .add(Method::GET, &format!("{root}/tree/root"), VIEW, move |call| tree_root(call, kind))
            .asks(published)
            .summary("Read the top of a tree")
            .gives(":TreeRoot");
        endpoints
            .add(Method::GET, &format!("{root}/tree/waypoint"), VIEW, move |call| waypoint(call, kind))
            .asks("offset!:int parent_node:text")
            .asks(published)
            .summary("Read a page of the nodes below a node")
            .gives("[TreeChild]")
            .refuses(&[404]);
        endpoints
            .add(Method::GET, &format!("{root}/tree/node"), VIEW, move |call| tree_node(call, kind))
            .asks("node_uri!:text")
            .asks(published)
            .summary("Read a node of a tree")
            .gives(":TreeNode");
        endpoints
            .add(Method::GET, &format!("{root}/tree/node_from_root"), VIEW, move |call| node_from_root(call, kind))
            .asks("node_ids!:ints")
            .asks(published)
            .summary("Read the ways from the top to nodes")
            .gives(":object");
        endpoints
            .add(Method::GET, &format!("{root}/tree"), VIEW, move |call| whole(call, kind))
            .asks("limit_to:text")
            .summary("Read a whole tree")
            .gives(&format!(":{}Tree", class_name(kind.root)));
        if kind.root == "resource" {
            endpoints
                .add(Method::GET, &format!("{root}/ordered_records"), VIEW, move |call| ordered(call, kind))
                .summary("List the published records of a tree in their order")
                .gives(":ResourceOrderedRecords");
        }
        endpoints
            .add(Method::GET, &format!("{node}/children"), VIEW, move |call| children(call, kind))
            .asks("resolve:texts")
            .summary("List the nodes below a node")
            .gives(&format!("[{class}]"));
        endpoints
            .add(Method::POST, &format!("{node}/parent"), update, move |call| set_parent(call, kind))
            .asks("parent:int position!:int")
            .summary("Move a node")
            .gives(":Updated")
            .refuses(&[409]);
        let described = kind.root != "classification";
        if described {
            endpoints
                .add(Method::GET, &format!("{node}/previous"), VIEW, move |call| previous(call, kind))
                .asks("resolve:texts")
                .summary("Read the node before a node")
                .gives(&format!(":{class}"));
        }
        for (of, path) in [(kind.root, &root), (kind.node, &node)] {
            if described {
                endpoints
                    .add(Method::POST, &format!("{path}/children"), update, move |call| add_children(call, of, kind))
                    // Their places come from the path, so they need not say them.
                    .takes("children*[object]")
                    .summary("Add nodes below a node")
                    .gives(":Updated");
            }
            let accepting = endpoints
                .add(Method::POST, &format!("{path}/accept_children"), update, move |call| accept(call, of))
                .asks("children:texts position!:int")
                .summary("Move nodes below a node")
                .gives(":Updated");
            if of == kind.node {
                accepting.refuses(&[409]);
            }
        }
    }
}

impl Call {
    fn tree(&self, kind: &'static TreeKind) -> Tree {
        let published_only = self.parameters.boolean("published_only").unwrap_or(false);
        Tree {
            kind,
            repository: self.repository.unwrap_or_default(),
            root: self.id(),
            published_only,
            seen: self.seen(),
        }
    }

    /// The id of the node that a parameter names by its address.
    fn node(&self, name: &str, kind: &TreeKind) -> Result<Option<i64>, Problem> {
        let Some(text) = self.parameters.text(name).filter(|text| !text.is_empty()) else { return Ok(None) };
        let uri = Uri::parse(text).filter(|uri| uri.kind.name == kind.node && uri.repository == self.repository);
        Ok(Some(uri.ok_or_else(|| Refusal::no(kind.node))?.id))
    }
}

async fn tree_root(call: Call, kind: &'static TreeKind) -> Answer {
    Ok(Reply::json(&tree::root(&call.session, call.tree(kind)).await?))
}

async fn waypoint(call: Call, kind: &'static TreeKind) -> Answer {
    let parent = call.node("parent_node", kind)?;
    let offset = call.parameters.count("offset")?.unwrap_or_default();
    Ok(Reply::json(&tree::waypoint(&call.session, call.tree(kind), parent, offset).await?))
}

async fn tree_node(call: Call, kind: &'static TreeKind) -> Answer {
    let id = call.node("node_uri", kind)?.ok_or_else(|| Refusal::no(kind.node))?;
    Ok(Reply::json(&tree::node(&call.session, call.tree(kind), id).await?))
}

async fn node_from_root(call: Call, kind: &'static TreeKind) -> Answer {
    let ids = call.parameters.integers("node_ids");
    Ok(Reply::json(&tree::paths(&call.session, call.tree(kind), &ids).await?))
}

async fn whole(call: Call, kind: &'static TreeKind) -> Answer {
    let limit_to = call.parameters.text("limit_to");
    Ok(Reply::json(&tree::whole(&call.session, call.tree(kind), limit_to).await?))
}

async fn ordered(call: Call, kind: &'static TreeKind) -> Answer {
    Ok(Reply::json(&tree::ordered_records(&call.session, call.tree(kind)).await?))
}

async fn children(call: Call, kind: &'static TreeKind) -> Answer {
    let found = tree::children(&call.session, call.place(kind.node), call.id(), call.seen()).await?;
    call.resolved(found.into()).await
}

async fn previous(call: Call, kind: &'static TreeKind) -> Answer {
    let found = tree::previous(&call.session, call.place(kind.node), call.id(), call.seen()).await?;
    call.resolved(found).await
}

async fn set_parent(call: Call, kind: &'static TreeKind) -> Answer {
    let (parent, slot) = (call.parameters.integer("parent"), call.parameters.integer("position").unwrap_or_default());
    let place = call.place(kind.node);
    let version = tree::set_parent(&call.session, place, call.id(), (parent, slot), &call.author()).await?;
    Ok(updated(call.id(), version.into()))
}

async fn accept(call: Call, of: &'static str) -> Answer {
    let to = (call.parameters.texts("children"), call.parameters.integer("position").unwrap_or_default());
    let version = tree::accept_children(&call.session, call.place(of), call.id(), to, &call.author()).await?;
    Ok(updated(call.id(), version.into()))
}

/// Adds the records of the body below the one of the path. They get their place from the path, whatever they say.
async fn add_children(call: Call, of: &'static str, kind: &'static TreeKind) -> Answer {
    let mut body = call.json()?;
    let Some(Value::Array(sent)) = body.get_mut("children").map(Value::take) else {
        return Err(Refusal::parameter("children", "Property is required but was missing").into());
    };
    let root = format!("/repositories/{}/{}s/{}", call.repository.unwrap_or_default(), kind.root, call.id());
    let mut children = Vec::new();
    for (place, mut child) in sent.into_iter().enumerate() {
        if let Some(members) = child.as_object_mut() {
            members.insert(kind.root.to_owned(), json!({"ref": root}));
        }
        let checked = call.checked(kind.node, child).map_err(|refusal| refusal.at(&format!("children/{place}")))?;
        children.push(checked.record);
    }
    let version = tree::add_children(&call.session, call.place(of), call.id(), children, &call.author()).await?;
    Ok(updated(call.id(), version.into()))
}
