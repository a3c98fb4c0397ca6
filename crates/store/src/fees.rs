//! Statements about fees and fines that go beyond plain records. Each function is one round trip.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Rows, record::print_instant};

/// An account with its payments, transfers and refunds.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountRow {
    pub id: Uuid,
    pub account: Value,
    /// Payments, transfers and refunds as a JSON list.
    pub movements: Value,
}

/// Those of the accounts that exist.
pub async fn accounts(session: &Session, ids: &[Uuid]) -> Result<Vec<AccountRow>, StoreError> {
    let sql = crate::statements::fees::READ_ACCOUNTS;
    let rows = session.query(sql, &[&ids]).await?;
    let read = |row: &crate::db::Row| AccountRow {
        id: row.get("id"),
        account: row.get("account"),
        movements: row.get("movements"),
    };
    Ok(rows.iter().map(read).collect())
}

/// Changes accounts from `before` to `after` and records the movements.
///
/// # Errors
/// [`StoreError::Conflict`] if an account differs from `before`.
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

/// Closes the loan of a lost item if nothing is left to pay for it.
pub async fn close_lost_loan(session: &Session, loan: Uuid, now: Timestamp) -> Result<(), StoreError> {
    let stamp = serde_json::json!({"updatedDate": print_instant(now)});
    let sql = "SELECT close_lost_loan($1, $2)";
    session.query(sql, &[&loan, &stamp]).await?;
    Ok(())
}

/// Selects the movements of a report; `None` selects all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Movements {
    pub types: Vec<&'static str>,
    /// Start (inclusive), in stored form.
    pub from: Option<String>,
    /// End (exclusive), in stored form.
    pub before: Option<String>,
    pub service_points: Option<Vec<String>>,
    /// Names of staff.
    pub sources: Option<Vec<String>>,
    /// Ids of the accounts' owners.
    pub owners: Option<Vec<String>>,
    /// Sorts by owner, staff and date instead of date.
    pub by_owner: bool,
    /// Adds what had been paid and transferred before each movement.
    pub with_payments: bool,
}

/// Streams the movements with related records, in the columns of the statement.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn movements(session: &Session, wanted: &Movements) -> Result<Rows, StoreError> {
    let sql = crate::statements::fees::READ_MOVEMENTS;
    let parameters: [crate::db::Parameter<'_>; 8] = [
        &wanted.types,
        &wanted.from,
        &wanted.before,
        &wanted.service_points,
        &wanted.sources,
        &wanted.owners,
        &wanted.by_owner,
        &wanted.with_payments,
    ];
    session.stream(sql, &parameters).await
}

/// The staff who have taken payments at a service point.
pub async fn payment_sources(session: &Session, service_point: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT doc->>'source' AS source FROM feefineactions
               WHERE doc->>'createdAt' = $1 AND doc->>'typeAction' IN ('Paid partially', 'Paid fully')
                 AND doc->>'source' IS NOT NULL ORDER BY 1";
    session.values(sql, &[&service_point]).await
}
