//! Writes of users (docs/folio/users.md#writing-users). POST sends errors as JSON, PUT and DELETE as text.

use std::sync::Arc;

use patrons::users::{self, Writing};
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    record::print_instant,
    records::{self, Update},
};
use uuid::Uuid;

use super::refusals::{ID_CHANGED, USER_EXISTS, USER_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, users: &Arc<Collection>) {
    serve(routes, users, "post", create);
    serve(routes, users, "put", replace);
    serve(routes, users, "delete", delete);
    let collection = Arc::clone(users);
    routes
        .delete("/users", move |call| delete_found(call, Arc::clone(&collection)))
        .summary("Delete the users a query finds")
        .asks("query*");
    routes
        .post("/users/expire/timer", expire)
        .summary("Deactivate users whose registration has expired")
        .timer_of("mod-users");
}

/// POST. The `Location` header is just the id. At most two round trips.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, mut record) = collections::accepted(&call, &collection, None)?;
    let found = users::surroundings(&call.session, &record).await?;
    users::judge(&record, &found, Writing::New)?;
    stamp(&call, &mut record);
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json(&Value::Object(record)).created(&id.to_string()))
}

/// Adds new users, all or none, with the validation of POST. At most two round trips.
pub(crate) async fn create_all(call: &Call, collection: &Collection, users: &[&Value]) -> Result<(), Problem> {
    let mut prepared = Vec::with_capacity(users.len());
    for user in users {
        let record = collection.schema.accept((*user).clone())?;
        let (_, mut record) = collections::prepared(call, collection, record, None)?;
        stamp(call, &mut record);
        prepared.push(record);
    }
    let found = users::surroundings_of_all(&call.session, &prepared).await?;
    for record in &prepared {
        users::judge(record, &found, Writing::New)?;
    }
    Ok(records::insert_all(&call.session, collection, prepared).await?)
}

/// PUT: at most two round trips.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, mut record) = collections::accepted(&call, &collection, Some(id))?;
    if !names(&call.json()?, id) {
        return Err(ID_CHANGED.into());
    }
    let found = users::surroundings(&call.session, &record).await?;
    users::judge(&record, &found, Writing::Change)?;
    stamp(&call, &mut record);
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, &collection, &record, Channel::Put))? {
        Update::NotFound => Err(USER_UNKNOWN.with("id", id).into()),
        _ => {
            call.tenant.directory.forget_user(id);
            Ok(Reply::no_content())
        }
    }
}

/// True if the record in the request has this id.
fn names(sent: &Value, id: Uuid) -> bool {
    let sent = sent.get("id").and_then(Value::as_str);
    sent.and_then(|sent| Uuid::parse_str(sent).ok()) == Some(id)
}

/// FOLIO sets both dates on every change to a user; the actual creation date is in `metadata`.
pub(super) fn stamp(call: &Call, record: &mut Map<String, Value>) {
    let now = print_instant(call.now);
    record.insert("createdDate".into(), now.clone().into());
    record.insert("updatedDate".into(), now.into());
}

pub(super) fn refused(
    error: StoreError,
    collection: &Collection,
    record: &Map<String, Value>,
    channel: Channel,
) -> Problem {
    if let StoreError::Duplicate { constraint, .. } = &error
        && constraint == "users_pkey"
    {
        let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
        return USER_EXISTS.with("id", id).into();
    }
    collections::refused(error, collection, record, channel)
}

/// DELETE of one user. The body of a 404 is the id.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let deleted = records::delete(&call.session, &collection, id).await;
    let channel = Channel::Delete(id);
    if deleted.map_err(|error| refused(error, &collection, &Map::new(), channel))? {
        call.tenant.directory.forget_user(id);
        Ok(Reply::no_content())
    } else {
        Err(USER_UNKNOWN.with("id", id).into())
    }
}

async fn delete_found(call: Call, collection: Arc<Collection>) -> Answer {
    let tenant = Arc::clone(&call.tenant);
    let answer = collections::delete_found(call, collection).await;
    tenant.directory.forget();
    answer
}

async fn expire(call: Call) -> Answer {
    users::expire(&call.session, call.now).await?;
    call.tenant.directory.forget();
    Ok(Reply::no_content())
}
