//! `/circulation/end-patron-action-session`: what happened to a patron at the desk is complete
//! (docs/folio/desk-records.md#sessions-at-the-desk). The notices collected for it are sent from here.

use serde_json::{Value, json};
use store::{lending, record};

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/end-patron-action-session", end)
        .summary("End the sessions of patrons at the desk")
        .at_the_desk()
        .takes("endSessions*[{patronId*:uuid, actionType*:(Check-out|Check-in|)}]");
}

/// POST. One round trip.
async fn end(call: Call) -> Answer {
    let body = call.json()?;
    let Some(asked) = body["endSessions"].as_array() else {
        return Err(Problem::bad_request(
            "Json content error: endSessions is no list",
        ));
    };
    let ended = asked.iter().map(session).collect::<Result<Vec<_>, _>>()?;
    lending::end_sessions(&call.session, &Value::Array(ended)).await?;
    Ok(Reply::no_content())
}

/// A patron and an action type, none for both.
fn session(asked: &Value) -> Result<Value, Problem> {
    let refuse = |message: &str, key: &str, value: Option<&str>| {
        Err(Problem::circulation(&[ErrorItem::plain(
            message, key, value,
        )]))
    };
    let patron = asked["patronId"]
        .as_str()
        .filter(|id| !id.trim().is_empty());
    let Some(patron) = patron else {
        return refuse(
            "End patron session request must have patron id",
            "patronId",
            None,
        );
    };
    let action = match asked["actionType"].as_str() {
        Some("") => None,
        Some(action @ ("Check-out" | "Check-in")) => Some(action),
        Some(other) => {
            return refuse(
                "Invalid patron action type value",
                "actionType",
                Some(other),
            );
        }
        None => {
            let message = "End patron session request must have action type";
            return refuse(message, "actionType", None);
        }
    };
    // A patron id that is none has no sessions.
    let patron = Some(patron).filter(|id| record::is_uuid(id));
    Ok(json!({"patron": patron, "action": action}))
}
