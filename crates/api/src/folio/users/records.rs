//! Writing users (docs/folio/users.md#writing-users): POST speaks JSON, PUT and DELETE speak text.

use std::sync::Arc;

use patrons::users::{self, Refusal};
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::{Collection, Fault},
    record::print_instant,
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem, Reply},
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
        .delete("/users", move |call| {
            delete_found(call, Arc::clone(&collection))
        })
        .summary("Delete the users a query finds");
    routes
        .post("/users/expire/timer", expire)
        .summary("Make users inactive whose registration has run out")
        .timer_of("mod-users");
}

pub(super) const NO_ADDRESS_TYPE: &str = "You cannot add addresses with non-existent address types";

/// POST: at most two round trips. The Location is just the id.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, mut record) = collections::accepted(&call, &collection, None)?;
    let found = users::surroundings(&call.session, &record).await?;
    users::judge(&record, &found)
        .map_err(|refusal| told(refusal, NO_ADDRESS_TYPE, Channel::Post))?;
    stamp(&call, &mut record);
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json(&Value::Object(record)).created(&id.to_string()))
}

/// Adds users that were never there, all or none of them, with the checks of their POST. At most two round trips.
pub(crate) async fn create_all(
    call: &Call,
    collection: &Collection,
    users: &[&Value],
) -> Result<(), Problem> {
    let mut prepared = Vec::with_capacity(users.len());
    for user in users {
        let record = collection.schema.accept((*user).clone())?;
        let (_, mut record) = collections::prepared(call, collection, record, None)?;
        stamp(call, &mut record);
        prepared.push(record);
    }
    let found = users::surroundings_of_all(&call.session, &prepared).await?;
    for record in &prepared {
        users::judge(record, &found)
            .map_err(|refusal| told(refusal, NO_ADDRESS_TYPE, Channel::Post))?;
    }
    Ok(records::insert_all(&call.session, collection, prepared).await?)
}

/// PUT: at most two round trips.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, mut record) = collections::accepted(&call, &collection, Some(id))?;
    if !names(&call.json()?, id) {
        return Err(Problem::bad_request(
            "You cannot change the value of the id field",
        ));
    }
    let found = users::surroundings(&call.session, &record).await?;
    users::judge(&record, &found).map_err(|refusal| {
        told(
            refusal,
            "All addresses types defined for users must be existing",
            Channel::Put,
        )
    })?;
    stamp(&call, &mut record);
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, &collection, &record, Channel::Put))? {
        Update::NotFound => Err(Problem::not_found(id.to_string())),
        _ => {
            call.tenant.directory.forget_user(id);
            Ok(Reply::no_content())
        }
    }
}

/// True when the record sent says that it has this id.
fn names(sent: &Value, id: Uuid) -> bool {
    let sent = sent.get("id").and_then(Value::as_str);
    sent.and_then(|sent| Uuid::parse_str(sent).ok()) == Some(id)
}

/// FOLIO sets both dates at every change of a user; when the record was made is in `metadata`.
pub(super) fn stamp(call: &Call, record: &mut Map<String, Value>) {
    let now = print_instant(call.now);
    record.insert("createdDate".into(), now.clone().into());
    record.insert("updatedDate".into(), now.into());
}

pub(super) fn told(refusal: Refusal, address_types: &str, channel: Channel) -> Problem {
    match (refusal, channel) {
        (Refusal::CustomFields(faults), _) => custom_field_faults(faults),
        (Refusal::AddressType, _) => Problem::bad_request(address_types),
        (Refusal::PatronGroup(group), _) => {
            Problem::bad_request(format!("Cannot add {group}. Patron group not found"))
        }
        (Refusal::Department(id), Channel::Post) => {
            let sentence = format!(
                "Cannot set users.departments = {id} because it does not exist in departments.id."
            );
            Problem::unprocessable(&[ErrorItem::rmb(
                sentence,
                "users.departments",
                &id.to_string(),
            )])
        }
        (Refusal::Department(id), _) => Problem::bad_request(format!(
            "Key (departments)=({id}) is not present in table \"departments\"."
        )),
    }
}

fn custom_field_faults(faults: Vec<Fault>) -> Problem {
    let items: Vec<_> = faults
        .into_iter()
        .map(|fault| ErrorItem {
            parameters: fault.parameters,
            ..ErrorItem::rmb(fault.message, "", "")
        })
        .collect();
    Problem::unprocessable(&items)
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
        let item = ErrorItem::rmb("User with this id already exists", "id", id);
        return Problem::unprocessable(&[item]);
    }
    collections::refused(error, collection, record, channel)
}

/// DELETE of one user: the body of a 404 is the id.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let deleted = records::delete(&call.session, &collection, id).await;
    let channel = Channel::Delete(id);
    if deleted.map_err(|error| refused(error, &collection, &Map::new(), channel))? {
        call.tenant.directory.forget_user(id);
        Ok(Reply::no_content())
    } else {
        Err(Problem::not_found(id.to_string()))
    }
}

/// DELETE of the users a query finds.
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
