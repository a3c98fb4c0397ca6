//! `/circulation/end-patron-action-session`: ends a patron's check-out or check-in session
//! (docs/folio/desk-records.md#sessions-at-the-desk) and sends the notices collected in it. The rule runs over all
//! sessions at once: `store/sql/replaceable/set_rules/sessions.sql`.

use ::refusals::Refusal;
use serde_json::{Value, json};
use store::record;

use super::refusals::{ACTION_TYPE_UNKNOWN, NO_ACTION_TYPE, NO_PATRON_ID, SESSIONS_NOT_LISTED};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/end-patron-action-session", end)
        .summary("End patron action sessions")
        .refuses(&[422])
        .at_the_desk()
        .takes("endSessions*[{patronId*:uuid, actionType*:(Check-out|Check-in|)}]");
}

/// POST. One round trip.
async fn end(call: Call) -> Answer {
    let body = call.json()?;
    let Some(asked) = body["endSessions"].as_array() else {
        return Err(SESSIONS_NOT_LISTED.into());
    };
    let ended = asked.iter().map(session).collect::<Result<Vec<_>, _>>()?;
    store::circulation::end_sessions(&call.session, &Value::Array(ended)).await?;
    Ok(Reply::no_content())
}

/// Reads a patron and an action type. An empty type stands for both.
fn session(asked: &Value) -> Result<Value, Refusal> {
    let patron = asked["patronId"].as_str().filter(|id| !id.trim().is_empty()).ok_or(NO_PATRON_ID)?;
    let action = match asked["actionType"].as_str() {
        Some("") => None,
        Some(action @ ("Check-out" | "Check-in")) => Some(action),
        Some(other) => return Err(ACTION_TYPE_UNKNOWN.with("actionType", other)),
        None => return Err(NO_ACTION_TYPE.into()),
    };
    // A malformed patron id has no sessions.
    let patron = Some(patron).filter(|id| record::is_uuid(id));
    Ok(json!({"patron": patron, "action": action}))
}
