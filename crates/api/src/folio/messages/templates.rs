//! `/templates`, where mod-template-engine differs from other storage: what a template has beyond its schema stays,
//! PUT answers with the record, and a template that a notice policy sends cannot be deleted.

use std::sync::Arc;

use mail::template;
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, templates: &Arc<Collection>) {
    serve(routes, templates, "get", get);
    serve(routes, templates, "post", create);
    serve(routes, templates, "put", replace);
    serve(routes, templates, "delete", delete);
}

/// GET. One round trip.
async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = id(&call)?;
    match records::find(&call.session, &collection, id).await? {
        Some(record) => Ok(Reply::json_text(record)),
        None => Err(unknown(&call)),
    }
}

/// POST. One round trip.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = accepted(&call, &collection, None)?;
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json(&Value::Object(record)).created(&format!("/templates/{id}")))
}

/// PUT. One round trip.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    // What is wrong with the template is told before that there is none of that id.
    let path_id = id(&call);
    let known = path_id.as_ref().copied().unwrap_or_default();
    let (_, record) = accepted(&call, &collection, Some(known))?;
    let id = path_id?;
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written
        .map_err(|error| collections::refused(error, &collection, &record, Channel::Put))?
    {
        Update::NotFound => Err(unknown(&call)),
        _ => Ok(Reply::json(&Value::Object(record))),
    }
}

/// DELETE. One round trip.
async fn delete(call: Call, _: Arc<Collection>) -> Answer {
    match template::delete(&call.session, id(&call)?).await? {
        (true, _) => Err(Problem::bad_request(
            "Cannot delete template which is currently in use",
        )),
        (false, true) => Ok(Reply::no_content()),
        (false, false) => Err(unknown(&call)),
    }
}

/// FOLIO takes any text for an id, and has no template of most of them.
fn id(call: &Call) -> Result<Uuid, Problem> {
    Uuid::try_parse(call.param("id")).map_err(|_| unknown(call))
}

fn unknown(call: &Call) -> Problem {
    Problem::not_found(format!("Template with id '{}' not found", call.param("id")))
}

fn accepted(
    call: &Call,
    collection: &Collection,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let sent = call.object()?;
    let known = collection
        .schema
        .without_unknown(Value::Object(sent.clone()));
    let mut record = collection.schema.accept(known)?;
    for (name, value) in sent {
        record.entry(name).or_insert(value);
    }
    collections::prepared(call, collection, record, path_id)
}
