//! Types of the notes of authorities.

use std::sync::Arc;

use ::authorities::{
    collections::NOTE_TYPE,
    refusal::{CONSTRAINT_UNKNOWN, ID_DIFFERS, NOTE_TYPE_NAME_TAKEN, NOTE_TYPE_UNKNOWN},
};
use serde_json::Value;
use store::{
    StoreError,
    collection::Collection,
    records::{self, Update},
};

use super::{accepted, get, id, list, refusing, stamped};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::serve,
    folio::declared,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let kept = declared(all, NOTE_TYPE);
    refusing(serve(routes, &kept, "list", list), &[]);
    refusing(serve(routes, &kept, "post", create), &[422]);
    refusing(serve(routes, &kept, "get", |call, kept| get(call, kept, NOTE_TYPE_UNKNOWN)), &[404]);
    refusing(serve(routes, &kept, "put", replace), &[404, 422]);
    refusing(serve(routes, &kept, "delete", delete), &[404]);
}

fn taken(error: StoreError) -> Problem {
    match error {
        StoreError::Duplicate { constraint, .. } => match constraint == "authority_note_type_pkey" {
            true => CONSTRAINT_UNKNOWN.into(),
            false => NOTE_TYPE_NAME_TAKEN.into(),
        },
        error => error.into(),
    }
}

/// POST. One round trip.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let mut record = accepted(&call, &collection.schema)?;
    let id = stamped(&call, &mut record);
    records::insert(&call.session, &collection, id, record.clone()).await.map_err(taken)?;
    let location = format!("{}/{id}", collection.path);
    Ok(Reply::json(&Value::Object(record)).created(&location))
}

/// PUT. One round trip.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = id(&call, "id")?;
    let mut record = accepted(&call, &collection.schema)?;
    let sent = record.get("id").and_then(Value::as_str).map(str::to_lowercase);
    if sent.as_deref() != Some(&id.to_string()) {
        return Err(ID_DIFFERS.with("path", id).with("id", sent.as_deref().unwrap_or("null")).into());
    }
    stamped(&call, &mut record);
    match records::replace(&call.session, &collection, id, record).await.map_err(taken)? {
        Update::NotFound => Err(NOTE_TYPE_UNKNOWN.with("id", id).into()),
        _ => Ok(Reply::no_content()),
    }
}

/// DELETE. One round trip.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = id(&call, "id")?;
    match records::delete(&call.session, &collection, id).await? {
        true => Ok(Reply::no_content()),
        false => Err(NOTE_TYPE_UNKNOWN.with("id", id).into()),
    }
}
