//! Statements of the queue of jobs. Each function is one round trip. Instants are passed in: the queue has no clock.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    db::{Database, Session, Transaction},
    error::StoreError,
};

const ENQUEUE: &str = "SELECT enqueue_job($1, $2, $3, $4)";

/// A job that is to be done.
#[derive(Debug, Clone, Copy)]
pub struct NewJob<'a> {
    /// Which work it is.
    pub kind: &'a str,
    /// What its handler needs to know.
    pub payload: &'a Value,
    /// Not before this moment; `None` for at once.
    pub run_after: Option<Timestamp>,
    /// Of jobs of one kind and key at most one waits and at most one runs.
    pub key: Option<&'a str>,
}

impl<'a> NewJob<'a> {
    /// A job that may run at once.
    #[must_use]
    pub fn new(kind: &'a str, payload: &'a Value) -> Self {
        let (run_after, key) = (None, None);
        Self {
            kind,
            payload,
            run_after,
            key,
        }
    }
}

/// Enters a job together with the other changes of the transaction; its id.
///
/// # Errors
/// [`StoreError`].
pub async fn enqueue_in(transaction: &Transaction, job: &NewJob<'_>) -> Result<i64, StoreError> {
    let parameters: [crate::db::Parameter<'_>; 4] =
        [&job.kind, job.payload, &job.run_after, &job.key];
    let rows = transaction.query(ENQUEUE, &parameters).await?;
    let row = rows.first();
    row.map(|row| row.get(0))
        .ok_or_else(|| StoreError::Other("no job was entered".into()))
}

/// Enters a job by itself; its id.
///
/// # Errors
/// [`StoreError`].
pub async fn enqueue(session: &Session, job: &NewJob<'_>) -> Result<i64, StoreError> {
    let parameters: [crate::db::Parameter<'_>; 4] =
        [&job.kind, job.payload, &job.run_after, &job.key];
    Ok(session.get(ENQUEUE, &parameters).await?.get(0))
}

/// A job that this process may run until its lease is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// Its id.
    pub id: i64,
    /// Which work it is.
    pub kind: String,
    /// What its handler needs to know.
    pub payload: Value,
    /// When it is run again and again.
    pub schedule: Option<Value>,
    /// How often it was begun since it last succeeded, this time included.
    pub attempts: i32,
}

/// A process that runs jobs, at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Claimant<'a> {
    /// The process.
    pub process: &'a str,
    /// The kinds it knows.
    pub kinds: &'a [String],
    /// Now.
    pub now: Timestamp,
    /// When others may take the jobs over.
    pub lease_ends: Timestamp,
}

/// Takes jobs that are due, at most so many. Several processes never get the same one.
///
/// # Errors
/// [`StoreError`].
pub async fn claim(
    session: &Session,
    by: Claimant<'_>,
    at_most: i64,
) -> Result<Vec<Claimed>, StoreError> {
    let sql = crate::statements::jobs::CLAIM;
    let parameters: [crate::db::Parameter<'_>; 5] =
        [&by.now, &by.lease_ends, &by.process, &by.kinds, &at_most];
    let rows = session.query(sql, &parameters).await?;
    let claimed = rows.iter().map(|row| Claimed {
        id: row.get(0),
        kind: row.get(1),
        payload: row.get(2),
        schedule: row.get(3),
        attempts: row.get(4),
    });
    Ok(claimed.collect())
}

/// What becomes of a job that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// `waiting`, `done` or `failed`.
    pub state: &'static str,
    /// When it is due again.
    pub run_after: Timestamp,
    /// Attempts that count from now on.
    pub attempts: i32,
    /// Why it did not succeed.
    pub error: Option<String>,
}

/// Writes what became of a job; false when it is no longer this process's, because its lease was over.
///
/// # Errors
/// [`StoreError`].
pub async fn settle(
    session: &Session,
    job: &Claimed,
    process: &str,
    settlement: &Settlement,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = crate::statements::jobs::SETTLE;
    let Settlement {
        state,
        run_after,
        attempts,
        error,
    } = settlement;
    let parameters: [crate::db::Parameter<'_>; 9] = [
        &job.id,
        &process,
        &job.attempts,
        state,
        run_after,
        attempts,
        error,
        &now,
        &job.schedule,
    ];
    Ok(session.execute(sql, &parameters).await? > 0)
}

/// Prolongs the leases of all jobs that this process runs for the tenant.
///
/// # Errors
/// [`StoreError`].
pub async fn prolong(session: &Session, process: &str, until: Timestamp) -> Result<(), StoreError> {
    let sql = "UPDATE job SET run_after = $2 WHERE state = 'running' AND locked_by = $1";
    session.execute(sql, &[&process, &until]).await?;
    Ok(())
}

/// Gives back jobs that this process has begun and cannot finish, as if they had not been begun; how many.
///
/// # Errors
/// [`StoreError`].
pub async fn give_back(
    session: &Session,
    jobs: &[i64],
    process: &str,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::GIVE_BACK;
    session.execute(sql, &[&jobs, &process, &now]).await
}

/// Shows how far a running job is, and prolongs its lease; false when it is no longer this process's.
///
/// # Errors
/// [`StoreError`].
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

/// Makes the jobs with a schedule those of `wanted` (`[{kind, schedule, first}]`); those of other `kinds` are left alone.
///
/// # Errors
/// [`StoreError`].
pub async fn schedule(
    session: &Session,
    wanted: &Value,
    kinds: &[String],
) -> Result<(), StoreError> {
    let sql = crate::statements::jobs::SCHEDULE;
    session.execute(sql, &[wanted, &kinds]).await?;
    Ok(())
}

/// Deletes at most so many jobs that were done or failed before these moments; how many.
///
/// # Errors
/// [`StoreError`].
pub async fn forget(
    session: &Session,
    done_before: Timestamp,
    failed_before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::FORGET;
    session
        .execute(sql, &[&done_before, &failed_before, &at_most])
        .await
}

/// The tenants that have a job to run now.
///
/// # Errors
/// [`StoreError`].
pub async fn tenants_with_due_jobs(
    database: &Database,
    now: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT carrel.tenants_with_due_jobs($1)";
    let rows = database.system()?.query(sql, &[&now]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The kinds of jobs a tenant has, as JSON text.
///
/// # Errors
/// [`StoreError`].
pub async fn kinds(session: &Session) -> Result<String, StoreError> {
    let sql = crate::statements::jobs::KINDS;
    Ok(session.get(sql, &[]).await?.get(0))
}

/// Makes the scheduled job of a kind due now; false when there is none that waits.
///
/// # Errors
/// [`StoreError`].
pub async fn run_now(session: &Session, kind: &str, now: Timestamp) -> Result<bool, StoreError> {
    let sql = "UPDATE job SET run_after = least(run_after, $2)
               WHERE kind = $1 AND schedule IS NOT NULL AND state = 'waiting'";
    Ok(session.execute(sql, &[&kind, &now]).await? > 0)
}

/// Lets the failed jobs of a kind be tried again, where no later one of their key waits; how many.
///
/// # Errors
/// [`StoreError`].
pub async fn retry(session: &Session, kind: &str, now: Timestamp) -> Result<u64, StoreError> {
    let sql = crate::statements::jobs::RETRY;
    session.execute(sql, &[&kind, &now]).await
}
