//! Statements about fees and fines that go beyond plain records. Each function is one round trip.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{Session, StoreError, db::Rows, record::print_instant};

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
