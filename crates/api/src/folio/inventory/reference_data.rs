//! Reference data with special rules (docs/folio/reference-data.md): sources that only FOLIO may set, date types of
//! which only the name can change.

use std::sync::Arc;

use ::refusals::Refusal;
use serde_json::{Map, Value};
use store::{collection::Collection, records};

use super::refusals::{
    CALL_NUMBER_TYPE_CHANGED, CALL_NUMBER_TYPE_DELETED, HOLDINGS_SOURCE_OF_FOLIO, SOURCE_CHANGED,
    SOURCE_CONSORTIUM_SET, SOURCE_FOLIO_CHANGED, SOURCE_FOLIO_SET,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub fn routes(routes: &mut Routes) {
    for collection in inventory::collections::collections().into_iter().map(Arc::new) {
        match collection.table {
            "subject_type" | "subject_source" => {
                serve(routes, &collection, "post", create_sourced);
                serve(routes, &collection, "put", replace_sourced);
            }
            "holdings_records_source" => {
                serve(routes, &collection, "delete", delete_holdings_source);
            }
            "call_number_type" => {
                serve(routes, &collection, "put", replace_call_number_type);
                serve(routes, &collection, "delete", delete_call_number_type);
            }
            "instance_relationship" => {
                serve(routes, &collection, "post", create_relationship);
                serve(routes, &collection, "delete", collections::delete_if_there);
            }
            "instance_date_type" => {
                let path = format!("{}/{{id}}", collection.path);
                let rename = move |call| rename_date_type(call, Arc::clone(&collection));
                routes.patch(&path, rename).summary("Rename one of instanceDateTypes").takes("name").refuses(&[422]);
            }
            _ => {}
        }
    }
}

async fn create_sourced(call: Call, collection: Arc<Collection>) -> Answer {
    refuse_source(None, source(&call.json()?))?;
    collections::create(call, collection).await
}

async fn replace_sourced(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let Some(stored) = stored(&call, &collection).await? else {
        return Err(collections::not_found(&collection, id));
    };
    refuse_source(source(&stored), source(&call.json()?))?;
    collections::replace(call, collection).await
}

/// Protects sources: only FOLIO ships records with source `folio`, they keep it, and only a consortium has its own
/// records and changes sources.
fn refuse_source(stored: Option<&str>, sent: Option<&str>) -> Result<(), Refusal> {
    let wording = match (stored, sent) {
        (stored, sent) if stored == sent => return Ok(()),
        (Some("folio"), _) => SOURCE_FOLIO_CHANGED,
        (_, Some("folio")) => SOURCE_FOLIO_SET,
        (None, Some("consortium")) => SOURCE_CONSORTIUM_SET,
        (Some(_), Some("consortium" | "local")) => SOURCE_CHANGED,
        _ => return Ok(()),
    };
    Err(wording.with("source", sent.unwrap_or_default()))
}

async fn delete_holdings_source(call: Call, collection: Arc<Collection>) -> Answer {
    let stored = stored(&call, &collection).await?;
    if stored.as_ref().and_then(source) == Some("folio") {
        return Err(HOLDINGS_SOURCE_OF_FOLIO.into());
    }
    collections::delete(call, collection).await
}

async fn replace_call_number_type(call: Call, collection: Arc<Collection>) -> Answer {
    if is_of_system(&call, &collection).await? {
        return Err(CALL_NUMBER_TYPE_CHANGED.into());
    }
    collections::replace(call, collection).await
}

async fn delete_call_number_type(call: Call, collection: Arc<Collection>) -> Answer {
    if is_of_system(&call, &collection).await? {
        return Err(CALL_NUMBER_TYPE_DELETED.into());
    }
    collections::delete(call, collection).await
}

/// Call number types with the source `system` stay as FOLIO ships them (`CallNumberTypeService` of mod-inventory-storage 29.0).
async fn is_of_system(call: &Call, collection: &Collection) -> Result<bool, Problem> {
    Ok(stored(call, collection).await?.as_ref().and_then(source) == Some("system"))
}

/// A relationship that is refused is told as text, also to a POST.
async fn create_relationship(call: Call, collection: Arc<Collection>) -> Answer {
    collections::create_over(call, collection, Channel::PostText).await
}

async fn rename_date_type(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let Some(Value::Object(mut record)) = stored(&call, &collection).await? else {
        return Err(collections::not_found(&collection, id));
    };
    if let Some(name) = call.object()?.get("name").and_then(Value::as_str) {
        record.insert("name".into(), name.into());
    }
    record.insert("metadata".into(), call.metadata());
    let none = Map::new();
    let renamed = records::replace(&call.session, &collection, id, record).await;
    renamed.map_err(|error| collections::refused(error, &collection, &none, Channel::Put))?;
    Ok(Reply::no_content())
}

async fn stored(call: &Call, collection: &Collection) -> Result<Option<Value>, Problem> {
    let record = records::find(&call.session, collection, call.id("id")?).await?;
    Ok(record.and_then(|text| serde_json::from_str(&text).ok()))
}

fn source(record: &Value) -> Option<&str> {
    record.get("source").and_then(Value::as_str)
}
