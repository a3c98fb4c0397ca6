//! `/password` and `/tenant/rules`: what a new password has to be like (mod-password-validator).

use std::sync::Arc;

use http::StatusCode;
use identity::{
    collections::PASSWORD_RULES,
    composite::password_rules,
    credentials::is_repeated,
    password_rules::{Kind, Rule, broken_rules},
};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    collection::Collection,
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const RULE: &str =
    "ruleId:uuid, name*, type*, validationType*, state*, expression, description, orderNo*:int,
    errMessageId";

/// Enters the routes of mod-password-validator.
pub fn routes(routes: &mut Routes) {
    routes
        .post("/password/validate", validate)
        .summary("Check a new password of a user")
        .takes("userId*, password*")
        .gives("result, messages[]");
    routes
        .post("/password/check", check)
        .summary("Check a password for a user name that may not exist yet")
        .takes("username*, password*")
        .gives("result, messages[]");
    routes
        .get("/tenant/rules", list)
        .summary("List the rules for passwords");
    routes
        .post("/tenant/rules", create)
        .summary("Create a rule for passwords")
        .takes(RULE)
        .gives(RULE);
    routes
        .put("/tenant/rules", replace)
        .summary("Replace a rule for passwords")
        .takes(RULE);
    routes
        .get("/tenant/rules/{ruleId}", get)
        .summary("Read a rule for passwords")
        .gives(RULE);
}

/// The rules a new password of the user breaks; `None` when there is no such user.
///
/// # Errors
/// The database's failures.
pub async fn broken(
    call: &Call,
    user: Uuid,
    password: &str,
) -> Result<Option<Vec<String>>, Problem> {
    let (username, rules) = read(call, Some(user)).await?;
    let Some(username) = username else {
        return Ok(None);
    };
    let asks = rules.iter().any(|rule| rule.kind == Kind::Programmatic);
    let repeated = asks && is_repeated(&call.session, user, password).await?;
    Ok(Some(broken_rules(
        &rules, password, &username, repeated, false,
    )))
}

async fn read(call: &Call, user: Option<Uuid>) -> Result<(Option<String>, Vec<Rule>), Problem> {
    let (username, rules) = password_rules(&call.session, user).await?;
    let rules = serde_json::from_value(rules)
        .map_err(|error| Problem::Internal(format!("rules for passwords: {error}")))?;
    Ok((username, rules))
}

fn result(messages: &[String]) -> Reply {
    let result = if messages.is_empty() {
        "valid"
    } else {
        "invalid"
    };
    Reply::json(&json!({"result": result, "messages": messages}))
}

fn not_found(what: &str) -> Problem {
    Problem::spring(StatusCode::NOT_FOUND, what, "NOT_FOUND_ERROR", None)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfUser {
    user_id: String,
    password: String,
}

async fn validate(call: Call) -> Answer {
    let sent: OfUser = call.parse()?;
    let unknown = || not_found(&format!("User with given id not found: {}", sent.user_id));
    let user = sent.user_id.parse().map_err(|_| unknown())?;
    let messages = broken(&call, user, &sent.password)
        .await?
        .ok_or_else(unknown)?;
    Ok(result(&messages))
}

#[derive(Deserialize)]
struct OfName {
    username: String,
    password: String,
}

async fn check(call: Call) -> Answer {
    let sent: OfName = call.parse()?;
    let (_, mut rules) = read(&call, None).await?;
    rules.retain(|rule| rule.kind != Kind::Programmatic);
    if rules.is_empty() {
        return Err(not_found("No matched rules for password checking"));
    }
    Ok(result(&broken_rules(
        &rules,
        &sent.password,
        &sent.username,
        false,
        true,
    )))
}

fn collection(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection(PASSWORD_RULES)
        .ok_or_else(|| Problem::Internal("no collection keeps rules for passwords".into()))
}

async fn list(call: Call) -> Answer {
    let declared = collection(&call)?;
    collections::list(call, declared).await
}

async fn get(call: Call) -> Answer {
    let id = call.param("ruleId");
    let unknown = || not_found(&format!("Rule with id {id} not found"));
    let uuid = id.parse().map_err(|_| unknown())?;
    let found = records::find(&call.session, &*collection(&call)?, uuid).await?;
    found.map(Reply::json_text).ok_or_else(unknown)
}

/// The rule the request sends, under the id it names.
fn sent_id(call: &Call) -> Result<Option<Uuid>, Problem> {
    let sent: Value = call.json()?;
    Ok(sent["ruleId"].as_str().and_then(|id| id.parse().ok()))
}

async fn create(call: Call) -> Answer {
    let declared = collection(&call)?;
    let id = sent_id(&call)?.unwrap_or_else(Uuid::new_v4);
    let (_, record) = collections::accepted(&call, &declared, Some(id))?;
    let written = records::insert(&call.session, &declared, id, record.clone()).await;
    written.map_err(|error| {
        collections::refused(error, &declared, &record, collections::Channel::Post)
    })?;
    let stored = records::find(&call.session, &declared, id).await?;
    Ok(Reply::json_text(stored.unwrap_or_default()).created(&format!("/tenant/rules/{id}")))
}

async fn replace(call: Call) -> Answer {
    let declared = collection(&call)?;
    let unknown = || not_found("Rule not found");
    let id = sent_id(&call)?.ok_or_else(unknown)?;
    let (_, record) = collections::accepted(&call, &declared, Some(id))?;
    let written = records::replace(&call.session, &declared, id, record.clone()).await;
    let written = written.map_err(|error| {
        collections::refused(error, &declared, &record, collections::Channel::Put)
    })?;
    if written == Update::NotFound {
        return Err(unknown());
    }
    Ok(Reply::no_content())
}
