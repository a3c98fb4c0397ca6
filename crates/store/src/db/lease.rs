//! A connection taken from its pool, which goes back only when nothing is left to do on it.

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
use crate::error::StoreError;

/// A server that does not take the request to cancel in this time is left to notice the closed connection.
const CANCEL_PATIENCE: Duration = Duration::from_secs(5);
/// The server stops a statement of its own accord; only where it does not do it in so much more time, we do.
const GRACE: Duration = Duration::from_secs(2);

/// A statement that ends in this time is not worth a cancellation, for which the server makes a process of its own.
const ALMOST_DONE: Duration = Duration::from_millis(200);
/// What is sent behind a statement to see that it is over.
const NOTHING: &str = "";
/// The same in a transaction.
const UNDO: &str = "ROLLBACK";

/// How long a statement may take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Budget {
    /// Each has so long.
    Each(Duration),
    /// All of a request together have so long, which is over then.
    Until(Instant, Duration),
    /// As long as it needs.
    Unlimited,
}

impl Budget {
    /// When a statement that begins now has to be done, and what it was given.
    pub fn end(self) -> Option<(Instant, Duration)> {
        match self {
            Self::Each(limit) => Some((Instant::now() + limit + GRACE, limit)),
            Self::Until(end, limit) => Some((end, limit)),
            Self::Unlimited => None,
        }
    }

    /// Waits for this as long as there is time.
    ///
    /// # Errors
    /// [`StoreError::Late`]
    pub async fn within<F: Future>(self, work: F) -> Result<F::Output, StoreError> {
        match self.end() {
            None => Ok(work.await),
            Some((end, limit)) => timeout_at(end, work)
                .await
                .map_err(|_| StoreError::Late(limit)),
        }
    }
}

/// A connection in use.
pub(super) struct Lease {
    object: Option<Object>,
    tls: Option<Arc<MakeRustlsConnect>>,
    refusals: Refusals,
    /// Statements whose answers have not been read to their ends.
    outstanding: AtomicUsize,
    /// What is sent when it is given up.
    undo: &'static str,
}

impl Lease {
    pub fn new(object: Object, tls: Option<Arc<MakeRustlsConnect>>, refusals: Refusals) -> Self {
        Self {
            object: Some(object),
            tls,
            refusals,
            outstanding: AtomicUsize::new(0),
            undo: NOTHING,
        }
    }

    /// The connection.
    ///
    /// # Errors
    /// When it was given back.
    pub fn client(&self) -> Result<&ClientWrapper, StoreError> {
        let gone = || StoreError::Other("the connection was given back".into());
        Ok(self.object.as_ref().ok_or_else(gone)?)
    }

    /// Runs a statement to its end. When it takes too long, or nobody waits for it any more, the server is told to stop
    /// it, and the connection is used again only when it has.
    ///
    /// # Errors
    /// [`StoreError::Late`], and what the database says.
    pub async fn run<T>(
        &self,
        budget: Budget,
        statement: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, StoreError> {
        self.begin();
        // A late statement is not settled: it still runs.
        let outcome = budget.within(statement).await?;
        self.settle();
        let outcome = outcome.map_err(StoreError::from);
        outcome.inspect_err(|error| self.refusals.note(error))
    }

    /// A transaction begins, which lasts as long as this.
    pub fn begin_transaction(&mut self) {
        self.undo = UNDO;
    }

    /// A statement begins whose rows are read later.
    pub fn begin(&self) {
        self.outstanding.fetch_add(1, Ordering::AcqRel);
    }

    /// Such a statement has come to its end.
    pub fn settle(&self) {
        self.outstanding.fetch_sub(1, Ordering::AcqRel);
    }

    /// Closes the connection, which undoes what was not committed.
    pub fn close(mut self) {
        if self.outstanding.load(Ordering::Acquire) == 0
            && let Some(object) = self.object.take()
        {
            drop(Object::take(object));
        }
    }
}

impl Drop for Lease {
    /// Without work outstanding the connection returns to its pool.
    fn drop(&mut self) {
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

/// Stops what runs. The connection returns to its pool when the server has nothing left to do on it, and is closed
/// otherwise. Its place in the pool is free only then, so that the server never has more to do than the pool allows.
async fn abandon(object: Object, tls: Option<Arc<MakeRustlsConnect>>, undo: &'static str) {
    if let Ok(Ok(())) = timeout(ALMOST_DONE, object.batch_execute(undo)).await {
        return;
    }
    let stopped = async {
        cancel(object.cancel_token(), tls).await?;
        // The statement is over when the next one is answered. The request to stop may hit that one.
        match object.batch_execute(undo).await {
            Err(error) if error.code() == Some(&SqlState::QUERY_CANCELED) => {
                object.batch_execute(undo).await
            }
            outcome => outcome,
        }
    };
    match timeout(CANCEL_PATIENCE, stopped).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => {
            tracing::debug!(%error, "a statement that nobody waits for could not be stopped");
        }
        Err(_) => tracing::debug!("a statement that nobody waits for does not stop"),
    }
    drop(Object::take(object));
}

async fn cancel(token: CancelToken, tls: Option<Arc<MakeRustlsConnect>>) -> Result<(), Error> {
    match tls {
        Some(tls) => token.cancel_query((*tls).clone()).await,
        None => token.cancel_query(NoTls).await,
    }
}
