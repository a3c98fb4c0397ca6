//! Forgets jobs that are over, so that the queue does not grow with the years.

use jiff::SignedDuration;
use store::jobs;

use crate::{kinds::Outcome, run::Run, runner::Scheduled, schedule::Schedule};

/// The name of this kind of job.
pub(crate) const KIND: &str = "forget-old-jobs";

/// How long a job can be seen that was done, and one that failed.
const DONE: SignedDuration = SignedDuration::from_hours(24);
const FAILED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Jobs deleted by one statement.
const BATCH: i64 = 10_000;

/// When it is done.
pub(crate) fn scheduled() -> Scheduled {
    Scheduled {
        kind: KIND.into(),
        schedule: Schedule::Every(SignedDuration::from_hours(1)),
    }
}

/// Deletes what is old. One round trip for every ten thousand jobs.
pub(crate) async fn old_jobs<C>(run: Run<C>) -> Outcome {
    let (done, failed) = (run.now - DONE, run.now - FAILED);
    while jobs::forget(&run.session, done, failed, BATCH).await? >= BATCH as u64 {}
    Ok(())
}
