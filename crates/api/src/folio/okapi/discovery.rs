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
    refusals::{INSTANCE_EXISTS, NAME_MISSING, SERVICE_MISSING},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const NODE: &str = "carrel";
/// Where a module runs, with any other members the client sent.
const DEPLOYMENT: &str = "instId, srvcId*, nodeId, url, ...";
/// Whether each module answers.
pub(super) const HEALTH: &str = "[{instId*, srvcId*, healthMessage*, healthStatus*:bool}]";
/// An environment entry, with any other members the client sent.
const ENTRY: &str = "name*, value:any, description:any, ...";

pub(super) fn routes(routes: &mut Routes) {
    for path in ["/_/discovery/modules", "/_/deployment/modules"] {
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
        .delete("/_/discovery/modules/{module}/{instance}", undeploy)
        .needs(&["okapi.discovery.delete"])
        .summary("Forget where a module runs");
    routes
        .get("/_/discovery/health", health)
        .needs(&["okapi.discovery.health.get"])
        .summary("Whether the modules answer")
        .gives(HEALTH);
    routes
        .get("/_/discovery/nodes", nodes)
        .needs(&["okapi.discovery.nodes.get"])
        .summary("List the nodes of the gateway")
        .gives("[{nodeId*, url*, nodeName*}]");
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

async fn of_module(call: Call) -> Answer {
    let id = call.param("module");
    let mut found = deployments(&call).await?;
    found.retain(|deployment| deployment["srvcId"] == id);
    if found.is_empty() {
        return Err(missing("Module", id));
    }
    Ok(Reply::pretty(&found.into()))
}

async fn instance(call: Call) -> Answer {
    let id = call.param("instance");
    let all = deployments(&call).await?;
    let found = all.iter().find(|deployment| deployment["instId"] == id);
    found.map(Reply::pretty).ok_or_else(|| missing("Instance", id))
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

async fn deploy(call: Call) -> Answer {
    let mut sent: Deployment = call.parse()?;
    let module = sent.srvc_id.clone().ok_or(SERVICE_MISSING)?;
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
    remove(&call, Documents::Deployments, "Instance", id).await
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
        return Err(missing("Module", module));
    }
    for id in ids {
        Documents::Deployments.remove(&call.app.database, id).await?;
    }
    Ok(Reply::no_content())
}

async fn health(call: Call) -> Answer {
    let health = in_this_process(&call).map(|deployment| {
        json!({"instId": deployment["instId"], "srvcId": deployment["srvcId"],
               "healthMessage": "OK", "healthStatus": true})
    });
    Ok(Reply::pretty(&health.collect()))
}

async fn nodes(call: Call) -> Answer {
    let ids = Registry::built_in(identity::modules::OKAPI);
    let version = ids.first().and_then(|id| version_of(id)).unwrap_or_default();
    Ok(Reply::pretty(&json!([{"nodeId": NODE, "url": call.app.settings.okapi_url,
        "nodeName": format!("{NODE} {version}")}])))
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
    // Okapi replaces an entry that has the same name.
    Documents::Environment.remove(&call.app.database, name).await?;
    Documents::Environment.add(&call.app.database, name, &sent).await?;
    Ok(Reply::pretty(&sent).created(&format!("/_/env/{name}")))
}

async fn get_environment(call: Call) -> Answer {
    let name = call.param("name");
    let all = Documents::Environment.all(&call.app.database).await?;
    let found = all.iter().find(|entry| entry["name"] == name);
    found.map(Reply::pretty).ok_or_else(|| missing("Entry", name))
}

async fn remove_environment(call: Call) -> Answer {
    let name = call.param("name");
    remove(&call, Documents::Environment, "Entry", name).await
}

async fn remove(call: &Call, documents: Documents, what: &str, name: &str) -> Answer {
    if documents.remove(&call.app.database, name).await? { Ok(Reply::no_content()) } else { Err(missing(what, name)) }
}
