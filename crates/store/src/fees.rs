//! Statements about fees and fines beside plain record keeping.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Rows, record::print_instant};

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
    let sql = crate::statements::fees::READ_ACCOUNTS;
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

/// Which movements a report is about; what is `None` does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Movements {
    /// Their types.
    pub types: Vec<&'static str>,
    /// From when, as stored.
    pub from: Option<String>,
    /// Before when, as stored.
    pub before: Option<String>,
    /// Service points.
    pub service_points: Option<Vec<String>>,
    /// Who was at the desk.
    pub sources: Option<Vec<String>>,
    /// Ids of owners of the accounts.
    pub owners: Option<Vec<String>>,
    /// By owner, staff and date; by date otherwise.
    pub by_owner: bool,
    /// With what was paid and transferred before each of them.
    pub with_payments: bool,
}

/// The movements with what surrounds them, columns as in the statement, one by one: there may be more than fit in
/// memory. One round trip.
///
/// # Errors
/// [`StoreError`]; later ones come with the rows.
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

/// Who has taken payments at a service point. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn payment_sources(
    session: &Session,
    service_point: &str,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT doc->>'source' FROM feefineactions
               WHERE doc->>'createdAt' = $1 AND doc->>'typeAction' IN ('Paid partially', 'Paid fully')
                 AND doc->>'source' IS NOT NULL ORDER BY 1";
    let rows = session.query(sql, &[&service_point]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
