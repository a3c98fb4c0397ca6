//! A connection on loan from its pool, which returns only when it has no work outstanding.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::{ClientWrapper, Object};
use tokio::{
    runtime::Handle,
    time::{Instant, timeout, timeout_at},
};
use tokio_postgres::{CancelToken, Error, NoTls, error::SqlState};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::refusals::Refusals;
use crate::{
    error::StoreError,
    snapshot::{Noticed, Snapshot},
};

/// A server that does not accept the cancel request in this time will notice the closed connection.
const CANCEL_PATIENCE: Duration = Duration::from_secs(5);
/// After this time it is asked again: a process that has not begun the statement ignores the request.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// The server stops a late statement by itself; if it has not done so after this extra time, the client cancels.
const GRACE: Duration = Duration::from_secs(2);

/// A statement that ends within this time is not worth a cancel request, for which the server forks a process.
const ALMOST_DONE: Duration = Duration::from_millis(200);
/// Sent after a statement to see that it has ended.
const NOTHING: &str = "";
/// Sent instead of [`NOTHING`] in a transaction.
const UNDO: &str = "ROLLBACK";

/// Time limit of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) enum Budget {
    /// For each statement.
    Each(Duration),
    /// For all statements of a request together; the instant is the deadline.
    Until(Instant, Duration),
    Unlimited,
}

impl Budget {
    /// The deadline of a statement that starts now, and the limit it comes from.
    pub fn end(self) -> Option<(Instant, Duration)> {
        match self {
            Self::Each(limit) => Some((Instant::now() + limit + GRACE, limit)),
            Self::Until(end, limit) => Some((end, limit)),
            Self::Unlimited => None,
        }
    }

    /// Waits for `work` until the deadline.
    ///
    /// # Errors
    /// [`StoreError::Late`] after the deadline.
    pub async fn within<F: Future>(self, work: F) -> Result<F::Output, StoreError> {
        match self.end() {
            None => Ok(work.await),
            Some((end, limit)) => timeout_at(end, work).await.map_err(|_| StoreError::Late(limit)),
        }
    }
}

/// A connection in use.
pub(super) struct Lease {
    object: Option<Object>,
    tls: Option<Arc<MakeRustlsConnect>>,
    refusals: Refusals,
    snapshot: Arc<Snapshot>,
    /// When the connection was taken.
    noticed: Noticed,
    /// Number of statements whose results have not been read to the end.
    outstanding: AtomicUsize,
    /// Sent when the connection is abandoned.
    undo: &'static str,
}

impl Lease {
    pub fn new(
        object: Object,
        tls: Option<Arc<MakeRustlsConnect>>,
        refusals: Refusals,
        snapshot: Arc<Snapshot>,
    ) -> Self {
        let noticed = snapshot.noticed();
        let outstanding = AtomicUsize::new(0);
        Self { object: Some(object), tls, refusals, snapshot, noticed, outstanding, undo: NOTHING }
    }

    /// The connection.
    ///
    /// # Errors
    /// If the connection has been returned.
    pub fn client(&self) -> Result<&ClientWrapper, StoreError> {
        let gone = || StoreError::Other("the connection was given back".into());
        Ok(self.object.as_ref().ok_or_else(gone)?)
    }

    /// Runs a statement to its end. If it takes too long or the caller goes away, the server is asked to cancel it, and
    /// the connection is reused only after it has stopped.
    ///
    /// # Errors
    /// [`StoreError::Late`], and errors of the database.
    pub async fn run<T>(
        &self,
        budget: Budget,
        statement: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StoreError> {
        self.begin();
        // A late statement stays outstanding: it is still running.
        let outcome = budget.within(statement).await?;
        self.settle();
        let outcome = outcome.map_err(StoreError::from);
        outcome.inspect_err(|error| self.refusals.note(error))
    }

    /// Marks the lease as a transaction until its end.
    pub(crate) fn begin_transaction(&mut self) {
        self.undo = UNDO;
    }

    /// Marks the start of a statement whose rows are read later.
    pub fn begin(&self) {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
    }

    /// Marks the end of such a statement.
    pub fn settle(&self) {
        self.outstanding.fetch_sub(1, Ordering::AcqRel);
    }

    /// Closes the connection, which rolls back uncommitted changes.
    pub fn close(mut self) {
        if self.outstanding.load(Ordering::Acquire) == 0
            && let Some(object) = self.object.take()
        {
            drop(Object::take(object));
        }
    }
}

impl Drop for Lease {
    /// Without outstanding work, the connection returns to its pool.
    fn drop(&mut self) {
        self.snapshot.settle(self.noticed);
        let Some(object) = self.object.take() else {
            return;
        };
        if *self.outstanding.get_mut() == 0 {
            return;
        }
        metrics::counter!("carrel_statements_abandoned_total").increment(1);
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(abandon(object, self.tls.take(), self.undo))),
            Err(_) => drop(Object::take(object)),
        }
    }
}

/// Cancels the running statement. The connection returns to its pool once the server is idle, and is closed otherwise.
/// Only then is its place in the pool free, so the server never has more work than the pool allows.
async fn abandon(object: Object, tls: Option<Arc<MakeRustlsConnect>>, undo: &'static str) {
    if let Ok(Ok(())) = timeout(ALMOST_DONE, object.batch_execute(undo)).await {
        return;
    }
    let stopped = async {
        loop {
            cancel(object.cancel_token(), tls.clone()).await?;
            if let Ok(outcome) = timeout(ASK_AGAIN, end(&object, undo)).await {
                return outcome;
            }
        }
    };
    match timeout(CANCEL_PATIENCE, stopped).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => {
            tracing::debug!(%error, "could not cancel an abandoned statement");
        }
        Err(_) => tracing::debug!("an abandoned statement does not stop"),
    }
    drop(Object::take(object));
}

/// Waits for the end of a statement that was cancelled: an answer to the next one shows it. The cancel request may hit that one.
async fn end(object: &Object, undo: &'static str) -> Result<(), Error> {
    match object.batch_execute(undo).await {
        Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => object.batch_execute(undo).await,
        outcome => outcome,
    }
}

async fn cancel(token: CancelToken, tls: Option<Arc<MakeRustlsConnect>>) -> Result<(), Error> {
    match tls {
        Some(tls) => token.cancel_query((*tls).clone()).await,
        None => token.cancel_query(NoTls).await,
    }
}
