//! Turns events into e-mails and scheduled notices.

use std::{collections::HashSet, sync::Arc};

use circulation::{
    configuration::Configuration,
    notices::{
        Event, Subject,
        events::{Noted, consequences},
    },
};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Session, StoreError, db::Transaction, statements::circulation::CLAIM_NOTICE_EVENTS};

use super::batch::Batch;
use crate::{Columns, Desk};

/// Events per transaction.
const BATCH: i64 = 200;

/// A claimed event with its records, in order of occurrence.
struct Claimed {
    id: i64,
    doc: Value,
    subjects: Vec<Subject>,
}

/// Processes all pending events and returns their number. Five round trips per two hundred events, three if there are
/// none.
///
/// # Errors
/// [`StoreError`]. Events already processed stay so; the next run continues.
pub async fn deal_with_events(desk: &Desk, session: &Session, now: Timestamp) -> Result<usize, StoreError> {
    let mut total = 0;
    loop {
        let transaction = session.begin().await?;
        let (claimed, configuration) = claim(desk, &transaction).await?;
        let count = claimed.len();
        batch(claimed, &configuration, now).settle(transaction, now).await?;
        total += count;
        if count < BATCH as usize {
            return Ok(total);
        }
    }
}

async fn claim(desk: &Desk, transaction: &Transaction) -> Result<(Vec<Claimed>, Arc<Configuration>), StoreError> {
    let rows = transaction.query(CLAIM_NOTICE_EVENTS, &[&BATCH]).await?;
    let Some(first) = rows.first() else {
        return Ok((Vec::new(), Arc::default()));
    };
    let configuration = desk.configuration_in(transaction, first.column("configuration_version")?).await?;
    let mut claimed: Vec<Claimed> = Vec::new();
    for row in &rows {
        let id = row.column("id")?;
        // An unreadable subject counts as empty, so that its event is still removed.
        let subject: Value = row.record("subject")?.unwrap_or_default();
        let subject = serde_json::from_value(subject).unwrap_or_default();
        match claimed.last_mut().filter(|last| last.id == id) {
            Some(last) => last.subjects.push(subject),
            None => claimed.push(Claimed { id, doc: row.column("event")?, subjects: vec![subject] }),
        }
    }
    Ok((claimed, configuration))
}

fn batch(claimed: Vec<Claimed>, configuration: &Configuration, now: Timestamp) -> Batch {
    let mut batch = Batch::default();
    // Records are read in their current state, so one plan per record is enough.
    let mut planned = HashSet::new();
    for happened in claimed {
        batch.events.push(happened.id);
        let text = |member: &str| happened.doc[member].as_str().map(str::to_owned);
        let Some(event) = text("event").as_deref().and_then(Event::named) else {
            continue;
        };
        let plans = matches!(event, Event::DueDate | Event::RequestExpiration);
        if plans && !planned.insert((event.name(), text("loanId"), text("requestId"))) {
            continue;
        }
        let noted = Noted { event, session: text("sessionId"), subjects: happened.subjects };
        let found = consequences(&noted, configuration, now);
        batch.letters.extend(found.letters);
        batch.forgotten.extend(found.forgotten);
        let scheduled = found.scheduled.into_iter().map(|mut notice| {
            notice["id"] = json!(store::new_id());
            notice
        });
        batch.scheduled.extend(scheduled);
    }
    batch
}
