//! Repositories (contract 3.1).

use ::archives::{
    model::{Checked, Uri},
    records::{self, Listing, Page, Place, Replacement, Seen},
    refusal::Refusal,
    repositories::{self, REPOSITORIES},
};
use http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use store::archives::Sort;

use super::{
    call::{Call, saved, updated},
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::{Problem, Reply};

const KIND: &str = REPOSITORIES.kind;
const AGENT: &str = "agent_corporate_entity";
const AGENTS: Place = Place { kind: AGENT, repository: None };
/// A repository with its agent in one body.
const PAIR: &str = "repository_with_agent";
const WITH_AGENT: &str = "/repositories/with_agent";

pub(super) fn routes(endpoints: &mut Endpoints) {
    let manage: &[&str] = &["create_repository"];
    endpoints.add(Method::GET, "/repositories", &[], list).asks("resolve:texts");
    endpoints.add(Method::POST, "/repositories", manage, add).takes_record();
    endpoints.add(Method::GET, "/repositories/{id}", &[], |call| generic::get(call, KIND)).asks("resolve:texts");
    // To clients its id is a parameter, which is wrong if there is no such repository.
    endpoints
        .add(Method::DELETE, "/repositories/{id}", &["delete_repository"], remove)
        .refuses(&[409])
        .never_refuses(&[404]);
    let position = "/repositories/{repo_id}/position";
    endpoints
        .add(Method::POST, position, &["administer_system"], place)
        .asks("position!:int")
        .summary("Move a repository among the others")
        .gives(":Updated");
    let with_agent = format!("{WITH_AGENT}/{{id}}");
    endpoints.add(Method::GET, &with_agent, &[], get_with_agent);
    endpoints.add(Method::POST, WITH_AGENT, manage, add_with_agent).takes_record();
    endpoints.add(Method::POST, &with_agent, manage, change_with_agent).takes_record();
    endpoints.add(Method::POST, "/repositories/{id}", manage, |call| generic::change(call, KIND)).takes_record();
}

/// All repositories, not in pages: a library has few.
async fn list(call: Call) -> Answer {
    let sort = Sort::by("id", false).ok_or_else(|| Refusal::BadRequest("id".to_owned()))?;
    let all = Listing::Page(Page { number: 1, size: i64::from(u16::MAX), sort });
    let mut listed = records::list(&call.session, REPOSITORIES, &all, Timestamp::UNIX_EPOCH, Seen::All).await?;
    let mut found = listed["results"].take();
    if let Value::Array(found) = &mut found {
        found.retain(|one| one["uri"] != "/repositories/1");
    }
    call.resolved(found).await
}

async fn add(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    let warnings = checked.warnings.clone();
    let id = repositories::add(&call.session, checked, None, &call.author()).await?;
    Ok(saved("Created", REPOSITORIES, id, 0, &warnings))
}

async fn place(call: Call) -> Answer {
    let position = call.parameters.integer("position").unwrap_or_default();
    let id = call.repository.unwrap_or_default();
    let version = repositories::place(&call.session, id, position, &call.author()).await?;
    Ok(updated(id, version.into()))
}

async fn remove(call: Call) -> Answer {
    let id = call.id();
    repositories::delete(&call.session, id, &call.author()).await.map_err(|refusal| match refusal {
        // The path's repository is a parameter to clients.
        Refusal::NotFound(_) => Refusal::parameter("repo_id", "Failed validation -- The Repository must exist"),
        refusal => refusal,
    })?;
    call.tenant.archives.forget_repository(id);
    call.tenant.archives.sessions.forget();
    Ok(Reply::json(&json!({"status": "Deleted", "id": id})))
}

/// A repository with the agent that stands for it.
async fn get_with_agent(call: Call) -> Answer {
    let repository = records::get(&call.session, REPOSITORIES, call.id(), Seen::All).await?;
    let agent = agent_of(&call, &repository).await?;
    let uri = format!("{WITH_AGENT}/{}", call.id());
    Ok(Reply::json(
        &json!({"jsonmodel_type": PAIR, "uri": uri, "repository": repository, "agent_representation": agent}),
    ))
}

async fn add_with_agent(call: Call) -> Answer {
    let (checked, agent) = pair(&call)?;
    let warnings = checked.warnings.clone();
    let agent = agent.map(|agent| agent.record);
    let id = repositories::add(&call.session, checked, agent, &call.author()).await?;
    Ok(saved("Created", Place { kind: PAIR, ..REPOSITORIES }, id, 0, &warnings))
}

/// Changes a repository and its agent, or neither.
async fn change_with_agent(call: Call) -> Answer {
    const PARTS: [&str; 2] = ["repository", "agent_representation"];
    let (checked, agent) = pair(&call)?;
    let warnings = checked.warnings.clone();
    let before = records::get(&call.session, REPOSITORIES, call.id(), Seen::All).await?;
    let stands = agent_uri(&before);
    let agent_before = match (&agent, &stands) {
        (Some(_), Some(uri)) => records::get(&call.session, AGENTS, uri.id, Seen::All).await?,
        _ => Value::Null,
    };
    let mut parts = vec![Replacement { place: REPOSITORIES, id: call.id(), checked, before: &before }];
    if let (Some(checked), Some(uri)) = (agent, stands) {
        parts.push(Replacement { place: AGENTS, id: uri.id, checked, before: &agent_before });
    }
    let versions = records::change_together(&call.session, parts, &call.author()).await?;
    let versions = versions.map_err(|(place, refusal)| refusal.at(PARTS.get(place).copied().unwrap_or_default()))?;
    let version = versions.first().copied().unwrap_or_default();
    Ok(saved("Updated", Place { kind: PAIR, ..REPOSITORIES }, call.id(), version, &warnings))
}

/// The repository and the agent of the body, both checked as records of their own.
fn pair(call: &Call) -> Result<(Checked, Option<Checked>), Problem> {
    let mut body = call.json()?;
    if !body["repository"].is_object() {
        return Err(Refusal::parameter("repository", "Property is required but was missing").into());
    }
    let repository = call.checked(KIND, body["repository"].take()).map_err(|refusal| refusal.at("repository"))?;
    let agent = match body["agent_representation"].take() {
        Value::Null => None,
        agent => Some(call.checked(AGENT, agent).map_err(|refusal| refusal.at("agent_representation"))?),
    };
    Ok((repository, agent))
}

/// Where the agent of a repository is.
fn agent_uri(repository: &Value) -> Option<Uri> {
    Uri::parse(repository["agent_representation"]["ref"].as_str()?)
}

async fn agent_of(call: &Call, repository: &Value) -> Result<Value, Problem> {
    let Some(uri) = agent_uri(repository) else { return Ok(Value::Null) };
    let mut agent = records::get(&call.session, AGENTS, uri.id, Seen::All).await?;
    call.hide_of_authorities(&mut agent);
    Ok(agent)
}
