//! Changes of records that a job finds itself, batch by batch in one transaction.

use serde_json::{Map, Value};
use store::db::Transaction;

use crate::{
    import::reason,
    jobs::running::{Failure, Running},
    records::{Author, BATCH, lock, revise},
    refusal::Refusal,
};

use super::sheets::failed;

/// What was changed, and what could not be.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Addresses of changed records.
    pub records: Vec<String>,
    /// Addresses of records that were refused, and why.
    pub refused: Vec<(String, String)>,
}

/// Changes records of these types and numbers, where `change` says that it has changed one. Two round trips for each batch.
pub(super) async fn change(
    running: &Running<'_>,
    transaction: &Transaction,
    ids: &[(&str, i64)],
    author: &Author,
    mut change: impl FnMut(&'static str, &mut Map<String, Value>) -> bool,
) -> Result<Changed, Failure> {
    let mut all = Changed::default();
    for batch in ids.chunks(BATCH) {
        let mut entries = Vec::new();
        for locked in lock(transaction, batch).await? {
            let mut record = locked.whole();
            if !change(locked.place.kind, &mut record) {
                continue;
            }
            match locked.changed(record, &*running.setting.lists) {
                Ok(entry) => {
                    entries.push(entry);
                    all.records.push(locked.uri());
                }
                Err(Refusal::Store(error)) => return Err(error.into()),
                Err(why) => all.refused.push((locked.uri(), reason(&why))),
            }
        }
        revise(transaction, entries, author).await.map_err(failed)?;
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    Ok(all)
}

/// One line of the log for each record that was refused.
pub(super) fn tell_refused(running: &Running<'_>, refused: &[(String, String)]) {
    refused.iter().for_each(|(uri, why)| running.log.line(&format!("{uri}: ERROR {why}")));
}

/// The end of the log of a job that changes records.
pub(super) fn tell_end(running: &Running<'_>, changed: usize) {
    let what = if changed == 0 { "no records modified" } else { "logging modified records" };
    running.log.line(&format!("All done, {what}."));
}
