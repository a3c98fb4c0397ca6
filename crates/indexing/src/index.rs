//! The index of an owner's records, as searches use it.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use search::{SearchError, index::Reader};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::spawn_blocking,
    time::{Instant, timeout},
};

/// Searches that run at once.
const SEARCHES: usize = 4;
/// Searches wait for the first index, which a small library has within seconds, so many times as long as for what was saved.
const FOR_THE_FIRST: u32 = 5;

/// The index of a library's records.
pub struct Index {
    shown: watch::Sender<Option<Shown>>,
    /// Counts what this process has written; starts at 1, so that the first search waits for the index to be read.
    pub(crate) written: AtomicU64,
    /// The count that the index has reached.
    pub(crate) reached: watch::Sender<u64>,
    /// Whether it lacks something, however long a search waits: it is searched until another one is built.
    pub(crate) outdated: AtomicBool,
    /// The highest count that a search has waited for.
    wanted: AtomicU64,
    pub(crate) wake: Notify,
    /// Whether a new one is wanted, until it is begun.
    pub(crate) rebuild: AtomicBool,
    building: AtomicBool,
    /// When the last one was begun, and complete.
    built: Mutex<[Option<Timestamp>; 2]>,
    /// Whether a search failed, until the index is looked through for damage.
    pub(crate) suspect: AtomicBool,
    /// Whether it could not be kept up to date at the last attempt.
    pub(crate) failing: AtomicBool,
    /// Records that were read for the one that is being built.
    pub(crate) read: AtomicU64,
    /// Records that are still to be read.
    pub(crate) behind: AtomicU64,
    /// When the index had everything last.
    pub(crate) compared: Mutex<Instant>,
    searches: Semaphore,
    patience: Duration,
}

/// What there is of an index.
#[derive(Clone)]
pub enum Shown {
    /// At most the last changes are missing.
    Complete(Reader),
    /// It is made for the first time: nobody can tell what a search would not find.
    Begun(Reader),
}

/// How the index stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub documents: u64,
    /// Segments that a search looks into.
    pub segments: u64,
    /// Changed records that are not in it, as far as they are known.
    pub behind: u64,
    /// For how long it has not been compared with the database, in seconds.
    pub seconds: u64,
    /// Whether a new one is being built.
    pub is_building: bool,
    /// About how many records that has already.
    pub read: u64,
    /// When this process last began to build one, and when that was complete.
    pub began: Option<Timestamp>,
    pub ended: Option<Timestamp>,
    /// Whether it cannot be kept up to date at the moment, for example because its disk is full.
    pub is_failing: bool,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("status", &self.status()).finish_non_exhaustive()
    }
}

impl Index {
    pub(crate) fn new(patience: Duration) -> Self {
        Self {
            shown: watch::Sender::new(None),
            written: AtomicU64::new(1),
            reached: watch::Sender::new(0),
            outdated: AtomicBool::new(false),
            wanted: AtomicU64::new(0),
            wake: Notify::new(),
            rebuild: AtomicBool::new(false),
            building: AtomicBool::new(false),
            built: Mutex::default(),
            suspect: AtomicBool::new(false),
            failing: AtomicBool::new(false),
            read: AtomicU64::new(0),
            behind: AtomicU64::new(0),
            compared: Mutex::new(Instant::now()),
            searches: Semaphore::new(SEARCHES),
            patience,
        }
    }

    /// Notes that this process has written.
    pub fn wrote(&self) {
        self.written.fetch_add(1, Ordering::SeqCst);
    }

    /// Builds a new index, while the one that is there is searched; `false`: a new one is being built already.
    pub fn rebuild(&self) -> bool {
        if self.building.load(Ordering::SeqCst) || self.rebuild.swap(true, Ordering::SeqCst) {
            return false;
        }
        self.wake.notify_one();
        true
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        let (documents, segments) = match &*self.shown.borrow() {
            Some(Shown::Complete(reader) | Shown::Begun(reader)) => (reader.documents(), reader.segments() as u64),
            None => (0, 0),
        };
        let seconds = self.compared.lock().unwrap_or_else(PoisonError::into_inner).elapsed().as_secs();
        let [began, ended] = *self.built.lock().unwrap_or_else(PoisonError::into_inner);
        Status {
            documents,
            segments,
            behind: self.behind.load(Ordering::SeqCst),
            seconds,
            is_building: self.building.load(Ordering::SeqCst) || self.rebuild.load(Ordering::SeqCst),
            read: self.read.load(Ordering::SeqCst),
            began,
            ended,
            is_failing: self.failing.load(Ordering::SeqCst),
        }
    }

    /// Reads the index with all that this process wrote before, if that takes no longer than searches may wait. Also tells whether
    /// something is missing; `None`: there is nothing of it yet.
    pub async fn reader(&self) -> (Option<Shown>, bool) {
        if !self.failing.load(Ordering::SeqCst) {
            let is_complete = |shown: &Option<Shown>| matches!(shown, Some(Shown::Complete(_)));
            let _ = timeout(self.patience * FOR_THE_FIRST, self.shown.subscribe().wait_for(is_complete)).await;
        }
        let wanted = self.written.load(Ordering::SeqCst);
        let mut reached = self.reached.subscribe();
        if *reached.borrow() < wanted {
            self.wanted.fetch_max(wanted, Ordering::SeqCst);
            self.wake.notify_one();
        }
        let is_there = timeout(self.patience, reached.wait_for(|reached| *reached >= wanted)).await;
        let is_behind = !matches!(is_there, Ok(Ok(_))) || self.outdated.load(Ordering::SeqCst);
        (self.shown(), is_behind)
    }

    /// What there is of it now.
    pub fn shown(&self) -> Option<Shown> {
        self.shown.borrow().clone()
    }

    /// Searches where it keeps nobody up; only some searches run at once. An index that turns out to be damaged is built again.
    ///
    /// # Errors
    /// That of the search, or [`SearchError::Failed`] if it broke off.
    pub async fn run<T: Send + 'static>(
        &self,
        search: impl FnOnce() -> Result<T, SearchError> + Send + 'static,
    ) -> Result<T, SearchError> {
        let broke_off = |error: &dyn std::fmt::Display| SearchError::Failed(error.to_string());
        let _turn = self.searches.acquire().await.map_err(|error| broke_off(&error))?;
        // A search in damaged files may also panic.
        let found = spawn_blocking(search).await.unwrap_or_else(|error| Err(broke_off(&error)));
        found.inspect_err(|error| match error {
            SearchError::Unusable(_) => {
                self.rebuild();
            }
            SearchError::Failed(_) => {
                self.suspect.store(true, Ordering::SeqCst);
                self.wake.notify_one();
            }
        })
    }

    /// Notes whether a new one is being built.
    pub(crate) fn set_building(&self, is_building: bool) {
        if self.building.swap(is_building, Ordering::SeqCst) != is_building {
            let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Some(Timestamp::now());
            *built = if is_building { [now, None] } else { [built[0], now] };
        }
    }

    /// Whether a search waits for what was saved before it, or gave up.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.wanted.load(Ordering::SeqCst) > *self.reached.borrow()
    }

    pub(crate) fn show(&self, shown: Shown) {
        self.shown.send_replace(Some(shown));
    }
}
