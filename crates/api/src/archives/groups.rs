//! The routes of a repository's groups (contract 3.5).

use ::archives::groups;
use http::Method;

use super::{
    call::{Call, saved},
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::Reply;

const KIND: &str = "group";

pub(super) fn routes(endpoints: &mut Endpoints) {
    let manage: &[&str] = &["manage_repository"];
    let (all, one) = ("/repositories/{repo_id}/groups", "/repositories/{repo_id}/groups/{id}");
    endpoints.add(Method::GET, all, manage, list).asks("group_code:text");
    endpoints.add(Method::POST, all, manage, add).takes_record();
    endpoints.add(Method::GET, one, manage, get).asks("with_members:bool");
    endpoints.add(Method::POST, one, manage, change).takes_record().asks("with_members:bool");
    endpoints.add(Method::DELETE, one, manage, remove);
}

async fn list(call: Call) -> Answer {
    let found = groups::list(&call.session, call.repository, call.parameters.text("group_code")).await?;
    Ok(Reply::json(&found.into()))
}

async fn get(call: Call) -> Answer {
    let with_members = call.parameters.boolean("with_members").unwrap_or(true);
    Ok(Reply::json(&groups::get(&call.session, call.place(KIND), call.id(), with_members).await?))
}

async fn add(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    let warnings = checked.warnings.clone();
    let id = groups::add(&call.session, call.place(KIND), checked, &call.author()).await?;
    call.tenant.archives.sessions.forget();
    Ok(saved("Created", call.place(KIND), id, 0, &warnings))
}

async fn change(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    let warnings = checked.warnings.clone();
    let with_members = call.parameters.boolean("with_members").unwrap_or(true);
    let version =
        groups::change(&call.session, call.place(KIND), call.id(), checked, with_members, &call.author()).await?;
    call.tenant.archives.sessions.forget();
    Ok(saved("Updated", call.place(KIND), call.id(), version, &warnings))
}

async fn remove(call: Call) -> Answer {
    let tenant = std::sync::Arc::clone(&call.tenant);
    let removed = generic::remove(call, KIND).await;
    tenant.archives.sessions.forget();
    removed
}
