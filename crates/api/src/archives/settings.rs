//! The routes of preferences and of a repository's settings for forms (contract 3.5).

use std::sync::Arc;

use ::archives::{
    preferences,
    records::{self, Seen},
    refusal::Refusal,
    settings::{self, Setting},
    users::{self, Which},
};
use http::Method;
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::Reply;

const KIND: &str = "preference";
/// The repository of what holds everywhere.
const EVERYWHERE: i64 = 1;
const VIEW: &[&str] = &["view_repository"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    let all = "/repositories/{repo_id}/preferences";
    let one = "/repositories/{repo_id}/preferences/{id}";
    endpoints.add(Method::GET, all, VIEW, list).asks("user_id:int");
    // Who may write which preferences is asked below.
    endpoints.add(Method::POST, all, &[], add).takes_record().refuses(&[403]);
    endpoints
        .add(Method::GET, &format!("{all}/defaults"), &[], defaults)
        .asks("username:text")
        .summary("Read what all users of a repository prefer, or one does")
        .gives(":object")
        .refuses(&[404]);
    endpoints.add(Method::GET, one, &[], get).refuses(&[403]);
    endpoints.add(Method::POST, one, &[], change).takes_record().refuses(&[403]);
    endpoints.add(Method::DELETE, one, &["delete_archival_record"], remove);
    for path in ["/repositories/{repo_id}/current_preferences", "/current_global_preferences"] {
        endpoints
            .add(Method::GET, path, &[], current)
            .summary("Read what the caller prefers, with what it follows from")
            .gives(":object");
    }
    for name in ["default_values", "required_fields"] {
        let path = format!("/repositories/{{repo_id}}/{name}/{{record_type}}");
        let class = if name == "default_values" { ":DefaultValues" } else { ":RequiredFields" };
        endpoints
            .add(Method::GET, &path, VIEW, move |call| get_setting(call, name))
            .summary("Read a setting of the forms for a type")
            .gives(class)
            .refuses(&[404]);
        endpoints
            .add(Method::POST, &path, &["manage_repository"], move |call| write_setting(call, name))
            .takes(class)
            .summary("Write a setting of the forms for a type")
            .gives("status*:(Updated), id*, lock_version*:int, stale*?:bool, uri*, warnings*:any")
            .refuses(&[409]);
    }
}

fn repository(call: &Call) -> i64 {
    call.repository.unwrap_or(EVERYWHERE)
}

async fn list(call: Call) -> Answer {
    let user = call.parameters.integer("user_id");
    Ok(Reply::json(&preferences::list(&call.session, repository(&call), user).await?.into()))
}

async fn get(call: Call) -> Answer {
    let mut record = records::get(&call.session, call.place(KIND), call.id(), Seen::All).await?;
    may_read(&call, &record)?;
    preferences::complete(&mut record);
    Ok(Reply::json(&record))
}

async fn add(call: Call) -> Answer {
    let record = call.record(KIND)?.record;
    may_write(&call, record.get("user_id").and_then(Value::as_i64))?;
    let tenant = Arc::clone(&call.tenant);
    let written = generic::add(call, KIND).await;
    tenant.archives.sessions.forget();
    written
}

async fn change(call: Call) -> Answer {
    let stored = records::get(&call.session, call.place(KIND), call.id(), Seen::All).await?;
    may_write(&call, stored["user_id"].as_i64())?;
    may_write(&call, call.record(KIND)?.record.get("user_id").and_then(Value::as_i64))?;
    let tenant = Arc::clone(&call.tenant);
    let written = generic::change(call, KIND).await;
    tenant.archives.sessions.forget();
    written
}

async fn remove(call: Call) -> Answer {
    let stored = records::get(&call.session, call.place(KIND), call.id(), Seen::All).await?;
    may_write(&call, stored["user_id"].as_i64())?;
    let tenant = Arc::clone(&call.tenant);
    let written = generic::remove(call, KIND).await;
    tenant.archives.sessions.forget();
    written
}

/// What all users of a repository prefer, or one user does there.
async fn defaults(call: Call) -> Answer {
    let user = match call.parameters.text("username") {
        Some(name) => Some(users::get(&call.session, Which::Name(name)).await?.number),
        None => None,
    };
    let found = preferences::list(&call.session, repository(&call), user).await?;
    let found = found.into_iter().find(|one| one["user_id"].as_i64() == user);
    Ok(Reply::json(&found.map_or_else(|| json!({}), |mut one| one["defaults"].take())))
}

/// What the caller prefers in the repository of the path, or everywhere.
async fn current(call: Call) -> Answer {
    let Some(user) = &call.user else { return Ok(Reply::json(&json!({}))) };
    Ok(Reply::json(&preferences::current(&call.session, repository(&call), user.number).await?))
}

/// Users read their own preferences and those of all.
fn may_read(call: &Call, record: &Value) -> Result<(), Refusal> {
    let own = call.user.as_ref().map(|user| user.number);
    match record["user_id"].as_i64() {
        Some(of) if Some(of) != own && !call.rights.can("manage_repository", call.repository) => Err(Refusal::Denied),
        _ if own.is_none() => Err(Refusal::Denied),
        _ => Ok(()),
    }
}

/// Users write their own preferences, managers those of their repository, administrators those of all.
fn may_write(call: &Call, of: Option<i64>) -> Result<(), Refusal> {
    let may = match of {
        Some(of) => call.user.as_ref().is_some_and(|user| user.number == of),
        None if repository(call) == EVERYWHERE => call.rights.can("administer_system", None),
        None => call.rights.can("manage_repository", call.repository),
    };
    if may { Ok(()) } else { Err(Refusal::Denied) }
}

fn setting<'a>(call: &'a Call, name: &'static str) -> Setting<'a> {
    Setting { name, repository: repository(call), record_type: call.in_path("record_type") }
}

async fn get_setting(call: Call, name: &'static str) -> Answer {
    let mut found = settings::get(&call.session, setting(&call, name)).await?;
    call.hide_of_authorities(&mut found);
    Ok(Reply::json(&found))
}

async fn write_setting(call: Call, name: &'static str) -> Answer {
    let of_type = call.in_path("record_type");
    if name == "required_fields" && !of_type.starts_with("agent_") {
        return Err(Refusal::BadRequest("You can only customize required fields for agents".to_owned()).into());
    }
    let checked = call.record(name)?;
    // As in ArchivesSpace, the path may say the type in another way, such as in the plural.
    let (version, uri) =
        settings::write(&call.session, setting(&call, name), checked.record, checked.lock_version).await?;
    let id = format!("{}_{of_type}", repository(&call));
    Ok(Reply::json(&json!({"status": "Updated", "id": id, "lock_version": version, "stale": null,
        "uri": uri, "warnings": []})))
}
