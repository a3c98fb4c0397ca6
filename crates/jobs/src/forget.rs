//! Deletes finished jobs, so that the queue does not keep growing.

use jiff::SignedDuration;
use store::jobs;

use crate::{
    kinds::Outcome,
    run::Run,
    schedule::{Schedule, Scheduled},
};

pub(crate) const KIND: &str = "forget-old-jobs";

/// How long a finished job is kept, and a failed one.
const DONE: SignedDuration = SignedDuration::from_hours(24);
const FAILED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Jobs deleted by one statement.
const BATCH: i64 = 10_000;

/// Its schedule.
pub(crate) fn scheduled() -> Scheduled {
    Scheduled { kind: KIND.into(), schedule: Schedule::Every(SignedDuration::from_hours(1)) }
}

/// Deletes old jobs. One round trip for every ten thousand.
pub(crate) async fn old_jobs<C>(run: Run<C>) -> Outcome {
    let (done, failed) = (run.now - DONE, run.now - FAILED);
    while jobs::forget(&run.session, done, failed, BATCH).await? >= BATCH as u64 {}
    Ok(())
}
