//! One run of a job, as its handler sees it.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use store::{Session, StoreError, jobs};
use tokio::sync::watch;

/// Why a run did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It may succeed later.
    Later(String),
    /// It will never succeed.
    Never(String),
    /// The process is stopping; the job continues in another one.
    Stopped,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Later(error.to_string())
    }
}

/// What a handler gets.
pub struct Run<C> {
    /// The application and the tenant.
    pub context: C,
    /// Gives access to the tenant's tables.
    pub session: Session,
    pub id: i64,
    /// The data entered with the job.
    pub payload: Value,
    /// Number of this attempt, from 1.
    pub attempt: i32,
    /// When it began.
    pub now: Timestamp,
    pub(crate) process: Arc<str>,
    pub(crate) lease_ends: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    pub(crate) stopping: watch::Receiver<bool>,
}

impl<C> Run<C> {
    /// Shows progress. Call it between batches: it fails, and so ends the run, if the process is stopping or another
    /// process has taken over the lease. One round trip.
    pub async fn report(&self, progress: &Value) -> Result<(), Failure> {
        let lease_ends = (self.lease_ends)();
        let held = jobs::report(&self.session, self.id, &self.process, progress, lease_ends).await?;
        if !held || *self.stopping.borrow() {
            return Err(Failure::Stopped);
        }
        Ok(())
    }
}
