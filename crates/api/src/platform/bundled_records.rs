//! Loads the records bundled with modules (docs/folio/bundled-records.md), set by set: a thousand records take about
//! fifty round trips. Existing records stay unchanged, so loading can be repeated.

use inventory::write::{Change, Intent, NotWritten, Sent, write_holdings, write_instances, write_items};
use serde_json::{Map, Value, json};
use store::{
    Session,
    bundle::{self, File, Set},
    collection::Collection,
    record, records,
};
use uuid::Uuid;

use crate::{answer::Problem, app::App};

/// Loads the products' record sets. A bundled record that violates its own declaration is a bug.
pub async fn load_bundled(app: &App, session: &Session, sets: &[Set], products: &[&str]) -> Result<(), Problem> {
    let now = record::print_instant((app.clock)());
    for set in sets {
        for file in bundle::files(*set)? {
            if !products.contains(&file.module.as_str()) {
                continue;
            }
            let path = file.path.as_str();
            let metadata = metadata(*set, &file.module, &now);
            match app.collections.iter().find(|c| c.path == path) {
                Some(collection) => load_file(session, collection, &file, &metadata, &now).await?,
                None => tracing::debug!(path, "no collection keeps these records"),
            }
        }
    }
    Ok(())
}

/// The `metadata` of a bundled record. Rows that FOLIO's scripts insert have none, or only what the database adds.
fn metadata(set: Set, module: &str, now: &str) -> Value {
    match (set, module) {
        (Set::Seed, "mod-circulation-storage" | "mod-feesfines" | "mod-patron-blocks" | "mod-template-engine") => {
            Value::Null
        }
        (Set::Seed, "mod-tags") => json!({"createdDate": now}),
        _ => json!({"createdDate": now, "updatedDate": now}),
    }
}

async fn load_file(
    session: &Session,
    collection: &Collection,
    file: &File,
    metadata: &Value,
    now: &str,
) -> Result<(), Problem> {
    let change = Change { collection, intent: Intent::Upsert, locking: false, metadata, now, rule: None };
    let refused = |refused: NotWritten| match refused {
        NotWritten::Store(error, _) => error.into(),
        other => Problem::Internal(format!("{}: {other:?}", file.path)),
    };
    match file.path.as_str() {
        "/instance-storage/instances" => {
            write_instances(session, change, &sent(file)?, None).await.map(drop).map_err(refused)
        }
        "/holdings-storage/holdings" => write_holdings(session, change, &sent(file)?).await.map(drop).map_err(refused),
        "/item-storage/items" => write_items(session, change, &sent(file)?).await.map(drop).map_err(refused),
        _ => {
            let records = file.records()?;
            if records.iter().any(|record| id_of(record).is_none()) && !records::is_empty(session, collection).await? {
                // A record without an id is the only one of its kind, and one exists already.
                return Ok(());
            }
            let stored: Result<Vec<_>, _> =
                records.into_iter().map(|record| stored(collection, record, metadata)).collect();
            let stored = stored.map_err(|text| Problem::Internal(format!("{}: {text}", file.path)))?;
            records::insert_missing(session, collection, stored).await?;
            Ok(())
        }
    }
}

fn sent(file: &File) -> Result<Vec<Sent>, Problem> {
    let records = file.records()?.into_iter();
    let sent = |record| Sent { id: id_of(&record).unwrap_or_else(store::new_id), record };
    Ok(records.map(sent).collect())
}

fn id_of(record: &Value) -> Option<Uuid> {
    record.get("id")?.as_str()?.parse().ok()
}

fn stored(collection: &Collection, mut record: Value, metadata: &Value) -> Result<Map<String, Value>, String> {
    let id = id_of(&record).unwrap_or_else(store::new_id);
    // Some of FOLIO's files have members that FOLIO's schemas lack.
    if let Value::Object(members) = &mut record {
        members.retain(|name, _| collection.schema.field(name).is_some());
    }
    let accepted = collection.schema.accept(record);
    let mut record = accepted.map_err(|rejection| format!("{rejection:?}"))?;
    record.insert("id".into(), id.to_string().into());
    if collection.versioned {
        record.insert("_version".into(), 1.into());
    }
    if collection.metadata && !metadata.is_null() {
        record.insert("metadata".into(), metadata.clone());
    }
    if let Some(check) = collection.check {
        check(&mut record).map_err(|refused| refused.to_string())?;
    }
    Ok(record)
}
