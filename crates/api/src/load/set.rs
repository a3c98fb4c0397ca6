//! Writes a set of new records in one statement, with the validation of their POST.

use std::sync::Arc;

use inventory::{
    collections::{HOLDINGS_TABLE, INSTANCE_TABLE, ITEM_TABLE},
    write::{Change, Intent, NotWritten, Sent, write_holdings, write_instances, write_items},
};
use serde_json::Value;
use store::{collection::Collection, record::print_instant, records};

use crate::{answer::Problem, app::App, call::Call, collections, folio};

/// How to write a set.
pub(super) enum Way {
    /// As the collection declares it.
    Plain(Arc<Collection>),
    Inventory(Arc<Collection>),
    Users(Arc<Collection>),
}

impl Way {
    /// How to write to the collection at a path; `None` if each record needs its own POST.
    pub(super) fn of(app: &App, path: &str) -> Option<Way> {
        let collection = app.collections.iter().find(|c| c.path == path)?;
        let collection = Arc::clone(collection);
        match collection.table {
            INSTANCE_TABLE | HOLDINGS_TABLE | ITEM_TABLE => Some(Way::Inventory(collection)),
            patrons::collections::USERS => Some(Way::Users(collection)),
            // Its POST makes only files of the library's own.
            ::authorities::collections::SOURCE_FILE => Some(Way::Plain(collection)),
            _ if collection.without.contains(&"post") => None,
            _ => Some(Way::Plain(collection)),
        }
    }

    /// Writes the whole set or nothing.
    pub(super) async fn write(&self, call: &Call, set: &[&Value]) -> Result<(), Problem> {
        match self {
            Way::Plain(collection) => plain(call, collection, set).await,
            Way::Inventory(collection) => inventory_records(call, collection, set).await,
            Way::Users(collection) => folio::users::create_all(call, collection, set).await,
        }
    }
}

async fn plain(call: &Call, collection: &Collection, set: &[&Value]) -> Result<(), Problem> {
    let prepared = set.iter().map(|record| {
        let record = collection.schema.accept((*record).clone())?;
        collections::prepared(call, collection, record, None).map(|(_, record)| record)
    });
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    Ok(records::insert_all(&call.session, collection, prepared).await?)
}

async fn inventory_records(call: &Call, collection: &Collection, set: &[&Value]) -> Result<(), Problem> {
    let sent: Vec<_> = set.iter().map(|record| sent(record)).collect();
    let metadata = call.metadata();
    let change = Change {
        collection,
        intent: Intent::Create,
        locking: true,
        metadata: &metadata,
        now: &print_instant(call.now),
        rule: None,
    };
    let written = match collection.table {
        INSTANCE_TABLE => write_instances(&call.session, change, &sent, None).await,
        HOLDINGS_TABLE => write_holdings(&call.session, change, &sent).await,
        _ => write_items(&call.session, change, &sent).await,
    };
    written.map(drop).map_err(|refused| match refused {
        NotWritten::Store(error, _) => error.into(),
        // The record's own POST gives the full reason.
        _ => Problem::bad_request("refused"),
    })
}

fn sent(record: &Value) -> Sent {
    let id = record.get("id").and_then(Value::as_str);
    Sent { id: id.and_then(|id| id.parse().ok()).unwrap_or_else(store::new_id), record: record.clone() }
}
