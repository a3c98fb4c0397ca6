//! `/password` and `/tenant/rules`: requirements for new passwords (mod-password-validator).

use std::sync::Arc;

use http::StatusCode;
use identity::{
    collections::PASSWORD_RULES,
    composite::password_rules,
    credentials::is_repeated,
    password_rules::{Kind, Rule, broken_rules},
};
use serde_json::{Map, Value, json};
use store::{
    StoreError,
    collection::Collection,
    query::{self, QueryError},
    record::{Breach, Rejection, Schema},
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections, manner,
    route::{Answer, Form, Routes},
};

refusals::table! {
    /// New passwords and the rules for them.
    pub(crate) TABLE: Alone, "docs/folio/composite-users.md#password-rules";
    USER_UNKNOWN: "The user does not exist." => 404 "User with given id not found" [userId];
    NO_RULES: "No rule can be checked for a user name." => 422 "No matched rules for password checking";
    QUERY_INVALID: "A query for rules cannot be read." => 422 "{fault}";
    RULE_UNKNOWN: "The rule that is read does not exist." => 404 "Rule with id {id} not found";
    CHANGED_RULE_UNKNOWN: "The rule that is changed does not exist." => 404 "Rule not found";
    NAME_TAKEN: "Another rule has the name." => 422 "Key (name)=({name}) already exists." [name];
}

const RULE: &str = "id:uuid, name*, type*, validationType*, state*, moduleName*, expression, implementationReference,
    description, orderNo*:int, errMessageId*";
/// A rule as stored.
const KEPT: &str = "id*:uuid, name*, type*, validationType*, state*, moduleName*, expression, implementationReference,
    description, orderNo*:int, errMessageId*, metadata:Metadata";

const OF_USER: &str = "userId*, password*";
const OF_NAME: &str = "username*, password*";

/// Adds the routes of mod-password-validator.
pub fn routes(routes: &mut Routes) {
    routes
        .post("/password/validate", validate)
        .summary("Check a new password of a user")
        .refuses_as(404, Form::Alone)
        .refuses_as(422, Form::Errors)
        .takes(OF_USER)
        .gives("result, messages[]");
    routes
        .post("/password/check", check)
        .summary("Check a password for a user name that may not exist yet")
        .refuses_as(422, Form::Alone)
        .refuses_as(422, Form::Errors)
        .takes(OF_NAME)
        .gives("result, messages[]");
    routes
        .get("/tenant/rules", list)
        .summary("List the rules for passwords")
        .refuses_as(422, Form::Alone)
        .gives(KEPT)
        .lists("rules");
    routes
        .post("/tenant/rules", create)
        .summary("Create a rule for passwords")
        .refuses_as(404, Form::Alone)
        .refuses_as(422, Form::Alone)
        .refuses_as(422, Form::Errors)
        .takes(RULE)
        .gives(KEPT);
    routes
        .put("/tenant/rules", replace)
        .summary("Replace a rule for passwords")
        .refuses_as(404, Form::Alone)
        .refuses_as(422, Form::Alone)
        .refuses_as(422, Form::Errors)
        .takes(RULE)
        .gives(KEPT);
    routes
        .get("/tenant/rules/{ruleId}", get)
        .summary("Read a rule for passwords")
        .refuses_as(404, Form::Alone)
        .gives(KEPT);
}

/// The rules that a user's new password breaks; `None` if the user does not exist.
pub async fn broken(call: &Call, user: Uuid, password: &str) -> Result<Option<Vec<String>>, Problem> {
    let (username, rules) = read(call, Some(user)).await?;
    let Some(username) = username else {
        return Ok(None);
    };
    let asks = rules.iter().any(|rule| rule.kind == Kind::Programmatic);
    let repeated = asks && is_repeated(&call.session, user, password).await?;
    Ok(Some(broken_rules(&rules, password, &username, repeated, false)))
}

async fn read(call: &Call, user: Option<Uuid>) -> Result<(Option<String>, Vec<Rule>), Problem> {
    let (username, rules) = password_rules(&call.session, user).await?;
    let rules =
        serde_json::from_value(rules).map_err(|error| Problem::Internal(format!("rules for passwords: {error}")))?;
    Ok((username, rules))
}

fn result(messages: &[String]) -> Reply {
    let result = if messages.is_empty() { "valid" } else { "invalid" };
    Reply::json(&json!({"result": result, "messages": messages}))
}

/// The members of the request, or 422 with an error for each missing or invalid member.
fn sent(call: &Call, schema: &Schema) -> Result<Map<String, Value>, Problem> {
    let known = schema.without_unknown(call.json()?);
    schema.accept(known).map_err(|rejection| match rejection {
        Rejection::Unreadable(text) => manner::unreadable(call, &text),
        Rejection::Breaches(breaches) => {
            let errors: Vec<_> = breaches.iter().map(told).collect();
            let body = json!({"errors": errors, "total_records": errors.len()});
            Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
        }
    })
}

fn told(breach: &Breach) -> Value {
    let (message, _, key, value) = breach.in_words();
    json!({"message": format!("{key} {message}"), "type": "-1",
        "parameters": [{"key": key, "value": value}]})
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> &'a str {
    let value = members.get(name).and_then(Value::as_str);
    value.unwrap_or_default()
}

async fn validate(call: Call) -> Answer {
    let sent = sent(&call, &Schema::declare(OF_USER))?;
    let id = text(&sent, "userId");
    let unknown = || USER_UNKNOWN.with("userId", id);
    let user = id.parse().map_err(|_| unknown())?;
    let messages = broken(&call, user, text(&sent, "password")).await?.ok_or_else(unknown)?;
    Ok(result(&messages))
}

async fn check(call: Call) -> Answer {
    let sent = sent(&call, &Schema::declare(OF_NAME))?;
    let (_, mut rules) = read(&call, None).await?;
    rules.retain(|rule| rule.kind != Kind::Programmatic);
    if rules.is_empty() {
        return Err(NO_RULES.into());
    }
    Ok(result(&broken_rules(&rules, text(&sent, "password"), text(&sent, "username"), false, true)))
}

fn collection(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection(PASSWORD_RULES)
        .ok_or_else(|| Problem::Internal("no collection keeps rules for passwords".into()))
}

/// GET of the rules. `totalRecords` counts only those in the response, as in the module. One round trip.
async fn list(call: Call) -> Answer {
    let declared = collection(&call)?;
    let mut request = collections::asked(&call, &declared)?;
    request.totals = "none";
    let (session, all) = (&call.session, &call.app.collections);
    let page = query::list(session, all, &declared, &request).await;
    let page = page.map_err(|error| match error {
        QueryError::Cql(text) => Problem::from(QUERY_INVALID.with("fault", text)),
        QueryError::Store(error) => error.into(),
    })?;
    let rules: Vec<Value> = serde_json::from_str(&page.records)
        .map_err(|error| Problem::Internal(format!("rules for passwords: {error}")))?;
    Ok(Reply::json(&json!({"rules": rules, "totalRecords": rules.len()})))
}

async fn get(call: Call) -> Answer {
    let id = call.param("ruleId");
    let unknown = || RULE_UNKNOWN.with("id", id);
    let uuid = id.parse().map_err(|_| unknown())?;
    let found = records::find(&call.session, &*collection(&call)?, uuid).await?;
    Ok(found.map(Reply::json_text).ok_or_else(unknown)?)
}

/// The rule in the request and its id, if any.
fn rule(call: &Call, declared: &Collection) -> Result<(Option<Uuid>, Map<String, Value>), Problem> {
    let rule = sent(call, &declared.schema)?;
    Ok((text(&rule, "id").parse().ok(), rule))
}

/// POST. With an id, changes that rule, except for its name. Two or three round trips.
async fn create(call: Call) -> Answer {
    let declared = collection(&call)?;
    let (id, mut rule) = rule(&call, &declared)?;
    let Some(id) = id else {
        return add(&call, &declared, rule).await;
    };
    let stored = stored(&call, &declared, id).await?;
    rule.insert("name".into(), stored["name"].clone());
    change(&call, &declared, id, rule).await
}

/// PUT. Without an id, creates the rule. Two round trips.
async fn replace(call: Call) -> Answer {
    let declared = collection(&call)?;
    let (id, rule) = rule(&call, &declared)?;
    // Clients of earlier module releases, such as FOLIO's own test suite, use this member for the id.
    let named = || call.json().ok()?["ruleId"].as_str()?.parse().ok();
    match id.or_else(named) {
        Some(id) => change(&call, &declared, id, rule).await,
        None => add(&call, &declared, rule).await,
    }
}

async fn add(call: &Call, declared: &Collection, rule: Map<String, Value>) -> Answer {
    let (id, record) = collections::prepared(call, declared, rule, None)?;
    let written = records::insert(&call.session, declared, id, record.clone()).await;
    written.map_err(|error| unwritten(error, &record))?;
    Ok(Reply::json(&stored(call, declared, id).await?))
}

async fn change(call: &Call, declared: &Collection, id: Uuid, rule: Map<String, Value>) -> Answer {
    let (_, record) = collections::prepared(call, declared, rule, Some(id))?;
    let written = records::replace(&call.session, declared, id, record.clone()).await;
    match written.map_err(|error| unwritten(error, &record))? {
        Update::NotFound => Err(CHANGED_RULE_UNKNOWN.into()),
        _ => Ok(Reply::json(&stored(call, declared, id).await?)),
    }
}

async fn stored(call: &Call, declared: &Collection, id: Uuid) -> Result<Value, Problem> {
    let found = records::find(&call.session, declared, id).await?;
    let found = found.ok_or(CHANGED_RULE_UNKNOWN)?;
    serde_json::from_str(&found).map_err(|error| Problem::Internal(format!("rule for passwords: {error}")))
}

/// The refusal of a duplicate name. The module has no message for it, so this is the database's.
fn unwritten(error: StoreError, rule: &Map<String, Value>) -> Problem {
    match error {
        StoreError::Duplicate { .. } => NAME_TAKEN.with("name", text(rule, "name")).into(),
        error => error.into(),
    }
}
