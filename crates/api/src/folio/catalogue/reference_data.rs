//! Reference data with rules of its own (docs/folio/reference-data.md): sources that only FOLIO sets, dates whose name
//! alone can change.

use std::sync::Arc;

use serde_json::{Map, Value};
use store::{collection::Collection, records};

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

pub fn routes(routes: &mut Routes) {
    for collection in inventory::collections::collections()
        .into_iter()
        .map(Arc::new)
    {
        match collection.table {
            "subject_type" | "subject_source" => {
                serve(routes, &collection, "post", create_sourced);
                serve(routes, &collection, "put", replace_sourced);
            }
            "holdings_records_source" => {
                serve(routes, &collection, "delete", delete_holdings_source)
            }
            "instance_date_type" => {
                let path = format!("{}/{{id}}", collection.path);
                let rename = move |call| rename_date_type(call, Arc::clone(&collection));
                routes
                    .patch(&path, rename)
                    .summary("Rename one of instanceDateTypes")
                    .takes("name");
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

/// Only FOLIO ships records of source `folio`, they stay so, and only a consortium has records of its own.
fn refuse_source(stored: Option<&str>, sent: Option<&str>) -> Result<(), Problem> {
    let message = match (stored, sent) {
        (stored, sent) if stored == sent => return Ok(()),
        (Some("folio"), _) => "Illegal operation: Source folio cannot be updated",
        (_, Some("folio")) => "Illegal operation: Source field cannot be set to folio",
        (_, Some("consortium")) => {
            "Illegal operation: Source consortium cannot be applied at non-consortium tenant"
        }
        _ => return Ok(()),
    };
    Err(Problem::unprocessable(&[ErrorItem::rmb(
        message,
        "source",
        sent.unwrap_or_default(),
    )]))
}

async fn delete_holdings_source(call: Call, collection: Arc<Collection>) -> Answer {
    let stored = stored(&call, &collection).await?;
    if stored.as_ref().and_then(source) == Some("folio") {
        let text = "Holdings Records Sources with source of folio can not be deleted";
        return Err(Problem::bad_request(text));
    }
    collections::delete(call, collection).await
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
