//! Repairs that the doctor can make.

use uuid::Uuid;

use crate::{db::Database, error::StoreError, patron_blocks, tenants::schema_name};

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
