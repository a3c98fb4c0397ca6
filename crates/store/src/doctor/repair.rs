//! What the doctor can repair by itself.

use uuid::Uuid;

use crate::{db::Database, error::StoreError, patron_blocks, tenants::schema_name};

/// How many patrons are counted in one transaction: few enough that the desk never waits long for one of them.
const BATCH: i32 = 500;

/// Counts the open loans, lost items and debts of each patron of a tenant again, and keeps the result, while the desk
/// goes on.
///
/// # Errors
/// [`StoreError`]. What has been counted by then stays so.
pub async fn patron_counters(database: &Database, tenant: &str) -> Result<(), StoreError> {
    let session = database.session(&schema_name(tenant))?;
    let mut after = Uuid::nil();
    while let Some(last) = patron_blocks::recount_after(&session, after, BATCH)
        .await?
        .last
    {
        after = last;
    }
    Ok(())
}
