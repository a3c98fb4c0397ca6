//! Expiring actual cost records (docs/folio/lost-items.md#actual-costs). The rule runs in the database:
//! `store/sql/replaceable/set_rules/cost_expiry.sql`.

use circulation::dates::stored;
use jiff::Timestamp;
use store::{Session, StoreError, statements::circulation::EXPIRE_ACTUAL_COSTS};
use uuid::Uuid;

use crate::{Columns, Operator, at_rest::until_at_rest, updated};

/// Actual cost records per transaction.
const BATCH: i32 = 500;

/// Expires the actual cost records whose deadline has passed and returns their number. One round trip per five hundred,
/// and a last one that finds no more.
///
/// # Errors
/// [`StoreError`]. Records already expired stay so; the next run continues.
pub async fn expire_actual_costs(session: &Session, operator: Operator, now: Timestamp) -> Result<i64, StoreError> {
    let (stamp, now) = (updated(operator, now), stored(now).to_string());
    let (mut date, mut id) = (String::new(), Uuid::nil());
    let mut total = 0;
    loop {
        let parameters: [store::db::Parameter<'_>; 5] = [&now, &stamp, &date, &id, &BATCH];
        let expire = || session.get(EXPIRE_ACTUAL_COSTS, &parameters);
        let row = until_at_rest("the batch", expire).await?;
        total += row.column::<i64>("expired")?;
        match (row.column("last_date")?, row.column("last_id")?) {
            (Some(last_date), Some(last_id)) => (date, id) = (last_date, last_id),
            _ => return Ok(total),
        }
    }
}
