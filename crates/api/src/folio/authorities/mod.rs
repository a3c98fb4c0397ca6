//! mod-entities-links: authorities, the files they come from, and types of their notes (docs/folio/authorities.md).

mod links;
mod loading;
mod note_types;
mod records;
mod reindex;
mod source_files;

use std::sync::Arc;

use ::authorities::{
    Failed,
    refusal::{ATTRIBUTE_UNKNOWN, BODY_UNREADABLE, MEMBER_INVALID, PARAMETER_INVALID},
};
use refusals::{Refused, Wording};
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    query::{self, ListRequest},
    record::{Breach, Rejection, Schema},
    records as stored,
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::page,
    manner::spring,
    route::{Answer, Form, Route, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    records::routes(routes, all);
    source_files::routes(routes, all);
    note_types::routes(routes, all);
    reindex::routes(routes, all);
    links::routes(routes);
    loading::routes(routes, all);
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused(refused) => refused.into(),
            Failed::Store(error) => error.into(),
        }
    }
}

/// Declares refusals in the shape of the module.
fn refusing<'r>(route: &'r mut Route, statuses: &[u16]) -> &'r mut Route {
    statuses.iter().fold(route.refuses_as(400, Form::Errors), |route, status| route.refuses_as(*status, Form::Errors))
}

/// The id in the path.
fn id(call: &Call, name: &'static str) -> Result<Uuid, Problem> {
    let text = call.param(name);
    let is_one = store::record::is_uuid(text).then(|| Uuid::parse_str(text).ok()).flatten();
    is_one.ok_or_else(|| PARAMETER_INVALID.with("message", spring::no_uuid(name, text)).into())
}

/// A number from 0 to the most allowed.
fn number(call: &Call, name: &'static str, usual: i64, most: i64) -> Result<i64, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else { return Ok(usual) };
    let refused = |message: String| Problem::from(PARAMETER_INVALID.with("message", message));
    match text.parse::<i32>().map(i64::from) {
        Err(_) => {
            Err(refused(spring::not_converted(name, "java.lang.Integer", &format!("For input string: \"{text}\""))))
        }
        Ok(number) if number < 0 => Err(refused(format!("{name}: must be greater than or equal to 0"))),
        Ok(number) if number > most => Err(refused(format!("{name}: must be less than or equal to {most}"))),
        Ok(number) => Ok(number),
    }
}

/// A switch, off if it is not there.
fn switch(call: &Call, name: &'static str) -> Result<bool, Problem> {
    match call.query.get(name).unwrap_or_default() {
        "true" => Ok(true),
        "" | "false" => Ok(false),
        other => {
            let detail = format!("Invalid boolean value [{other}]");
            let message = spring::not_converted(name, "java.lang.Boolean", &detail);
            Err(PARAMETER_INVALID.with("message", message).into())
        }
    }
}

/// The records in one answer.
const MOST: i64 = 2_000;

/// What a list is asked for.
fn asked<'c>(call: &'c Call, collection: &Collection) -> Result<ListRequest<'c>, Problem> {
    let cql = call.query.get("query").filter(|cql| !cql.trim().is_empty());
    if let Some(cql) = cql {
        let all = &call.app.collections;
        let plan = query::read(all, collection, cql).map_err(|error| match error {
            query::QueryError::Store(error) => error.into(),
            query::QueryError::Cql(text) => Problem::from(PARAMETER_INVALID.with("message", text)),
        })?;
        if let Some((entity, attribute)) = query::unresolved(all, collection, &plan) {
            return Err(ATTRIBUTE_UNKNOWN.with("attribute", attribute).with("entity", entity).into());
        }
    }
    let limit = number(call, "limit", collection.default_limit, MOST)?;
    Ok(ListRequest { cql, limit, offset: number(call, "offset", 0, i64::from(i32::MAX))?, totals: "auto" })
}

/// GET of a list. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    page(&call, &collection, &asked(&call, &collection)?).await
}

/// GET of a record. One round trip.
async fn get(call: Call, collection: Arc<Collection>, unknown: &'static Wording) -> Answer {
    let id = id(&call, "id")?;
    let found = stored::find(&call.session, &collection, id).await?;
    found.map(Reply::json_text).ok_or_else(|| unknown.with("id", id).into())
}

/// The record in a body; the module ignores members that it does not know.
fn accepted(call: &Call, schema: &Schema) -> Result<Map<String, Value>, Problem> {
    let unreadable = |message: String| Problem::from(BODY_UNREADABLE.with("message", message));
    if call.body.is_empty() {
        let (method, path) = (&call.route.method, &call.route.path);
        return Err(unreadable(format!("Required request body is missing: {method} {path}")));
    }
    read(schema, &call.body).map_err(|rejection| match rejection {
        Rejection::Unreadable(text) => unreadable(format!("JSON parse error: {text}")),
        Rejection::Breaches(breaches) => invalid(&breaches),
    })
}

/// The record in a text, without members that the module does not know.
fn read(schema: &Schema, text: &[u8]) -> Result<Map<String, Value>, Rejection> {
    let sent: Value = serde_json::from_slice(text).map_err(|error| Rejection::Unreadable(error.to_string()))?;
    schema.accept(schema.without_unknown(sent))
}

/// Members with wrong values, each with its own error; a malformed id makes the body unreadable.
fn invalid(breaches: &[Breach]) -> Problem {
    if let Some(value) = breaches.iter().find_map(Breach::malformed_id) {
        let message = format!(
            "JSON parse error: Cannot deserialize value of type `java.util.UUID` from String \"{value}\": UUID has to be \
             represented by standard 36-char representation"
        );
        return BODY_UNREADABLE.with("message", message).into();
    }
    let mut refused = Refused::default();
    for breach in breaches {
        let (message, _, member, value) = breach.in_words();
        let message = message.replace("size must be between 0", "size must be between 1");
        refused.add(MEMBER_INVALID.about(member, value).with("message", message));
    }
    refused.into()
}

/// Gives a record its id, or a new one, and `metadata`.
fn stamped(call: &Call, record: &mut Map<String, Value>) -> Uuid {
    let sent = record.get("id").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    let id = sent.unwrap_or_else(store::new_id);
    record.insert("id".to_owned(), id.to_string().into());
    record.insert("metadata".to_owned(), call.metadata());
    id
}
