//! What the doctor can repair by itself.

use crate::{db::Database, error::StoreError, tenants::schema_name};

/// Counts the open loans, lost items and debts of each patron of a tenant again, and keeps the result. Nobody can lend
/// or take back meanwhile, which takes as long as reading all open loans and all accounts.
///
/// # Errors
/// [`StoreError`]; nothing is changed then.
pub async fn patron_counters(database: &Database, tenant: &str) -> Result<(), StoreError> {
    let transaction = database.session(&schema_name(tenant))?.begin().await?;
    let sql = include_str!("../../queries/doctor/repair_patron_counters.sql");
    transaction.batch(sql).await?;
    transaction.commit().await
}
