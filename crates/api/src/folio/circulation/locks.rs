//! `/check-out-lock-storage`: a client's lock on a patron during check-out
//! (docs/folio/desk-records.md#check-out-locks).

use http::StatusCode;
use jiff::SignedDuration;
use serde_json::{Value, json};
use store::record::{self, Schema};
use uuid::Uuid;

use super::refusals::{LOCK_ID_INVALID, LOCK_OF_NOBODY, LOCK_TAKEN, LOCK_TOO_LONG, LOCK_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

const PATH: &str = "/check-out-lock-storage";
const WANTED: &str = "userId*:uuid, ttlMs*:int, ...";
const LOCK: &str = "id:uuid, userId:uuid, creationDate:datetime";

pub(super) fn routes(routes: &mut Routes) {
    let item = format!("{PATH}/{{lockId}}");
    let schema = Schema::declare(WANTED);
    routes
        .post(PATH, move |call| take(call, schema.clone()))
        .summary("Take a check-out lock on a patron")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .takes(WANTED)
        .gives(LOCK);
    routes
        .get(PATH, of_user)
        .summary("List the check-out locks of a patron, of which there is one at most")
        .asks("userId*:uuid")
        .refuses_as(422, Form::Text)
        .gives(&format!("checkoutLocks[{{{LOCK}}}], totalRecords:int"));
    routes.get(&item, read).summary("Read a check-out lock").gives(LOCK);
    routes.delete(&item, release).summary("Release a check-out lock");
}

/// POST. Like FOLIO, considers the age of the existing lock and the lifetime requested for the new one.
async fn take(call: Call, schema: Schema) -> Answer {
    let wanted = schema.accept(call.json()?)?;
    let user = wanted.get("userId").and_then(Value::as_str);
    let user = user.and_then(|id| Uuid::parse_str(id).ok());
    let user = user.ok_or_else(|| Problem::Internal("an accepted id that is none".into()))?;
    let last = wanted.get("ttlMs").and_then(Value::as_i64);
    let last = SignedDuration::from_millis(last.unwrap_or_default());
    let out_of_range = |_| LOCK_TOO_LONG;
    let end = call.now.checked_add(last).map_err(out_of_range)?;
    let stale = call.now.checked_sub(last).map_err(out_of_range)?;
    match store::circulation::take_lock(&call.session, user, call.now, end, stale).await? {
        Some(lock) => Ok(Reply::json(&shown(&lock)).created(&format!("{PATH}/{}", lock.id))),
        None => Err(LOCK_TAKEN.into()),
    }
}

async fn of_user(call: Call) -> Answer {
    let user = call.query.get("userId").unwrap_or_default();
    let user = Uuid::parse_str(user).map_err(|_| LOCK_OF_NOBODY)?;
    let lock = store::circulation::lock_of(&call.session, user, call.now).await?;
    let locks: Vec<_> = lock.iter().map(shown).collect();
    Ok(Reply::json(&json!({"checkoutLocks": locks, "totalRecords": locks.len()})))
}

async fn read(call: Call) -> Answer {
    let lock = store::circulation::lock(&call.session, id(&call)?).await?;
    lock.map(|lock| Reply::json(&shown(&lock))).ok_or_else(|| LOCK_UNKNOWN.into())
}

async fn release(call: Call) -> Answer {
    if store::circulation::release_lock(&call.session, id(&call)?).await? {
        Ok(Reply::no_content())
    } else {
        Err(LOCK_UNKNOWN.into())
    }
}

fn id(call: &Call) -> Result<Uuid, Problem> {
    Uuid::parse_str(call.param("lockId")).map_err(|_| LOCK_ID_INVALID.into())
}

fn shown(lock: &store::circulation::Lock) -> Value {
    json!({"id": lock.id, "userId": lock.user, "creationDate": record::print_instant(lock.created)})
}
