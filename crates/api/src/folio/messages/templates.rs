//! `/templates`, where mod-template-engine differs from other storage: members outside the schema are stored, PUT
//! answers with the record, and templates that a notice policy uses cannot be deleted.

use std::sync::Arc;

use http::StatusCode;
use messages::{
    refusal::{IN_USE, NOT_FOUND},
    templates::stored,
};
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    record::Kind,
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Body, Routes},
};

pub(super) fn routes(routes: &mut Routes, templates: &Arc<Collection>) {
    // Templates keep any additional members that clients send.
    let shown = Kind::Object(templates.schema.clone().and("..."));
    let shown = || Body::of(shown.clone()).named("Template");
    serve(routes, templates, "list", collections::list).gives_body(shown());
    serve(routes, templates, "get", get).gives_body(shown());
    serve(routes, templates, "post", create).gives_body(shown());
    serve(routes, templates, "put", replace).gives_body(shown()).with_status(StatusCode::OK);
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
    // An invalid template is reported before a missing one.
    let path_id = id(&call);
    let known = path_id.as_ref().copied().unwrap_or_default();
    let (_, record) = accepted(&call, &collection, Some(known))?;
    let id = path_id?;
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written.map_err(|error| collections::refused(error, &collection, &record, Channel::Put))? {
        Update::NotFound => Err(unknown(&call)),
        _ => Ok(Reply::json(&Value::Object(record))),
    }
}

/// DELETE. One round trip.
async fn delete(call: Call, _: Arc<Collection>) -> Answer {
    match stored::delete(&call.session, id(&call)?).await? {
        (true, _) => Err(IN_USE.into()),
        (false, true) => Ok(Reply::no_content()),
        (false, false) => Err(unknown(&call)),
    }
}

/// FOLIO accepts any text as an id and simply finds no template for most.
fn id(call: &Call) -> Result<Uuid, Problem> {
    Uuid::try_parse(call.param("id")).map_err(|_| unknown(call))
}

fn unknown(call: &Call) -> Problem {
    NOT_FOUND.with("id", call.param("id")).into()
}

fn accepted(
    call: &Call,
    collection: &Collection,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let sent = call.object()?;
    let known = collection.schema.without_unknown(Value::Object(sent.clone()));
    let mut record = collection.schema.accept(known)?;
    for (name, value) in sent {
        record.entry(name).or_insert(value);
    }
    collections::prepared(call, collection, record, path_id)
}
