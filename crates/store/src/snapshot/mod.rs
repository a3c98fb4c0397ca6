//! The tenant's snapshot: answers made of near-static records, kept in memory and valid for one stamp (decision 37).
//!
//! An answer is kept with the stamp that the same statement read, and given as long as the stamp is known to be current:
//! for a second from when a statement that read it began, and not beyond a change that this process made. When in
//! doubt, the database is asked.

mod kept;

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use uuid::Uuid;

pub use kept::Answer;
use kept::Kept;

/// How long a stamp counts as current.
const CURRENT: Duration = Duration::from_secs(1);
/// After this time, one reader asks again while the others still get what is kept.
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(500);
/// Snapshots that nobody read for this time are emptied.
const IDLE: Duration = Duration::from_secs(60);
/// The largest answer that is kept, with its question and its packed form. In bytes.
const LARGEST: usize = 512 << 10;
/// What all answers of a tenant may take.
const OF_TENANT: usize = 4 << 20;
/// What those of all tenants may take.
const OF_ALL: usize = 64 << 20;

/// The notice of a change, as the triggers send it (`sql/tenant/0002_snapshot_stamp.sql`).
pub(crate) const NOTICE: &str = "near-static records have changed";

/// The snapshot of one tenant.
pub struct Snapshot {
    /// Notices of changes on connections of this process.
    noticed: AtomicU64,
    /// Grows with a change that this process makes, and again when it is over.
    writes: AtomicU64,
    /// Somebody asks again.
    asking: AtomicBool,
    kept: RwLock<Kept>,
    all: Arc<AtomicUsize>,
}

/// The start of a statement that reads near-static records and their stamp.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    began: Instant,
    writes: u64,
}

/// A count of the notices when a connection was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Noticed(u64);

impl Snapshot {
    fn sharing(all: &Arc<AtomicUsize>) -> Self {
        Self {
            noticed: AtomicU64::new(0),
            writes: AtomicU64::new(0),
            asking: AtomicBool::new(false),
            kept: RwLock::new(Kept::new(Instant::now())),
            all: Arc::clone(all),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Kept> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Kept> {
        self.kept.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a question, if it is kept and certainly current.
    pub fn answer(&self, question: &str) -> Option<Arc<Answer>> {
        self.answer_at(question, Instant::now())
    }

    fn answer_at(&self, question: &str, now: Instant) -> Option<Arc<Answer>> {
        let kept = self.read();
        let reading = kept.current()?;
        let age = now.saturating_duration_since(reading.began);
        if age >= CURRENT || reading.writes != self.writes.load(Ordering::Acquire) {
            return None;
        }
        let answer = kept.answer(question)?;
        let asks = age >= ASKED_AGAIN_AFTER && !self.asking.swap(true, Ordering::AcqRel);
        (!asks).then_some(answer)
    }

    /// Call it before the statement is sent.
    pub fn begin(&self) -> Reading {
        Reading { began: Instant::now(), writes: self.writes.load(Ordering::Acquire) }
    }

    /// Keeps an answer that a statement read together with the stamp.
    pub fn keep(&self, reading: Reading, stamp: Uuid, question: &str, answer: &Bytes) {
        self.keep_at(reading, stamp, question, answer, Instant::now());
    }

    fn keep_at(&self, reading: Reading, stamp: Uuid, question: &str, answer: &Bytes, now: Instant) {
        let mut kept = self.write();
        let before = kept.bytes();
        let is_known = kept.note(reading, stamp, now);
        let others = self.all.load(Ordering::Relaxed).saturating_sub(before);
        let size = Kept::size(question, answer);
        if is_known && size <= LARGEST {
            kept.make_room(size, OF_TENANT);
            if others + kept.bytes() + size <= OF_ALL {
                kept.insert(question, answer.clone());
            }
        }
        self.account(before, kept.bytes());
        drop(kept);
        self.asking.store(false, Ordering::Release);
    }

    fn account(&self, before: usize, after: usize) {
        self.all.fetch_add(after, Ordering::Relaxed);
        self.all.fetch_sub(before, Ordering::Relaxed);
    }

    /// A connection of this process reports a change, which may not be committed yet.
    pub(crate) fn notice(&self) {
        self.noticed.fetch_add(1, Ordering::AcqRel);
        self.writes.fetch_add(1, Ordering::AcqRel);
    }

    /// To remember with a connection that is taken.
    pub(crate) fn noticed(&self) -> Noticed {
        Noticed(self.noticed.load(Ordering::Acquire))
    }

    /// A connection is given back, and what it did is committed: if there was a notice meanwhile, the change may be its.
    pub(crate) fn settle(&self, before: Noticed) {
        if self.noticed() != before {
            self.writes.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Empties the snapshot if nothing was kept for a while.
    fn forget_if_idle(&self, now: Instant) {
        let idle = self.read().is_idle_since(now, IDLE);
        if idle {
            self.forget();
        }
    }

    fn forget(&self) {
        let mut kept = self.write();
        let before = kept.bytes();
        kept.forget();
        self.account(before, 0);
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        self.forget();
    }
}

/// The snapshots of all tenants of a database.
#[derive(Default)]
pub(crate) struct Snapshots {
    of: RwLock<HashMap<String, Arc<Snapshot>>>,
    bytes: Arc<AtomicUsize>,
}

impl Snapshots {
    /// That of a schema.
    pub fn of(&self, schema: &str) -> Arc<Snapshot> {
        let known = self.of.read().unwrap_or_else(PoisonError::into_inner).get(schema).cloned();
        known.unwrap_or_else(|| {
            let mut of = self.of.write().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Snapshot::sharing(&self.bytes));
            Arc::clone(of.entry(schema.to_owned()).or_insert_with(new))
        })
    }

    /// Empties those that nobody used for a while.
    pub(crate) fn forget_idle(&self) {
        let now = Instant::now();
        let of = self.of.read().unwrap_or_else(PoisonError::into_inner);
        of.values().for_each(|snapshot| snapshot.forget_if_idle(now));
    }

    /// Forgets that of a deleted schema.
    pub fn forget(&self, schema: &str) {
        let gone = self.of.write().unwrap_or_else(PoisonError::into_inner).remove(schema);
        if let Some(snapshot) = gone {
            snapshot.forget();
        }
    }
}

#[cfg(test)]
mod tests;
