//! Authorities from a file.

use std::sync::{Arc, LazyLock};

use ::authorities::{collections::AUTHORITY, loading, refusal::NO_FILES};
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    record::{Rejection, Schema},
};

use super::{accepted, refusing, stamped};
use crate::{
    answer::Reply,
    call::Call,
    folio::declared,
    route::{Answer, Routes},
};

const FILE: &str = "recordsFileName*";
const LOADED: &str = "errorsNumber*:int, errorRecordsFileName, errorsFileName";

static FILE_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::declare(FILE));

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let kept = declared(all, AUTHORITY);
    let load = routes.post("/authority-storage/authorities/bulk", move |call| load(call, Arc::clone(&kept)));
    let load = load.summary("Add or replace the authorities of a file").takes(FILE).gives(LOADED);
    refusing(load, &[422]);
}

/// POST. One round trip for each 500 records.
async fn load(call: Call, collection: Arc<Collection>) -> Answer {
    let request = accepted(&call, &FILE_SCHEMA)?;
    let name = request.get("recordsFileName").and_then(Value::as_str).unwrap_or_default();
    let Some(files) = &call.app.settings.files_directory else { return Err(NO_FILES.into()) };
    let folder = files.join(&call.tenant.tenant.id);
    let read = |line: &str| {
        let mut record = record(&collection.schema, line)?;
        stamped(&call, &mut record);
        Ok(record)
    };
    let loaded = loading::load(&call.session, &folder, name, read).await?;
    Ok(Reply::json(&serde_json::json!(loaded)))
}

/// The record on a line, or why it is none.
fn record(schema: &Schema, line: &str) -> Result<Map<String, Value>, String> {
    super::read(schema, line.as_bytes()).map_err(|rejection| match rejection {
        Rejection::Unreadable(text) => text,
        Rejection::Breaches(breaches) => {
            let said = breaches.iter().map(|breach| {
                let (message, _, member, _) = breach.in_words();
                format!("{member} {message}")
            });
            said.collect::<Vec<_>>().join("; ")
        }
    })
}
