//! Sends due scheduled notices as e-mails.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    dates::stored,
    notices::scheduled::{Due, Fate, Kind, process},
};
use jiff::Timestamp;
use serde_json::Value;
use store::{Session, StoreError, db::Transaction, statements::circulation::CLAIM_SCHEDULED_NOTICES};

use super::batch::Batch;
use crate::{Columns, Desk};

/// Default number of notices per transaction.
const BATCH: i64 = 500;

/// Processes the due notices of one kind and returns their number. Five round trips per five hundred. If the library
/// sets a limit, a run processes one batch of that size.
///
/// # Errors
/// [`StoreError`]. Notices already processed stay so; the next run continues.
pub async fn process_scheduled(
    desk: &Desk,
    session: &Session,
    kind: Kind,
    now: Timestamp,
) -> Result<usize, StoreError> {
    let configuration = desk.current(session).await?;
    let limit = configuration.notices_at_once.unwrap_or(BATCH);
    let until = stored(until(kind, &configuration, now)).to_string();
    let mut total = 0;
    loop {
        let transaction = session.begin().await?;
        let claimed = claim(desk, &transaction, kind, (&until, limit), &Place::default()).await?;
        let Claimed { mut due, configuration, .. } = claimed;
        let full = due.len() as i64 >= limit;
        if full {
            leave_torn_bundle(&mut due, kind);
        }
        let count = due.len();
        let mut batch = Batch::default();
        let processed = process(&due, kind, &configuration, now);
        batch.letters = processed.letters;
        batch.failures = processed.failures;
        for fate in processed.fates {
            match fate {
                Fate::Removed(id) => batch.removed.push(id),
                Fate::Moved(record) => batch.moved.push(record),
            }
        }
        batch.settle(transaction, now).await?;
        total += count;
        if !full || configuration.notices_at_once.is_some() {
            return Ok(total);
        }
    }
}

/// Latest due time to process: now, or the start of today for daily notices.
fn until(kind: Kind, configuration: &Configuration, now: Timestamp) -> Timestamp {
    if kind.real_time {
        return now;
    }
    let today = now.to_zoned(configuration.zone().clone());
    today.start_of_day().map_or(now, |start| start.timestamp())
}

/// The last bundle may be incomplete; leaves it for the next batch, unless it is the only one.
fn leave_torn_bundle(due: &mut Vec<Due>, kind: Kind) {
    if kind.bundled.is_none() {
        return;
    }
    let Some(last) = due.last().cloned() else {
        return;
    };
    let whole = due.iter().filter(|due| due.bundle() != last.bundle()).count();
    if whole > 0 {
        due.truncate(whole);
    }
}

/// A place in the order of scheduled notices: time and number.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    time: String,
    number: i64,
}

/// Claimed notices.
#[derive(Debug, Default)]
pub(super) struct Claimed {
    pub due: Vec<Due>,
    pub configuration: Arc<Configuration>,
    /// The place of the last one, after which the next batch begins if some of these wait.
    pub last: Place,
}

/// Claims notices for this transaction, those after a place alone.
pub(super) async fn claim(
    desk: &Desk,
    transaction: &Transaction,
    kind: Kind,
    (until, limit): (&String, i64),
    after: &Place,
) -> Result<Claimed, StoreError> {
    let bundled = kind.bundled.is_some();
    let parameters: [store::db::Parameter<'_>; 7] =
        [until, &kind.events, &kind.real_time, &limit, &bundled, &after.time, &after.number];
    let rows = transaction.query(CLAIM_SCHEDULED_NOTICES, &parameters).await?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Ok(Claimed::default());
    };
    let configuration = desk.configuration_in(transaction, first.column("configuration_version")?).await?;
    let record: Value = last.column("notice")?;
    let last =
        Place { time: record["nextRunTime"].as_str().unwrap_or_default().to_owned(), number: last.column("seq")? };
    let due = rows.iter().map(|row| {
        let subject: Value = row.record("subject")?.unwrap_or_default();
        Ok(Due {
            id: row.column("id")?,
            record: row.column("notice")?,
            subject: serde_json::from_value(subject).unwrap_or_default(),
        })
    });
    Ok(Claimed { due: due.collect::<Result<_, StoreError>>()?, configuration, last })
}
