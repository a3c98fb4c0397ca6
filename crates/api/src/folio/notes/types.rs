//! Note types: at most 25 for a library. Types in use cannot be deleted.

use std::sync::Arc;

use serde_json::Value;
use store::{StoreError, collection::Collection, notes, records};

use super::refusals::{TOO_MANY_TYPES, TYPE_IN_USE};
use crate::{
    answer::Reply,
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, types: &Arc<Collection>) {
    serve(routes, types, "post", create);
    serve(routes, types, "delete", delete);
}

async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    let added = notes::add_type(&call.session, id, &record).await;
    match added.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))? {
        Ok(()) => Ok(Reply::json(&Value::Object(record)).created(&format!("/note-types/{id}"))),
        Err(most) => Err(TOO_MANY_TYPES.with("most", most).into()),
    }
}

async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::delete(&call.session, &collection, id).await {
        Ok(true) => Ok(Reply::no_content()),
        Ok(false) => Err(collections::not_found(&collection, id)),
        Err(StoreError::ForeignKey { .. }) => Err(TYPE_IN_USE.with("id", id).into()),
        Err(error) => Err(error.into()),
    }
}
