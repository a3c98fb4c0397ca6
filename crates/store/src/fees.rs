//! Statements about fees and fines beside plain record keeping.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, record::print_instant};

/// An account, with its payments, transfers and refunds.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountRow {
    /// Its id.
    pub id: Uuid,
    /// The record.
    pub account: Value,
    /// The movements as a list.
    pub movements: Value,
}

/// The accounts with these ids, as far as there are any. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn accounts(session: &Session, ids: &[Uuid]) -> Result<Vec<AccountRow>, StoreError> {
    let sql = include_str!("../queries/fees/read_accounts.sql");
    let rows = session.query(sql, &[&ids]).await?;
    let read = |row: &crate::db::Row| AccountRow {
        id: row.get(0),
        account: row.get(1),
        movements: row.get(2),
    };
    Ok(rows.iter().map(read).collect())
}

/// Changes accounts from `before` to `after` and records the movements. One round trip.
///
/// # Errors
/// [`StoreError::Conflict`] when an account is not as it was.
pub async fn write_accounts(
    session: &Session,
    before: &Value,
    after: &Value,
    movements: &Value,
) -> Result<(), StoreError> {
    let sql = "SELECT write_accounts('[]', $1, $2, $3)";
    session.query(sql, &[before, after, movements]).await?;
    Ok(())
}

/// Closes the loan of a lost item if nothing is left to pay for it. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn close_lost_loan(
    session: &Session,
    loan: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    let stamp = serde_json::json!({"updatedDate": print_instant(now)});
    let sql = "SELECT close_lost_loan($1, $2)";
    session.query(sql, &[&loan, &stamp]).await?;
    Ok(())
}
