//! `/_/discovery`, `/_/deployment` and `/_/env`: where modules run. All of Carrel's modules run in this process; what
//! clients post about others is stored and returned unchanged.

use http::StatusCode;
use identity::modules::{Registry, version_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::platform::Documents;
use uuid::Uuid;

use super::{
    missing,
    refusals::{
        INSTANCE_EXISTS, INSTANCE_MISSING, NAME_MISSING, NODE_MISSING, NODE_UNKNOWN, SERVICE_EMPTY, SERVICE_MISSING,
        VALUE_MISSING,
    },
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    platform::registry,
    route::{Answer, Routes},
};

const NODE: &str = "carrel";
const DISCOVERED: &str = "/_/discovery/modules";
/// Where a module runs, with any other members the client sent.
const DEPLOYMENT: &str = "instId, srvcId*, nodeId, url, ...";
/// Whether a module answers.
pub(super) const HEALTH: &str = "instId*, srvcId*, healthMessage*, healthStatus*:bool";
const NODES: &str = "nodeId*, url*, nodeName*";
/// An environment entry, with any other members the client sent.
const ENTRY: &str = "name*, value:any, description:any, ...";

pub(super) fn routes(routes: &mut Routes) {
    for path in [DISCOVERED, "/_/deployment/modules"] {
        routes
            .get(path, list)
            .needs(&["okapi.discovery.get"])
            .summary("List where modules run")
            .gives(&format!("[{{{DEPLOYMENT}}}]"));
        routes
            .post(path, deploy)
            .needs(&["okapi.discovery.post"])
            .summary("Tell where a module runs")
            .takes(DEPLOYMENT)
            .gives(DEPLOYMENT)
            .with_status(StatusCode::CREATED);
    }
    routes
        .delete("/_/deployment/modules/{instance}", undeploy)
        .needs(&["okapi.deployment.delete"])
        .summary("Forget where a module runs");
    routes
        .get("/_/discovery/modules/{module}", of_module)
        .needs(&["okapi.discovery.get"])
        .summary("List where a module runs")
        .gives(&format!("[{{{DEPLOYMENT}}}]"));
    routes
        .delete("/_/discovery/modules/{module}", undeploy_module)
        .needs(&["okapi.discovery.delete"])
        .summary("Forget where a module runs");
    routes
        .get("/_/discovery/modules/{module}/{instance}", instance)
        .needs(&["okapi.discovery.get"])
        .summary("Read where a module runs")
        .gives(DEPLOYMENT);
    routes
        .delete("/_/discovery/modules/{module}/{instance}", undeploy_of_module)
        .needs(&["okapi.discovery.delete"])
        .summary("Forget where a module runs");
    routes
        .get("/_/discovery/health", health)
        .needs(&["okapi.discovery.health.get"])
        .summary("Whether the modules answer")
        .gives(&format!("[{{{HEALTH}}}]"));
    routes
        .get("/_/discovery/health/{module}", health_of_module)
        .needs(&["okapi.discovery.health.get"])
        .summary("Whether a module answers where it runs")
        .gives(&format!("[{{{HEALTH}}}]"));
    routes
        .get("/_/discovery/health/{module}/{instance}", health_of_instance)
        .needs(&["okapi.discovery.health.get"])
        .summary("Whether a module answers")
        .gives(HEALTH);
    routes
        .get("/_/discovery/nodes", nodes)
        .needs(&["okapi.discovery.nodes.get"])
        .summary("List the nodes of the gateway")
        .gives(&format!("[{{{NODES}}}]"));
    routes
        .get("/_/discovery/nodes/{node}", node)
        .needs(&["okapi.discovery.nodes.get"])
        .summary("Read a node of the gateway")
        .gives(NODES);
    environment(routes);
}

fn environment(routes: &mut Routes) {
    routes
        .get("/_/env", list_environment)
        .needs(&["okapi.env.list"])
        .summary("List environment entries")
        .gives(&format!("[{{{ENTRY}}}]"));
    routes
        .post("/_/env", add_environment)
        .needs(&["okapi.env.post"])
        .summary("Enter an environment entry")
        .gives(ENTRY)
        .with_status(StatusCode::CREATED)
        .takes(ENTRY);
    routes
        .get("/_/env/{name}", get_environment)
        .needs(&["okapi.env.get"])
        .summary("Read an environment entry")
        .gives(ENTRY);
    routes
        .delete("/_/env/{name}", remove_environment)
        .needs(&["okapi.env.delete"])
        .summary("Remove an environment entry");
}

fn in_this_process(call: &Call) -> impl Iterator<Item = Value> {
    let url = call.app.settings.okapi_url.clone();
    Registry::built_in_ids().into_iter().map(move |id| json!({"instId": id, "srvcId": id, "nodeId": NODE, "url": url}))
}

async fn deployments(call: &Call) -> Result<Vec<Value>, Problem> {
    let mut all: Vec<_> = in_this_process(call).collect();
    all.extend(Documents::Deployments.all(&call.app.database).await?);
    Ok(all)
}

async fn list(call: Call) -> Answer {
    Ok(Reply::pretty(&deployments(&call).await?.into()))
}

/// Where the module of the path runs.
async fn found(call: &Call) -> Result<Vec<Value>, Problem> {
    let id = call.param("module");
    let mut found = deployments(call).await?;
    found.retain(|deployment| deployment["srvcId"] == id);
    if found.is_empty() { Err(missing(id)) } else { Ok(found) }
}

async fn of_module(call: Call) -> Answer {
    Ok(Reply::pretty(&found(&call).await?.into()))
}

/// The deployment of the path.
async fn one(call: &Call) -> Result<Value, Problem> {
    let (module, id) = (call.param("module"), call.param("instance"));
    let all = deployments(call).await?.into_iter();
    let mut found = all.filter(|deployment| deployment["srvcId"] == module && deployment["instId"] == id);
    found.next().ok_or_else(|| missing(format!("{module}/{id}")))
}

async fn instance(call: Call) -> Answer {
    Ok(Reply::pretty(&one(&call).await?))
}

/// A deployment descriptor.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deployment {
    #[serde(skip_serializing_if = "Option::is_none")]
    inst_id: Option<String>,
    srvc_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// Okapi starts a module if a node is named, and otherwise notes where it runs already.
async fn check(call: &Call, sent: &Deployment) -> Result<(), Problem> {
    match (&sent.node_id, sent.others.contains_key("descriptor"), &sent.srvc_id) {
        (None, true, _) => Err(NODE_MISSING.into()),
        (None, false, _) if sent.inst_id.is_none() => Err(INSTANCE_MISSING.into()),
        (Some(_), false, Some(module)) if registry(&call.app).await?.find(module).is_none() => Err(missing(module)),
        _ => Ok(()),
    }
}

async fn deploy(call: Call) -> Answer {
    let mut sent: Deployment = call.parse()?;
    let module = sent.srvc_id.clone().ok_or(SERVICE_MISSING)?;
    if module.is_empty() {
        return Err(SERVICE_EMPTY.into());
    }
    if call.route.path == DISCOVERED {
        check(&call, &sent).await?;
    }
    let id = sent.inst_id.get_or_insert_with(|| Uuid::new_v4().to_string()).clone();
    let document = json!(sent);
    if !Documents::Deployments.add(&call.app.database, &id, &document).await? {
        return Err(INSTANCE_EXISTS.with("id", id).into());
    }
    let location = format!("/_/discovery/modules/{module}/{id}");
    Ok(Reply::pretty(&document).created(&location))
}

async fn undeploy(call: Call) -> Answer {
    let id = call.param("instance");
    remove(&call, Documents::Deployments, id, id).await
}

async fn undeploy_of_module(call: Call) -> Answer {
    one(&call).await?;
    let (module, id) = (call.param("module"), call.param("instance"));
    remove(&call, Documents::Deployments, id, &format!("{module}/{id}")).await
}

async fn undeploy_module(call: Call) -> Answer {
    let module = call.param("module");
    let known = Documents::Deployments.all(&call.app.database).await?;
    let ids: Vec<_> = known
        .iter()
        .filter(|deployment| deployment["srvcId"] == module)
        .filter_map(|deployment| deployment["instId"].as_str())
        .collect();
    if ids.is_empty() {
        return Err(missing(module));
    }
    for id in ids {
        Documents::Deployments.remove(&call.app.database, id).await?;
    }
    Ok(Reply::no_content())
}

async fn health(call: Call) -> Answer {
    Ok(Reply::pretty(&in_this_process(&call).map(|deployment| health_of(&deployment)).collect()))
}

/// Carrel does not ask the addresses that clients told it.
fn health_of(deployment: &Value) -> Value {
    let is_here = deployment["nodeId"] == NODE;
    json!({"instId": deployment["instId"], "srvcId": deployment["srvcId"],
           "healthMessage": if is_here { "OK" } else { "Unknown" }, "healthStatus": is_here})
}

async fn health_of_module(call: Call) -> Answer {
    Ok(Reply::pretty(&found(&call).await?.iter().map(health_of).collect()))
}

async fn health_of_instance(call: Call) -> Answer {
    Ok(Reply::pretty(&health_of(&one(&call).await?)))
}

/// The only node, which is this process.
fn this_node(call: &Call) -> Value {
    let ids = Registry::built_in(identity::modules::OKAPI);
    let version = ids.first().and_then(|id| version_of(id)).unwrap_or_default();
    json!({"nodeId": NODE, "url": call.app.settings.okapi_url, "nodeName": format!("{NODE} {version}")})
}

async fn nodes(call: Call) -> Answer {
    Ok(Reply::pretty(&json!([this_node(&call)])))
}

async fn node(call: Call) -> Answer {
    let (name, node) = (call.param("node"), this_node(&call));
    let is_named = ["nodeId", "url", "nodeName"].iter().any(|member| node[*member] == name);
    if is_named { Ok(Reply::pretty(&node)) } else { Err(NODE_UNKNOWN.with("name", name).into()) }
}

async fn list_environment(call: Call) -> Answer {
    let all = Documents::Environment.all(&call.app.database).await?;
    Ok(Reply::pretty(&all.into()))
}

async fn add_environment(call: Call) -> Answer {
    let sent = call.json()?;
    let Some(name) = sent["name"].as_str().filter(|name| !name.is_empty()) else {
        return Err(NAME_MISSING.into());
    };
    if sent["value"].is_null() {
        return Err(VALUE_MISSING.into());
    }
    // Okapi replaces an entry that has the same name.
    Documents::Environment.remove(&call.app.database, name).await?;
    Documents::Environment.add(&call.app.database, name, &sent).await?;
    Ok(Reply::pretty(&sent).created(&format!("/_/env/{name}")))
}

async fn get_environment(call: Call) -> Answer {
    let name = call.param("name");
    let all = Documents::Environment.all(&call.app.database).await?;
    let found = all.iter().find(|entry| entry["name"] == name);
    found.map(Reply::pretty).ok_or_else(|| missing(name))
}

async fn remove_environment(call: Call) -> Answer {
    let name = call.param("name");
    remove(&call, Documents::Environment, name, name).await
}

/// `shown`: what the refusal calls it.
async fn remove(call: &Call, documents: Documents, name: &str, shown: &str) -> Answer {
    if documents.remove(&call.app.database, name).await? { Ok(Reply::no_content()) } else { Err(missing(shown)) }
}
