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
    /// The process stops; the job goes on in another one, or in this one's successor.
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
    /// The tenant's tables.
    pub session: Session,
    /// The job.
    pub id: i64,
    /// What was to be known of the work when the job was entered.
    pub payload: Value,
    /// The how manieth attempt this is, from 1.
    pub attempt: i32,
    /// The moment it began.
    pub now: Timestamp,
    pub(crate) process: Arc<str>,
    pub(crate) lease_ends: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    pub(crate) stopping: watch::Receiver<bool>,
}

impl<C> Run<C> {
    /// Shows people how far it is. To be called between batches: it ends the run when the process is to stop, or when the
    /// lease was lost to somebody else. One round trip.
    ///
    /// # Errors
    /// [`Failure`], to be handed on.
    pub async fn report(&self, progress: &Value) -> Result<(), Failure> {
        let lease_ends = (self.lease_ends)();
        let held =
            jobs::report(&self.session, self.id, &self.process, progress, lease_ends).await?;
        if !held || *self.stopping.borrow() {
            return Err(Failure::Stopped);
        }
        Ok(())
    }
}
