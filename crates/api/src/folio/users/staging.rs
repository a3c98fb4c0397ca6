//! Staged users: patrons who registered themselves (docs/folio/users.md#staged-users).

use std::sync::Arc;

use patrons::staging;
use serde_json::{Map, Value, json};
use store::{collection::Collection, records, statements::patrons::STAGED_USER_BY_EXTERNAL_ID};
use uuid::Uuid;

use super::refusals::{MERGED_USER_UNKNOWN, NO_GROUP_TO_JOIN, NO_HOME_ADDRESS_TYPE, STAGING_USER_UNKNOWN};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, staged: &Arc<Collection>) {
    serve(routes, staged, "post", create);
    let collection = Arc::clone(staged);
    let route = routes.put("/staging-users/{externalSystemId}", move |call| change(call, Arc::clone(&collection)));
    route.summary("Change a staged user").takes_record(staged).gives_record(staged).refuses(&[422]);
    routes
        .put("/staging-users/{id}/mergeOrCreateUser", merge)
        .summary("Make a staged user a patron, new or known")
        .asks("userId:uuid")
        .gives("userId:uuid");
}

async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, mut record) = collections::accepted(&call, &collection, None)?;
    staging::complete(&mut record);
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json(&Value::Object(record)).created(&format!("/staging-users/{id}")))
}

/// PUT by external system id. Members not sent keep their values, so it takes two round trips.
async fn change(call: Call, collection: Arc<Collection>) -> Answer {
    let none = || Problem::from(STAGING_USER_UNKNOWN);
    let sent = collection.schema.accept(call.json()?)?;
    let external_id = call.param("externalSystemId");
    if external_id.contains('\0') {
        return Err(none());
    }
    let row = call.session.find(STAGED_USER_BY_EXTERNAL_ID, &[&external_id]).await?.ok_or_else(none)?;
    let (id, stored): (Uuid, Value) = (row.get("id"), row.get("doc"));
    let mut record = staging::changed(stored.as_object().unwrap_or(&Map::new()), sent);
    record.insert("metadata".into(), call.metadata());
    records::replace(&call.session, &collection, id, record.clone()).await?;
    if let Some(created) = stored.pointer("/metadata/createdDate") {
        record["metadata"]["createdDate"] = created.clone();
    }
    Ok(Reply::json(&Value::Object(record)))
}

/// Two round trips: one for the staged user and its user, one for the write.
async fn merge(call: Call) -> Answer {
    let id = call.id("id")?;
    let user = match call.query.get("userId").filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => Some(Uuid::parse_str(text).map_err(|_| not_found("user", text))?),
    };
    let found = staging::find(&call.session, id, user).await?;
    let staged = found.staged.ok_or_else(|| not_found("staging user", &id.to_string()))?;
    let home = found.home.ok_or(NO_HOME_ADDRESS_TYPE)?;
    let needed = staging::required_group(&staged, user.is_some());
    if let (Some(needed), None) = (needed, &found.group) {
        return Err(NO_GROUP_TO_JOIN.with("group", needed).into());
    }
    if let (Some(user), None) = (user, &found.user) {
        return Err(not_found("user", &user.to_string()));
    }
    let patron_id = user.unwrap_or_else(store::new_id);
    let mut patron = staging::patron(&staged, found.user.as_ref(), patron_id, home, found.group.as_ref(), call.now);
    let mut metadata = call.metadata();
    if let Some(Value::Object(before)) = found.user.as_ref().and_then(|user| user.get("metadata")) {
        for name in ["createdDate", "createdByUserId"] {
            if let Some(value) = before.get(name) {
                metadata[name] = value.clone();
            }
        }
    }
    patron.insert("metadata".into(), metadata);
    staging::write(&call.session, id, patron_id, patron).await?;
    Ok(Reply::json(&json!({"userId": patron_id})))
}

fn not_found(what: &str, id: &str) -> Problem {
    MERGED_USER_UNKNOWN.with("what", what).with("id", id).into()
}
