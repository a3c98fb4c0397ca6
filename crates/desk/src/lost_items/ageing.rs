//! Ageing overdue items to lost (docs/folio/lost-items.md#ageing-to-lost). The rule runs in the database:
//! `store/sql/replaceable/set_rules/ageing.sql`.

use circulation::dates::stored;
use jiff::Timestamp;
use store::{Session, StoreError, statements::circulation::AGE_TO_LOST};
use uuid::Uuid;

use crate::{Columns, Operator, updated};

/// Overdue loans per transaction. A check-out by the borrower of one of them waits for the end of the transaction.
const BATCH: i32 = 100;

/// Ages the items of all due loans to lost and returns their number. One round trip per hundred overdue loans, and
/// a last one that finds no more.
///
/// # Errors
/// [`StoreError`]. Items already aged stay so; the next run continues.
pub async fn age_to_lost(session: &Session, operator: Operator, now: Timestamp) -> Result<i64, StoreError> {
    let (stamp, now) = (updated(operator, now), stored(now).to_string());
    let (mut last_due, mut last_id) = (String::new(), Uuid::nil());
    let mut total = 0;
    loop {
        let row = session.get(AGE_TO_LOST, &[&now, &stamp, &last_due, &last_id, &BATCH]).await?;
        let looked_at: i64 = row.column("looked_at")?;
        total += row.column::<i64>("aged")?;
        if looked_at < i64::from(BATCH) {
            return Ok(total);
        }
        last_due = row.column("last_due")?;
        last_id = row.column("last_id")?;
    }
}
