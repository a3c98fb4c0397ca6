//! Ageing overdue items to lost (docs/folio/lost-items.md#ageing-to-lost). The rule runs over all open loans at once:
//! `age_to_lost` in `store/sql/replaceable/lost_items.sql`.

use circulation::dates::stored;
use jiff::Timestamp;
use store::{Session, StoreError, statements::circulation::AGE_TO_LOST};
use uuid::Uuid;

use crate::{Columns, Operator, updated};

/// How many overdue loans one transaction looks at: few enough that the desk never waits long for one of them.
const BATCH: i32 = 500;

/// Ages every loan whose time has come; how many these were. One round trip for every five hundred
/// overdue ones, and one that finds no more.
///
/// # Errors
/// [`StoreError`]. What has aged by then stays so; the next run goes on.
pub async fn age_to_lost(
    session: &Session,
    operator: Operator,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let (stamp, now) = (updated(operator, now), stored(now).to_string());
    let (mut last_due, mut last_id) = (String::new(), Uuid::nil());
    let mut total = 0;
    loop {
        let row = session
            .get(AGE_TO_LOST, &[&now, &stamp, &last_due, &last_id, &BATCH])
            .await?;
        let looked_at: i64 = row.column(0)?;
        total += row.column::<i64>(1)?;
        if looked_at < i64::from(BATCH) {
            return Ok(total);
        }
        last_due = row.column(2)?;
        last_id = row.column(3)?;
    }
}
