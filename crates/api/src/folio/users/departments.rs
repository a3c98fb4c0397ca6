//! Writes of departments (docs/folio/users.md#departments). PUT reports duplicates as JSON, too, and users refer to
//! departments in a list, where no foreign key applies.

use std::sync::Arc;

use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    records::{self, Removal, Update},
    statements::patrons::DEPARTMENT_USED,
};

use super::refusals::{DEPARTMENT_EXISTS, DEPARTMENT_IN_USE};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, departments: &Arc<Collection>) {
    serve(routes, departments, "post", create);
    serve(routes, departments, "put", replace);
    serve(routes, departments, "delete", delete);
}

async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| refused(error, &collection, &record))?;
    Ok(Reply::json(&Value::Object(record)).created(&format!("/departments/{id}")))
}

async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, record) = collections::accepted(&call, &collection, Some(id))?;
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, &collection, &record))? {
        Update::NotFound => Err(collections::not_found(&collection, id)),
        _ => Ok(Reply::no_content()),
    }
}

async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::delete_unused(&call.session, &collection, id, DEPARTMENT_USED).await? {
        Removal::Done => Ok(Reply::no_content()),
        Removal::NotFound => Err(collections::not_found(&collection, id)),
        Removal::InUse => Err(DEPARTMENT_IN_USE.with("id", id).into()),
    }
}

fn refused(error: StoreError, collection: &Arc<Collection>, record: &Map<String, Value>) -> Problem {
    if let StoreError::Duplicate { constraint, .. } = &error
        && constraint == "departments_pkey"
    {
        let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
        return DEPARTMENT_EXISTS.with("id", id).into();
    }
    collections::refused(error, collection, record, Channel::PutJson)
}
