//! The files that authorities come from.

use std::sync::{Arc, LazyLock};

use ::authorities::{
    collections::SOURCE_FILE,
    refusal::{MEMBER_INVALID, SOURCE_FILE_UNKNOWN},
    source_files,
};
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use store::{collection::Collection, record::Schema};

use super::{accepted, get, id, list, refusing, stamped};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::serve,
    folio::declared,
    route::{Answer, Routes},
};

const NEW: &str = "id:uuid, name*, code*<=25, type, baseUrl, selectable:bool=true, hridManagement{startNumber:int}";
const CHANGE: &str = "_version*:int, name, code<=25, type, baseUrl, selectable:bool, hridManagement{startNumber:int}";

static NEW_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare(NEW));
static CHANGE_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare(CHANGE));

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let kept = declared(all, SOURCE_FILE);
    refusing(serve(routes, &kept, "list", list), &[]);
    refusing(serve(routes, &kept, "post", create).takes(NEW), &[422]);
    refusing(serve(routes, &kept, "get", |call, kept| get(call, kept, SOURCE_FILE_UNKNOWN)), &[404]);
    let one = "/authority-source-files/{id}";
    let change = routes.add(Method::PATCH, one, patch).summary("Change one of authoritySourceFiles").takes(CHANGE);
    refusing(change, &[404, 409, 422]);
    refusing(serve(routes, &kept, "delete", |call, _| delete(call)), &[404, 422]);
    let number = routes
        .post("/authority-source-files/{id}/hrid", next_number)
        .summary("Take the next number of a source file")
        .gives("id*:uuid, hrid*");
    refusing(number, &[404, 422]);
}

/// What was sent, with a code and a number that may be.
fn read(call: &Call, schema: &Schema) -> Result<Map<String, Value>, Problem> {
    let sent = accepted(call, schema)?;
    let refused = |member: &'static str, value: &str, message: &str| {
        Err(MEMBER_INVALID.about(member, value).with("message", message).into())
    };
    if sent.get("code").is_some_and(|code| code == "") {
        return refused("code", "", "size must be between 1 and 25");
    }
    let start = sent.get("hridManagement").and_then(|numbers| numbers["startNumber"].as_i64());
    match start.filter(|start| *start < 0) {
        Some(start) => refused("hridManagement.startNumber", &start.to_string(), "must be greater than or equal to 0"),
        None => Ok(sent),
    }
}

/// POST. One round trip.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let mut record = source_files::made(read(&call, &NEW_SCHEMA)?)?;
    let id = stamped(&call, &mut record);
    source_files::add(&call.session, id, &record).await?;
    let location = format!("{}/{id}", collection.path);
    Ok(Reply::json(&Value::Object(record)).created(&location))
}

/// PATCH. Two round trips.
async fn patch(call: Call) -> Answer {
    let id = id(&call, "id")?;
    source_files::patch(&call.session, id, &read(&call, &CHANGE_SCHEMA)?, &call.metadata()).await?;
    Ok(Reply::no_content())
}

/// DELETE. Two round trips.
async fn delete(call: Call) -> Answer {
    source_files::delete(&call.session, id(&call, "id")?).await?;
    Ok(Reply::no_content())
}

/// POST. One round trip.
async fn next_number(call: Call) -> Answer {
    let id = id(&call, "id")?;
    let number = source_files::next_number(&call.session, id).await?;
    Ok(Reply::json(&json!({"id": id, "hrid": number})).with_status(StatusCode::OK))
}
