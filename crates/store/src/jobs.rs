//! Statements of the job queue. Each function is one round trip. Callers pass the time: the queue has no clock.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    db::{Database, Session, Transaction, only},
    error::StoreError,
};

const ENQUEUE: &str = "SELECT enqueue_job($1, $2, $3, $4)";

/// A job to enter in the queue.
#[derive(Debug, Clone, Copy)]
pub struct NewJob<'a> {
    pub kind: &'a str,
    /// Input of the handler.
    pub payload: &'a Value,
    /// Earliest start; `None` for at once.
    pub run_after: Option<Timestamp>,
    /// At most one job of a kind and key waits, and at most one runs.
    pub key: Option<&'a str>,
}

impl<'a> NewJob<'a> {
    /// A job that may run at once.
    pub fn new(kind: &'a str, payload: &'a Value) -> Self {
        let (run_after, key) = (None, None);
        Self { kind, payload, run_after, key }
    }
}

/// Enters a job in the transaction of other changes; returns its id.
pub async fn enqueue_in(transaction: &Transaction, job: &NewJob<'_>) -> Result<i64, StoreError> {
    let parameters: [crate::db::Parameter<'_>; 4] = [&job.kind, job.payload, &job.run_after, &job.key];
    let rows = transaction.query(ENQUEUE, &parameters).await?;
    let row = rows.first();
    only(row.ok_or_else(|| StoreError::Other("no job was entered".into()))?)
}

/// Enters a job; returns its id.
pub async fn enqueue(session: &Session, job: &NewJob<'_>) -> Result<i64, StoreError> {
    let parameters: [crate::db::Parameter<'_>; 4] = [&job.kind, job.payload, &job.run_after, &job.key];
    session.value(ENQUEUE, &parameters).await
}

/// A job that this process may run until its lease ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub id: i64,
    pub kind: String,
    /// Input of the handler.
    pub payload: Value,
    /// The schedule of a repeating job.
    pub schedule: Option<Value>,
    /// Attempts since the last success, including this one.
    pub attempts: i32,
}

/// A process that runs jobs, at one point in time.
#[derive(Debug, Clone, Copy)]
pub struct Claimant<'a> {
    pub process: &'a str,
    /// The kinds it has handlers for.
    pub kinds: &'a [String],
    pub now: Timestamp,
    /// When other processes may take over the jobs.
    pub lease_ends: Timestamp,
}

/// Claims at most `limit` due jobs. Two processes never get the same job.
pub async fn claim(session: &Session, by: Claimant<'_>, at_most: i64) -> Result<Vec<Claimed>, StoreError> {
    let sql = crate::statements::jobs::CLAIM;
    let parameters: [crate::db::Parameter<'_>; 5] = [&by.now, &by.lease_ends, &by.process, &by.kinds, &at_most];
    let rows = session.query(sql, &parameters).await?;
    let claimed = rows.iter().map(|row| Claimed {
        id: row.get("id"),
        kind: row.get("kind"),
        payload: row.get("payload"),
        schedule: row.get("schedule"),
        attempts: row.get("attempts"),
    });
    Ok(claimed.collect())
}

/// The outcome of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// `waiting`, `done` or `failed`.
    pub state: &'static str,
    /// When it is due again.
    pub run_after: Timestamp,
    /// The new count of attempts.
    pub attempts: i32,
    /// Why it failed.
    pub error: Option<String>,
}

/// Records the outcome of a job; returns false if this process has lost its lease.
pub async fn settle(
    session: &Session,
    job: &Claimed,
    process: &str,
    settlement: &Settlement,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = crate::statements::jobs::SETTLE;
    let Settlement { state, run_after, attempts, error } = settlement;
    let parameters: [crate::db::Parameter<'_>; 9] =
        [&job.id, &process, &job.attempts, state, run_after, attempts, error, &now, &job.schedule];
    Ok(session.execute(sql, &parameters).await? > 0)
}

/// Extends the leases of all jobs that this process runs for the tenant.
pub async fn extend_leases(session: &Session, process: &str, until: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE job SET run_after = $2 WHERE state = 'running' AND locked_by = $1";
    session.execute(sql, &[&process, &until]).await?;
    Ok(())
}

/// Returns jobs that this process cannot finish to the queue, as if never started; returns their number.
pub async fn give_back(session: &Session, jobs: &[i64], process: &str, now: Timestamp) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::GIVE_BACK;
    session.execute(sql, &[&jobs, &process, &now]).await
}

/// Reports progress of a running job and extends its lease; returns false if this process has lost it.
pub async fn report(
    session: &Session,
    job: i64,
    process: &str,
    progress: &Value,
    lease_ends: Timestamp,
) -> Result<bool, StoreError> {
    let sql = "UPDATE job SET progress = $3, run_after = $4
               WHERE id = $1 AND locked_by = $2 AND state = 'running'";
    let parameters: [crate::db::Parameter<'_>; 4] = [&job, &process, progress, &lease_ends];
    Ok(session.execute(sql, &parameters).await? > 0)
}

/// Replaces the scheduled jobs of `kinds` by those in `wanted` (`[{kind, schedule, first}]`); leaves other kinds alone.
pub async fn schedule(session: &Session, wanted: &Value, kinds: &[String]) -> Result<(), StoreError> {
    let sql = crate::statements::jobs::SCHEDULE;
    session.execute(sql, &[wanted, &kinds]).await?;
    Ok(())
}

/// Deletes jobs that ended before these times, at most `limit`; returns their number.
pub async fn forget(
    session: &Session,
    done_before: Timestamp,
    failed_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::FORGET;
    session.execute(sql, &[&done_before, &failed_before, &at_most]).await
}

/// The tenants with a job to run now.
pub async fn tenants_with_due_jobs(database: &Database, now: Timestamp) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT carrel.tenants_with_due_jobs($1)";
    database.system()?.values(sql, &[&now]).await
}

/// The kinds of jobs of a tenant, as JSON text.
pub async fn kinds(session: &Session) -> Result<String, StoreError> {
    let sql = crate::statements::jobs::KINDS;
    session.value(sql, &[]).await
}

/// Makes the scheduled job of a kind due now; returns false if none is waiting.
pub async fn run_now(session: &Session, kind: &str, now: Timestamp) -> Result<bool, StoreError> {
    let sql = "UPDATE job SET run_after = least(run_after, $2)
               WHERE kind = $1 AND schedule IS NOT NULL AND state = 'waiting'";
    Ok(session.execute(sql, &[&kind, &now]).await? > 0)
}

/// Retries the failed jobs of a kind, except where a later one with the same key waits; returns their number.
pub async fn retry(session: &Session, kind: &str, now: Timestamp) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::RETRY;
    session.execute(sql, &[&kind, &now]).await
}
