//! Patrons' PINs, kept as hashes (folio-platform §5.1).

use http::StatusCode;
use identity::passwords;
use serde_json::json;
use store::record::{Schema, is_uuid};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const PIN: &str = "id*, pin";
const SAVE: &str = "INSERT INTO patronpin (id, doc) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/patron-pin", set)
        .summary("Give a patron a PIN")
        .takes(PIN);
    routes
        .delete("/patron-pin", remove)
        .summary("Take a patron's PIN away")
        .takes(PIN);
    routes
        .post("/patron-pin/verify", verify)
        .summary("Is it the patron's PIN?")
        .takes(PIN);
}

fn accepted(call: &Call) -> Result<(Uuid, Option<String>), Problem> {
    let record = Schema::declare(PIN).accept(call.json()?)?;
    let id = record["id"].as_str().filter(|id| is_uuid(id));
    let id = id.and_then(|id| Uuid::parse_str(id).ok());
    let id = id.ok_or_else(|| Problem::bad_request("id must be a UUID"))?;
    Ok((
        id,
        record
            .get("pin")
            .and_then(|pin| pin.as_str().map(str::to_owned)),
    ))
}

/// FOLIO says no more than the status.
fn empty(status: StatusCode) -> Answer {
    Ok(Reply::no_content().with_status(status))
}

async fn set(call: Call) -> Answer {
    let (id, pin) = accepted(&call)?;
    let pin = pin.ok_or_else(|| Problem::bad_request("pin is missing"))?;
    let hash = passwords::hash(&pin).await;
    call.session
        .execute(SAVE, &[&id, &json!({"id": id, "pin": hash})])
        .await?;
    empty(StatusCode::CREATED)
}

async fn remove(call: Call) -> Answer {
    let (id, _) = accepted(&call)?;
    call.session
        .execute("DELETE FROM patronpin WHERE id = $1", &[&id])
        .await?;
    empty(StatusCode::OK)
}

async fn verify(call: Call) -> Answer {
    let (id, pin) = accepted(&call)?;
    let sql = "SELECT doc->>'pin' FROM patronpin WHERE id = $1";
    let hash: Option<String> = call.session.find(sql, &[&id]).await?.map(|row| row.get(0));
    if passwords::matches(&pin.unwrap_or_default(), hash).await {
        empty(StatusCode::OK)
    } else {
        let text = "The PIN is not the patron's".to_owned();
        Err(Problem::Text(StatusCode::UNPROCESSABLE_ENTITY, text))
    }
}
