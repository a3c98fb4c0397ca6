//! `/authn/log/events`: the log-in event log, kept only if the library has enabled it.

use std::sync::Arc;

use http::StatusCode;
use identity::collections::LOGIN_EVENTS;
use serde_json::json;
use store::{collection::Collection, query, records};

use super::refusals::NO_EVENTS;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const OFF: &str = "Logging settings are disabled";

pub(super) fn routes(routes: &mut Routes, events: &Collection) {
    routes
        .get("/authn/log/events", list)
        .summary("List the log of log-ins")
        .asks("query, length:int, start:int")
        .gives_record(events)
        .lists_all(events.list)
        .or_status(StatusCode::NO_CONTENT);
    routes
        .post("/authn/log/events", create)
        .summary("Add to the log of log-ins")
        .takes_record(events)
        .gives("message*")
        .with_status(StatusCode::CREATED)
        .or_status(StatusCode::NO_CONTENT)
        .refuses(&[422]);
    routes
        .delete("/authn/log/events/{id}", remove)
        .summary("Remove a user from the log of log-ins")
        .gives("message*")
        .or_status(StatusCode::NO_CONTENT);
}

/// Whether logging is enabled, for one kind of event or as a whole. One round trip.
async fn is_on(call: &Call, kind: Option<&str>) -> Result<bool, Problem> {
    let sql = store::statements::identity::LOGIN_EVENTS_WANTED;
    Ok(call.session.value(sql, &[&kind]).await?)
}

/// The answer while logging is off: mod-login sends 204 with a text.
fn off(text: &str) -> Reply {
    Reply::text(text).with_status(StatusCode::NO_CONTENT)
}

fn events(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app.collection(LOGIN_EVENTS).ok_or_else(|| Problem::Internal("no collection keeps log-in events".into()))
}

async fn list(call: Call) -> Answer {
    if !is_on(&call, None).await? {
        return Ok(off(OFF));
    }
    let request = query::ListRequest {
        cql: call.query.get("query"),
        limit: call.number("length", 10)?,
        offset: (call.number("start", 1)? - 1).max(0),
        totals: "auto",
    };
    collections::page(&call, &*events(&call)?, &request).await
}

async fn create(call: Call) -> Answer {
    let collection = events(&call)?;
    let (id, record) = collections::accepted(&call, &collection, None)?;
    if !is_on(&call, None).await? {
        return Ok(off(OFF));
    }
    let kind = record["eventType"].as_str().unwrap_or_default();
    if !is_on(&call, Some(kind)).await? {
        return Ok(off(&format!("For event logging `{kind}` is disabled")));
    }
    records::insert(&call.session, &collection, id, record).await?;
    let message = format!("Event id: {id} was successfully saved to event log");
    Ok(Reply::json(&json!({"message": message})).with_status(StatusCode::CREATED))
}

async fn remove(call: Call) -> Answer {
    if !is_on(&call, None).await? {
        return Ok(off(OFF));
    }
    let user = call.param("id");
    let sql = store::statements::identity::DELETE_LOGIN_EVENTS;
    if call.session.execute(sql, &[&user]).await? == 0 {
        return Err(NO_EVENTS.with("user", user).into());
    }
    let message = "Event was successfully deleted from event log";
    Ok(Reply::json(&json!({"message": message})))
}
