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

use super::{
    batch::Batch,
    scheduled::{self, Claimed, Place},
};
use crate::{Desk, Operator, at_rest::until_at_rest, fees, loans::writing::stamped};

const REMINDERS: Kind = Kind { events: &[REMINDER], real_time: true, bundled: None };

/// Reminders per transaction, small enough to keep desk operations from waiting long.
const BATCH: i64 = 200;

/// Sends and bills every due reminder and returns their number. Five round trips per two hundred.
///
/// # Errors
/// [`StoreError`]. Reminders already sent stay so; the next run continues.
pub async fn process_reminders(desk: &Desk, session: &Session, now: Timestamp) -> Result<usize, StoreError> {
    let (mut total, mut place) = (0, Place::default());
    loop {
        let (sent, last) = until_at_rest("the batch", || send(desk, session, now, &place)).await?;
        total += sent;
        match last {
            // Those that wait for an open day or a fee owner hold up no others.
            Some(last) => place = last,
            None => return Ok(total),
        }
    }
}

/// Sends and bills one batch; returns the number of reminders, and where it ended, if more may follow.
async fn send(
    desk: &Desk,
    session: &Session,
    now: Timestamp,
    after: &Place,
) -> Result<(usize, Option<Place>), StoreError> {
    let until = circulation::dates::stored(now).to_string();
    let transaction = session.begin().await?;
    let claimed = scheduled::claim(desk, &transaction, REMINDERS, (&until, BATCH), after).await?;
    let Claimed { due, configuration, last } = claimed;
    let batch = batch(&due, &configuration, now);
    let sent = batch.letters.len();
    batch.settle(transaction, now).await?;
    Ok((sent, Some(last).filter(|_| due.len() as i64 == BATCH)))
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
