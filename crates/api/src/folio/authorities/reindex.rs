//! Jobs that index all authorities again. The index is built beside the one that is searched, and reads the database itself:
//! a job is done as soon as that has begun.

use std::sync::Arc;

use ::authorities::{
    collections::REINDEX_JOB,
    refusal::{JOB_FINISHED, JOB_UNKNOWN},
};
use ::catalogue::Records;
use serde_json::Value;
use store::{collection::Collection, record::print_instant, records, statements::authorities::ADD_REINDEX_JOB};

use super::{get, id, list, refusing};
use crate::{
    answer::Reply,
    call::Call,
    collections::serve,
    folio::{declared, search},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let kept = declared(all, REINDEX_JOB);
    refusing(serve(routes, &kept, "list", list), &[]);
    let begin = serve(routes, &kept, "post", create);
    begin.takes = None;
    refusing(begin.summary("Index all authorities again"), &[]);
    refusing(serve(routes, &kept, "get", |call, kept| get(call, kept, JOB_UNKNOWN)), &[404]);
    refusing(serve(routes, &kept, "delete", cancel).summary("Cancel a job"), &[404]);
}

/// POST. One round trip.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    search::catalogue(&call.app, &call.tenant).rebuild(Records::Authorities);
    let id = store::new_id();
    let job: Value = call.session.value(ADD_REINDEX_JOB, &[&id, &print_instant(call.now)]).await?;
    Ok(Reply::json(&job).created(&format!("{}/{id}", collection.path)))
}

/// DELETE: jobs are done at once. One round trip.
async fn cancel(call: Call, collection: Arc<Collection>) -> Answer {
    let id = id(&call, "id")?;
    match records::find(&call.session, &collection, id).await? {
        Some(_) => Err(JOB_FINISHED.into()),
        None => Err(JOB_UNKNOWN.with("id", id).into()),
    }
}
