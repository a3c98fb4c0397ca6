//! Batches of instances, holdings or items, all or nothing (docs/folio/inventory-links-and-views.md#batches).

use http::StatusCode;
use inventory::write::{Intent, Refused, Sent};
use store::{collection::Collection, record::Rejection};

use super::{
    kind::{self, Kind},
    refusals, storage,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::Channel,
    route::{Answer, Routes},
};

/// The most records one request may bring.
const MOST_RECORDS: usize = 10_000;
/// Ten thousand records of a usual size fit in.
const BODY_LIMIT: usize = 128 * 1024 * 1024;

const UNSAFE_REFUSED: &str = "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING environment variable doesn't allow to disable optimistic locking";

pub fn routes(routes: &mut Routes) {
    for kind in Kind::ALL {
        let path = format!("{}/synchronous", kind.batch_path());
        routes
            .post(&path, move |call| synchronous(call, kind))
            .body_limit(BODY_LIMIT)
            .summary("Create records; with upsert=true replace those that exist");
        let path = format!("{}/synchronous-unsafe", kind.batch_path());
        routes
            .post(&path, move |call| synchronous_unsafe(call, kind))
            .body_limit(BODY_LIMIT)
            .summary("Create or replace records whatever their version");
    }
}

async fn synchronous(call: Call, kind: Kind) -> Answer {
    let intent = if call.query.flag("upsert") {
        Intent::Upsert
    } else {
        Intent::Create
    };
    write(call, kind, intent, true).await
}

async fn synchronous_unsafe(call: Call, kind: Kind) -> Answer {
    if !call.app.settings.allow_unsafe_batches {
        return Err(Problem::Text(
            StatusCode::PAYLOAD_TOO_LARGE,
            UNSAFE_REFUSED.into(),
        ));
    }
    write(call, kind, Intent::Upsert, false).await
}

/// What is wrong with all of the records; a refusal names only the first that is at fault, and not which it is.
fn of_all(collection: &Collection, sent: Vec<Sent>, of_one: Rejection) -> Rejection {
    let records = sent.into_iter().map(|sent| sent.record).collect();
    let accepted = collection.schema.accept_all(collection.list, records);
    accepted.err().unwrap_or(of_one)
}

async fn write(call: Call, kind: Kind, intent: Intent, locking: bool) -> Answer {
    let collection = kind.collection(&call)?;
    let records = storage::list(call.json()?, collection.list)?;
    if records.len() > MOST_RECORDS {
        return Err(refusals::too_many(records.len(), MOST_RECORDS));
    }
    let sent: Vec<_> = records.into_iter().map(kind::with_own_id).collect();
    let written = kind::write(&call, kind, intent, locking, &sent).await;
    written.map_err(|refused| match refused {
        Refused::Rejected(rejection) => of_all(&collection, sent, rejection).into(),
        refused => refusals::problem(&call, kind, Channel::PutJson, refused),
    })?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}
