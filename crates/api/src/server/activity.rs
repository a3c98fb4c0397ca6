//! The state of a connection: whether the server is waiting for the client, and since when.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::connection::Patience;

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// No complete request yet, or part of the next one.
    Silent,
    /// Idle after a response, kept alive.
    Kept,
    Receiving,
    Busy,
}

/// The state of one connection, shared with the search for connections to close.
#[derive(Debug)]
pub(super) struct Activity {
    now: Mutex<(Phase, Instant)>,
    sent_away: Notify,
    lingers: AtomicBool,
    /// The last request was read to its end and answered, or there was none: the next bytes begin another. After a body that
    /// nobody read, they may be the rest of it.
    between: AtomicBool,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            now: Mutex::new((Phase::Silent, Instant::now())),
            sent_away: Notify::new(),
            lingers: AtomicBool::new(false),
            between: AtomicBool::new(true),
        })
    }

    fn lock(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, and since when.
    pub(super) fn now(&self) -> (Phase, Instant) {
        *self.lock()
    }

    /// The client sent something. Returns whether it begins a request.
    pub(super) fn heard(&self) -> bool {
        let mut now = self.lock();
        if now.0 == Phase::Kept {
            *now = (Phase::Silent, Instant::now());
        }
        self.between.swap(false, Ordering::Relaxed)
    }

    /// A request has arrived: `whole`, or with its body still to come. Its turn ends when the response body is dropped.
    pub(super) fn begin(self: &Arc<Self>, whole: bool) -> Turn {
        let phase = if whole { Phase::Busy } else { Phase::Receiving };
        *self.lock() = (phase, Instant::now());
        self.between.store(false, Ordering::Relaxed);
        Turn(Arc::clone(self))
    }

    pub(super) fn received(&self) {
        let mut now = self.lock();
        if now.0 == Phase::Receiving {
            *now = (Phase::Busy, Instant::now());
        }
    }

    /// How long the client may remain silent; `None` while the server is not waiting for it.
    pub(super) fn left(&self, patience: &Patience) -> Option<Duration> {
        let (phase, since) = self.now();
        let allowed = match phase {
            Phase::Silent => patience.silence,
            Phase::Kept => patience.idle,
            Phase::Receiving | Phase::Busy => return None,
        };
        Some(allowed.saturating_sub(since.elapsed()))
    }

    pub(super) fn send_away(&self) {
        self.sent_away.notify_one();
    }

    /// Waits until asked to close.
    pub(super) async fn sent_away(&self) {
        self.sent_away.notified().await;
    }

    /// The client may still be sending when the connection closes.
    pub(super) fn linger(&self) {
        self.lingers.store(true, Ordering::Relaxed);
    }

    pub(super) fn lingers(&self) -> bool {
        self.lingers.load(Ordering::Relaxed)
    }
}

/// One request and its response.
pub(super) struct Turn(Arc<Activity>);

impl Drop for Turn {
    fn drop(&mut self) {
        let mut now = self.0.lock();
        self.0.between.store(now.0 == Phase::Busy, Ordering::Relaxed);
        *now = (Phase::Kept, Instant::now());
    }
}
