//! Loads the records that come with modules (docs/folio/bundled-records.md): set by set, so that a thousand records
//! cost some fifty round trips. A record that is there already stays as it is, so loading can be repeated.

use inventory::write::{
    Change, Intent, Refused, Sent, write_holdings, write_instances, write_items,
};
use serde_json::{Map, Value, json};
use store::{
    Session,
    bundle::{self, File, Set},
    collection::Collection,
    record, records,
};
use uuid::Uuid;

use crate::{answer::Problem, app::App};

/// Loads these sets of the products.
///
/// # Errors
/// What the database refuses; a record of ours that breaks its own declaration is a defect.
pub async fn load(
    app: &App,
    session: &Session,
    sets: &[Set],
    products: &[&str],
) -> Result<(), Problem> {
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

/// Rows that FOLIO's own scripts insert have no `metadata`, or no more of it than the database gives.
fn metadata(set: Set, module: &str, now: &str) -> Value {
    match (set, module) {
        (
            Set::Seed,
            "mod-circulation-storage"
            | "mod-feesfines"
            | "mod-patron-blocks"
            | "mod-template-engine",
        ) => Value::Null,
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
    let change = Change {
        collection,
        intent: Intent::Upsert,
        locking: false,
        metadata,
        now,
        rule: None,
    };
    let refused = |refused: Refused| match refused {
        Refused::Store(error, _) => error.into(),
        other => Problem::Internal(format!("{}: {other:?}", file.path)),
    };
    match file.path.as_str() {
        "/instance-storage/instances" => write_instances(session, change, &sent(file)?, None)
            .await
            .map(drop)
            .map_err(refused),
        "/holdings-storage/holdings" => write_holdings(session, change, &sent(file)?)
            .await
            .map(drop)
            .map_err(refused),
        "/item-storage/items" => write_items(session, change, &sent(file)?)
            .await
            .map(drop)
            .map_err(refused),
        _ => {
            let records = file.records()?;
            if records.iter().any(|record| id_of(record).is_none())
                && !records::is_empty(session, collection).await?
            {
                // A record without an id is the only one of its kind, and there is one already.
                return Ok(());
            }
            let stored: Result<Vec<_>, _> = records
                .into_iter()
                .map(|record| stored(collection, record, metadata))
                .collect();
            let stored =
                stored.map_err(|text| Problem::Internal(format!("{}: {text}", file.path)))?;
            records::insert_missing(session, collection, stored).await?;
            Ok(())
        }
    }
}

fn sent(file: &File) -> Result<Vec<Sent>, Problem> {
    let records = file.records()?.into_iter();
    let sent = |record| Sent {
        id: id_of(&record).unwrap_or_else(store::new_id),
        record,
    };
    Ok(records.map(sent).collect())
}

fn id_of(record: &Value) -> Option<Uuid> {
    record.get("id")?.as_str()?.parse().ok()
}

/// The record in stored form.
fn stored(
    collection: &Collection,
    mut record: Value,
    metadata: &Value,
) -> Result<Map<String, Value>, String> {
    let id = id_of(&record).unwrap_or_else(store::new_id);
    // FOLIO's own files have a member here and there that its own schemas do not.
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
        check(&mut record).map_err(|fault| fault.message)?;
    }
    Ok(record)
}
