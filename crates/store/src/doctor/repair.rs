//! Repairs that the doctor can make.

use uuid::Uuid;

use super::columns;
use crate::{collection::Collection, db::Database, error::StoreError, patron_blocks, tenants::schema_name};

/// Patrons per transaction: few enough that the desk never waits long for one of them.
const BATCH: i32 = 500;

/// Recounts every patron's open loans, lost items and debts while the desk keeps working.
///
/// # Errors
/// [`StoreError`]; batches already committed stay corrected.
pub async fn patron_counters(database: &Database, tenant: &str) -> Result<(), StoreError> {
    let session = database.session(&schema_name(tenant))?;
    let mut after = Uuid::nil();
    while let Some(last) = patron_blocks::recount_after(&session, after, BATCH).await?.last {
        after = last;
    }
    Ok(())
}

/// Derives the columns of the desk's tables, and the list of uncommon item statuses, from the records again where they
/// differ.
///
/// # Errors
/// [`StoreError`]; tables already committed stay corrected.
pub async fn plain_columns(database: &Database, collections: &[Collection], tenant: &str) -> Result<(), StoreError> {
    columns::derive(database, collections, tenant).await
}
