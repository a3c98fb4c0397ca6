//! Compares what is kept beside the records of the desk with the records, and containers of the archives with their items,
//! and derives it again.

use super::facts::{Cure, Disagreement};
use crate::{
    collection::Collection,
    db::{Database, Session},
    error::StoreError,
    query::plain,
    statements::doctor::{BOXES, DERIVE_AGAIN, FOLLOW_BOXES, ITEM_STATES, LIST_UNCOMMON_AGAIN, PLAIN_COLUMNS},
    tenants::schema_name,
};

/// Rows of a table that are compared. Of a larger one a sample of that size is: history grows for years.
const COMPARED: f64 = 1_000_000.0;

/// What disagrees in a tenant's tables.
pub(super) async fn disagreements(
    database: &Database,
    collections: &[Collection],
    tenant: &str,
) -> Result<Vec<Disagreement>, String> {
    find(database, collections, tenant).await.map_err(|error| error.to_string())
}

async fn find(database: &Database, collections: &[Collection], tenant: &str) -> Result<Vec<Disagreement>, StoreError> {
    let session = database.session(&schema_name(tenant))?;
    let mut found = Vec::new();
    for collection in plain::having(collections) {
        let share = sampled_share(&session, collection.table).await?;
        let sample = share.map_or_else(String::new, |percent| format!("TABLESAMPLE SYSTEM ({percent})"));
        let row = session.get(&plain::filled(PLAIN_COLUMNS, collection).replace("{sample}", &sample), &[]).await?;
        let what = match share {
            None => "have columns that do not follow from the record".to_owned(),
            Some(percent) => format!("in a sample of {percent:.1} % have columns that do not follow from the record"),
        };
        if let Some(example) = row.get("example") {
            let rows = u64::try_from(row.get::<_, i64>("rows")).unwrap_or(0);
            found.push(Disagreement { table: collection.table.to_owned(), what, rows, example, cure: Cure::Derive });
        }
    }
    for row in session.query(ITEM_STATES, &[]).await? {
        let (table, what, cure) = match row.get("what") {
            "no state" => ("item", "have no row in item_state", Cure::Restore),
            "no item" => ("item_state", "have no item", Cure::Restore),
            _ => ("item_uncommon_status", "do not agree with item_state", Cure::Derive),
        };
        let (table, what) = (table.to_owned(), what.to_owned());
        let rows = u64::try_from(row.get::<_, i64>("rows")).unwrap_or(0);
        found.push(Disagreement { table, what, rows, example: row.get("example"), cure });
    }
    for row in session.query(BOXES, &[]).await? {
        let what = match row.get("what") {
            "no item" => "lack the item that a container of the archives is",
            "item too many" => "are items of containers that do not circulate",
            "other holdings" => "have another title, location or call number than their collection of the archives",
            _ => "have another barcode or other holdings than their container of the archives",
        };
        let rows = u64::try_from(row.get::<_, i64>("rows")).unwrap_or(0);
        let (table, what) = ("archival_box".to_owned(), what.to_owned());
        found.push(Disagreement { table, what, rows, example: row.get("example"), cure: Cure::Derive });
    }
    Ok(found)
}

/// Writes again what follows from the records, where it differs. One transaction for each table; it locks only the rows
/// that are wrong.
pub(super) async fn derive(database: &Database, collections: &[Collection], tenant: &str) -> Result<(), StoreError> {
    let session = database.session(&schema_name(tenant))?;
    for collection in plain::having(collections) {
        session.execute(&plain::filled(DERIVE_AGAIN, collection), &[]).await?;
    }
    session.execute(LIST_UNCOMMON_AGAIN, &[]).await?;
    session.execute(FOLLOW_BOXES, &[]).await?;
    Ok(())
}

/// The percentage of a large table that is compared; `None` for all of it.
async fn sampled_share(session: &Session, table: &str) -> Result<Option<f64>, StoreError> {
    let rows: f32 = session.value("SELECT reltuples FROM pg_class WHERE oid = $1::text::regclass", &[&table]).await?;
    let rows = f64::from(rows);
    Ok((rows > COMPARED).then(|| 100.0 * COMPARED / rows))
}
