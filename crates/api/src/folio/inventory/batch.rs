//! Batches of instances, holdings or items, all or nothing (docs/folio/inventory-links-and-views.md#batches).

use http::StatusCode;
use inventory::write::{Intent, NotWritten, Sent};
use store::{collection::Collection, record::Rejection};

use super::{
    kind::{self, Kind},
    refusals, storage,
};
use crate::{
    answer::Reply,
    call::Call,
    collections::Channel,
    route::{Answer, Body, Routes},
};

/// The maximum number of records in one request.
const MOST_RECORDS: usize = 10_000;
/// Large enough for ten thousand records of usual size.
const BODY_LIMIT: usize = 128 * 1024 * 1024;

pub fn routes(routes: &mut Routes) {
    for kind in Kind::ALL {
        let declared = Body::record(&kind.declared()).name.unwrap_or_default();
        let records = format!("{}*[{declared}]", kind.declared().list);
        let path = format!("{}/synchronous", kind.batch_path());
        routes
            .post(&path, move |call| synchronous(call, kind))
            .body_limit(BODY_LIMIT)
            .summary("Create records; with upsert=true replace those that exist")
            .asks("upsert:bool")
            .takes(&records)
            .with_status(StatusCode::CREATED)
            .refuses(&[409, 422]);
        let path = format!("{}/synchronous-unsafe", kind.batch_path());
        routes
            .post(&path, move |call| synchronous_unsafe(call, kind))
            .body_limit(BODY_LIMIT)
            .summary("Create or replace records whatever their version")
            .asks("upsert:bool")
            .takes(&records)
            .with_status(StatusCode::CREATED)
            .refuses(&[409, 413, 422]);
    }
}

async fn synchronous(call: Call, kind: Kind) -> Answer {
    let intent = if call.query.flag("upsert") { Intent::Upsert } else { Intent::Create };
    write(call, kind, intent, true).await
}

async fn synchronous_unsafe(call: Call, kind: Kind) -> Answer {
    if !call.app.settings.allow_unsafe_batches {
        return Err(refusals::UNSAFE_REFUSED.into());
    }
    write(call, kind, Intent::Upsert, false).await
}

/// The fault of the whole batch. FOLIO reports only the first faulty record, without saying which one it is.
fn of_all(collection: &Collection, sent: Vec<Sent>, of_one: Rejection) -> Rejection {
    let records = sent.into_iter().map(|sent| sent.record).collect();
    let accepted = collection.schema.accept_all(collection.list, records);
    accepted.err().unwrap_or(of_one)
}

async fn write(call: Call, kind: Kind, intent: Intent, locking: bool) -> Answer {
    let collection = kind.collection(&call)?;
    let records = storage::list(call.json()?, collection.list)?;
    if records.len() > MOST_RECORDS {
        return Err(refusals::TOO_MANY_RECORDS.with("limit", MOST_RECORDS).with("count", records.len()).into());
    }
    let sent: Vec<_> = records.into_iter().map(kind::with_own_id).collect();
    let written = kind::write(&call, kind, intent, locking, &sent).await;
    written.map_err(|refused| match refused {
        NotWritten::Rejected(rejection) => of_all(&collection, sent, rejection).into(),
        refused => refusals::problem(&call, kind, Channel::PutJson, refused),
    })?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}
