//! Ageing overdue items to lost (contract §7.4): a job that runs over all open loans of a library in a
//! few set-based statements.

use jiff::Timestamp;
use store::{Session, StoreError};
use uuid::Uuid;

use super::{Columns, Operator, updated};
use crate::dates::stored;

const AGE: &str = "SELECT aged, last_due, last_id FROM age_to_lost($1, $2, $3, $4, $5)";

/// How many loans age in one transaction: few enough that the desk never waits long for one of them.
const BATCH: i32 = 500;

/// Ages every loan whose time has come; how many these were. One round trip for every five hundred of them,
/// and one that finds no more.
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
            .get(AGE, &[&now, &stamp, &last_due, &last_id, &BATCH])
            .await?;
        let aged: i64 = row.column(0)?;
        total += aged;
        if aged < i64::from(BATCH) {
            return Ok(total);
        }
        last_due = row.column(1)?;
        last_id = row.column(2)?;
    }
}
