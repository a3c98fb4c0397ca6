//! `/check-out-lock-storage`: a client's lock on a patron while it lends (folio-circulation §6.3).

use http::StatusCode;
use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{lending, record};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/check-out-lock-storage";
const LOCK: &str = "id:uuid, userId:uuid, creationDate:datetime";

pub(super) fn routes(routes: &mut Routes) {
    let item = format!("{PATH}/{{lockId}}");
    routes
        .post(PATH, take)
        .summary("Lock a patron for a check-out")
        .takes("userId*:uuid, ttlMs*:int")
        .gives(LOCK);
    routes
        .get(PATH, of_user)
        .summary("Read the lock of a patron")
        .gives(LOCK);
    routes.get(&item, read).summary("Read a lock").gives(LOCK);
    routes.delete(&item, release).summary("Give a lock back");
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    user_id: Uuid,
    ttl_ms: i64,
}

async fn take(call: Call) -> Answer {
    let wanted: Wanted = call.parse()?;
    let end = call
        .now
        .checked_add(SignedDuration::from_millis(wanted.ttl_ms))
        .map_err(|_| Problem::bad_request("ttlMs is out of range"))?;
    match lending::take_lock(&call.session, wanted.user_id, call.now, end).await? {
        Some(lock) => Ok(Reply::json(&shown(&lock)).created(&format!("{PATH}/{}", lock.id))),
        None => {
            let text = "Unable to acquire lock".to_owned();
            Err(Problem::Text(StatusCode::SERVICE_UNAVAILABLE, text))
        }
    }
}

async fn of_user(call: Call) -> Answer {
    let user = call.query.get("userId").unwrap_or_default();
    let user = Uuid::parse_str(user)
        .map_err(|_| Problem::bad_request("The query parameter userId must be a UUID"))?;
    found(lending::lock_of(&call.session, user, call.now).await?)
}

async fn read(call: Call) -> Answer {
    found(lending::lock(&call.session, call.id("lockId")?).await?)
}

async fn release(call: Call) -> Answer {
    if lending::release_lock(&call.session, call.id("lockId")?).await? {
        Ok(Reply::no_content())
    } else {
        Err(Problem::not_found("Not found"))
    }
}

fn found(lock: Option<lending::Lock>) -> Answer {
    lock.map(|lock| Reply::json(&shown(&lock)))
        .ok_or_else(|| Problem::not_found("Not found"))
}

fn shown(lock: &lending::Lock) -> Value {
    json!({"id": lock.id, "userId": lock.user, "creationDate": record::print_instant(lock.created)})
}
