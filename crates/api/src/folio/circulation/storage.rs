//! Circulation storage routes that differ from plain records (docs/folio/desk-records.md#other-storage-routes).

use std::sync::Arc;

use serde_json::Value;
use store::{collection::Collection, record};

use super::refusals::{LIMIT_UNREADABLE, MISSING, STORED_ACTION_TYPE_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

/// Collections that one DELETE can empty.
const CLEARED: [&str; 7] = [
    "cancellation_reason",
    "fixed_due_date_schedule",
    "loan_policy",
    "request",
    "request_policy",
    "scheduled_notice",
    "staff_slips",
];

pub(super) fn routes(routes: &mut Routes, declared: &[Arc<Collection>]) {
    for collection in declared.iter().filter(|c| CLEARED.contains(&c.table)) {
        let c = Arc::clone(collection);
        let clear = move |call| collections::delete_all(call, Arc::clone(&c));
        routes.delete(collection.path, clear).summary("Delete all, or those a query finds").asks("query");
    }
    for collection in declared.iter().filter(|c| c.table == "loan") {
        let c = Arc::clone(collection);
        let delete = move |call| collections::delete_found(call, Arc::clone(&c));
        routes.delete(collection.path, delete).summary("Delete the loans a query finds").asks("query*");
    }
    routes
        .get("/patron-action-session-storage/expired-session-patron-ids", expired_sessions)
        .summary("List patrons whose patron action session has expired")
        .asks("action_type:(Check-out|Check-in), session_inactivity_time_limit*, limit:int")
        .gives("expiredSessions*[{patronId*:uuid, actionType*}]")
        .refuses(&[422]);
    routes
        .post("/request-storage-batch/requests", replace_requests)
        .summary("Change several requests, all or none")
        .takes("requests*[Request]")
        .with_status(http::StatusCode::CREATED)
        .refuses(&[422]);
}

async fn expired_sessions(call: Call) -> Answer {
    let key = "session_inactivity_time_limit";
    let Some(sent) = call.query.get(key).filter(|text| !text.is_empty()) else {
        return Err(MISSING.about(key, "null").into());
    };
    let Some(limit) = record::stored_instant(sent) else {
        return Err(LIMIT_UNREADABLE.with(key, sent).into());
    };
    let action = call.query.get("action_type").filter(|action| !action.trim().is_empty());
    if action.is_some_and(|action| !["Check-out", "Check-in"].contains(&action)) {
        // FOLIO's message shows the time limit here, not the action type.
        return Err(STORED_ACTION_TYPE_UNKNOWN.with("action_type", sent).into());
    }
    let at_most = call.limit(10)?;
    let sessions = store::circulation::expired_sessions(&call.session, action, &limit, at_most).await?;
    Ok(Reply::json_text(format!("{{\"expiredSessions\":{sessions}}}")))
}

/// Changes all of the requests or none; those that do not exist are left out. Queue positions are checked after all are written.
async fn replace_requests(call: Call) -> Answer {
    let collection = call.app.collection("request").ok_or_else(|| Problem::Internal("no collection request".into()))?;
    let mut body = call.json()?;
    let Some(Value::Array(requests)) = body.get_mut("requests").map(Value::take) else {
        return Err(MISSING.about("requests", "null").into());
    };
    let requests = collection.schema.accept_all("requests", requests)?;
    let mut accepted = Vec::with_capacity(requests.len());
    for (place, record) in requests.into_iter().enumerate() {
        // FOLIO answers 500: nothing can be found without an id.
        if !record.contains_key("id") {
            return Err(MISSING.about(format!("requests[{place}].id"), "null").into());
        }
        let (_, record) = collections::prepared(&call, &collection, record, None)?;
        accepted.push(Value::Object(record));
    }
    let replaced = store::circulation::replace_requests(&call.session, &accepted).await;
    replaced.map_err(|error| {
        let channel = collections::Channel::Post;
        collections::refused(error, &collection, &serde_json::Map::new(), channel)
    })?;
    Ok(Reply::no_content().with_status(http::StatusCode::CREATED))
}
