//! Sends and bills due reminders.

use circulation::{
    configuration::Configuration,
    fees::changes::FeeChanges,
    notices::{
        reminders::{Outcome, remind},
        scheduled::{Due, Fate, Kind},
        scheduling::REMINDER,
    },
};
use jiff::Timestamp;
use serde_json::json;
use store::{Session, StoreError};

use super::{batch::Batch, scheduled};
use crate::{Desk, Operator, at_rest::until_at_rest, fees, loans::writing::stamped};

const REMINDERS: Kind = Kind { events: &[REMINDER], real_time: true, bundled: None };

/// Reminders per transaction, small enough to keep desk operations from waiting long.
const BATCH: i64 = 200;

/// Sends and bills every due reminder and returns their number. Five round trips per two hundred.
///
/// # Errors
/// [`StoreError`]. Reminders already sent stay so; the next run continues.
pub async fn process_reminders(desk: &Desk, session: &Session, now: Timestamp) -> Result<usize, StoreError> {
    let mut total = 0;
    loop {
        let (sent, more) = until_at_rest("the batch", || send(desk, session, now)).await?;
        total += sent;
        if !more {
            return Ok(total);
        }
    }
}

/// Sends and bills one batch; returns the number of reminders, and whether more may follow.
async fn send(desk: &Desk, session: &Session, now: Timestamp) -> Result<(usize, bool), StoreError> {
    let until = circulation::dates::stored(now).to_string();
    let transaction = session.begin().await?;
    let (due, configuration) = scheduled::claim(desk, &transaction, REMINDERS, (&until, BATCH)).await?;
    let batch = batch(&due, &configuration, now);
    let sent = batch.letters.len();
    let more = due.len() as i64 == BATCH && !batch.is_empty();
    batch.settle(transaction, now).await?;
    Ok((sent, more))
}

fn batch(due: &[Due], configuration: &Configuration, now: Timestamp) -> Batch {
    let mut batch = Batch::default();
    let mut changes = FeeChanges::default();
    let operator = Operator(None);
    for due in due {
        match remind(due, configuration, now) {
            Outcome::Waits => {}
            Outcome::Dropped(id) => batch.removed.push(id),
            Outcome::Sent(reminded) => {
                batch.letters.push(reminded.letter);
                batch.loans.push(json!({
                    "before": reminded.before,
                    "after": stamped(&reminded.loan, operator, now),
                }));
                changes.charges.extend(reminded.charge.map(|mut charge| {
                    charge.account.set_id(store::new_id());
                    charge
                }));
                match reminded.fate {
                    Fate::Removed(id) => batch.removed.push(id),
                    Fate::Moved(record) => batch.moved.push(record),
                }
            }
        }
    }
    batch.fees = fees::written(&changes, operator, now);
    batch
}
