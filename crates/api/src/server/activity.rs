//! What a connection is doing: whether its client is waited for, and since when.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Notify;

/// How long clients are waited for.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// When it is the client's turn: to send a request it has begun, more of its body, or to take more of an answer.
    pub silence: Duration,
    /// Between requests on a connection that is kept.
    pub idle: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(20),
            idle: Duration::from_secs(75),
        }
    }
}

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// No whole request has come, or a part of the next one.
    Silent,
    /// It has had an answer and is kept for another request.
    Kept,
    /// The body of a request is still coming.
    Receiving,
    /// A request is worked on or answered.
    Busy,
}

/// What one connection is doing, for itself and for who looks for one to close.
#[derive(Debug)]
pub(super) struct Activity {
    now: Mutex<(Phase, Instant)>,
    sent_away: Notify,
    lingers: AtomicBool,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            now: Mutex::new((Phase::Silent, Instant::now())),
            sent_away: Notify::new(),
            lingers: AtomicBool::new(false),
        })
    }

    fn lock(&self) -> MutexGuard<'_, (Phase, Instant)> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it does, and since when.
    pub(super) fn now(&self) -> (Phase, Instant) {
        *self.lock()
    }

    /// Something has come from the client.
    pub(super) fn heard(&self) {
        let mut now = self.lock();
        if now.0 == Phase::Kept {
            *now = (Phase::Silent, Instant::now());
        }
    }

    /// A request has come, `whole` or with its body still to come; its turn ends when the answer's body is dropped.
    pub(super) fn begin(self: &Arc<Self>, whole: bool) -> Turn {
        let phase = if whole { Phase::Busy } else { Phase::Receiving };
        *self.lock() = (phase, Instant::now());
        Turn(Arc::clone(self))
    }

    /// The whole request has come.
    pub(super) fn received(&self) {
        let mut now = self.lock();
        if now.0 == Phase::Receiving {
            *now = (Phase::Busy, Instant::now());
        }
    }

    /// How long the client may still be silent; `None` while it is not its turn.
    pub(super) fn left(&self, patience: &Patience) -> Option<Duration> {
        let (phase, since) = self.now();
        let allowed = match phase {
            Phase::Silent => patience.silence,
            Phase::Kept => patience.idle,
            Phase::Receiving | Phase::Busy => return None,
        };
        Some(allowed.saturating_sub(since.elapsed()))
    }

    /// Asks the connection to end.
    pub(super) fn send_away(&self) {
        self.sent_away.notify_one();
    }

    /// Waits until it is asked to end.
    pub(super) async fn sent_away(&self) {
        self.sent_away.notified().await;
    }

    /// The client may still be sending when the connection is closed.
    pub(super) fn linger(&self) {
        self.lingers.store(true, Ordering::Relaxed);
    }

    pub(super) fn lingers(&self) -> bool {
        self.lingers.load(Ordering::Relaxed)
    }
}

/// One request and its answer.
pub(super) struct Turn(Arc<Activity>);

impl Drop for Turn {
    fn drop(&mut self) {
        *self.0.lock() = (Phase::Kept, Instant::now());
    }
}
