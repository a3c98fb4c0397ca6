//! Patrons' PINs, stored as hashes (docs/folio/users.md#pins).

use http::StatusCode;
use identity::{door::Verdict, passwords, pins};
use serde_json::json;
use store::{
    StoreError,
    record::{Schema, is_uuid},
    statements::patrons::SAVE_PIN,
};
use uuid::Uuid;

use super::refusals::{PIN_MISSING, PIN_OF_NOBODY, PIN_WRONG};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    folio::authn::visitor,
    route::{Answer, Form, Routes},
};

const PIN: &str = "id*, pin, ...";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/patron-pin", set)
        .summary("Give a patron a PIN")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .takes(PIN);
    routes
        .delete("/patron-pin", remove)
        .summary("Take a patron's PIN away")
        .with_status(StatusCode::OK)
        .refuses(&[422])
        .takes(PIN);
    routes
        .post("/patron-pin/verify", verify)
        .summary("Is it the patron's PIN?")
        .with_status(StatusCode::OK)
        .refuses(&[422])
        .refuses_as(422, Form::Text)
        .takes(PIN);
}

fn accepted(call: &Call) -> Result<(Uuid, Option<String>), Problem> {
    let record = Schema::declare(PIN).accept(call.json()?)?;
    let id = record["id"].as_str().filter(|id| is_uuid(id));
    let id = id.and_then(|id| Uuid::parse_str(id).ok());
    let id = id.ok_or(PIN_OF_NOBODY)?;
    Ok((id, record.get("pin").and_then(|pin| pin.as_str().map(str::to_owned))))
}

/// FOLIO sends the status without a body.
fn empty(status: StatusCode) -> Answer {
    Ok(Reply::no_content().with_status(status))
}

async fn set(call: Call) -> Answer {
    let (id, pin) = accepted(&call)?;
    let pin = pin.ok_or(PIN_MISSING)?;
    let hash = passwords::hash(&pin).await;
    call.session.execute(SAVE_PIN, &[&id, &json!({"id": id, "pin": hash})]).await?;
    empty(StatusCode::CREATED)
}

async fn remove(call: Call) -> Answer {
    let (id, _) = accepted(&call)?;
    call.session.execute(store::statements::patrons::DELETE_PIN, &[&id]).await?;
    empty(StatusCode::OK)
}

async fn verify(call: Call) -> Answer {
    let (id, pin) = accepted(&call)?;
    let pin = pin.unwrap_or_default();
    let name = id.to_string();
    let checking = pins::is_pin(&call.session, id, &pin, call.now);
    let verdict = |checked: &Result<bool, StoreError>| match checked {
        Ok(true) => Verdict::Right,
        Ok(false) => Verdict::Wrong,
        Err(_) => Verdict::Unknown,
    };
    let door = &call.app.door;
    if door.pass(visitor(&call, &name), call.now, checking, verdict).await?? {
        empty(StatusCode::OK)
    } else {
        Err(PIN_WRONG.into())
    }
}
