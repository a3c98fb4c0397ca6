//! mod-notes (docs/folio/notes-and-tags.md): notes, note types, and links from notes to other objects.

mod content;
pub(super) mod declarations;
mod links;
mod refusals;
mod types;

use std::sync::Arc;

use serde_json::{Map, Value};
use store::{StoreError, collection::Collection, record::Kind, records};

pub(super) use refusals::TABLE;

use super::declared;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Body, Routes},
};
use refusals::TYPE_UNKNOWN;

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let notes = declared(all, "note");
    let alone = Arc::new(Collection::clone(&notes).represented(declarations::NOTE_WITH_PEOPLE));
    let shown =
        || Body::of(Kind::Object(notes.schema.clone().require("id").and(declarations::PEOPLE))).named("NoteAlone");
    serve(routes, &alone, "post", create).gives_body(shown());
    serve(routes, &alone, "get", collections::get).gives_body(shown());
    serve(routes, &notes, "put", replace);
    links::routes(routes, &notes);
    types::routes(routes, &declared(all, "note_type"));
}

async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    let written = records::insert_and_read(&call.session, &collection, id, record.clone()).await;
    let note = written.map_err(|error| refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::json_text(note).created(&format!("/notes/{id}")))
}

/// PUT. Deletes a note that has no links left.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, record) = collections::accepted(&call, &collection, Some(id))?;
    if record.get("links").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return collections::delete(call, collection).await;
    }
    let written = records::replace(&call.session, &collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, &collection, &record, Channel::Put))? {
        records::Update::NotFound => Err(collections::not_found(&collection, id)),
        _ => Ok(Reply::no_content()),
    }
}

/// Spring modules pass on PostgreSQL's own message.
fn refused(error: StoreError, collection: &Collection, record: &Map<String, Value>, channel: Channel) -> Problem {
    match error {
        StoreError::ForeignKey { .. } => {
            let id = record.get("typeId").and_then(Value::as_str).unwrap_or_default();
            TYPE_UNKNOWN.with("id", id).into()
        }
        error => collections::refused(error, collection, record, channel),
    }
}
