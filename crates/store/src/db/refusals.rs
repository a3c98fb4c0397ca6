//! Remembers why the database refuses writes: a full or failing disk, or a read-only server.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::error::StoreError;

/// Minimum time between trials of a disk that refused a write, and between log messages about a read-only server.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes a megabyte to files and a commit to the log, and leaves nothing behind. One row would not do: it may still
/// fit in a page on a full disk.
pub(super) const TRIAL: &str = "CREATE TEMP TABLE carrel_write_trial ON COMMIT DROP AS
    SELECT repeat('x', 1900) AS filler FROM generate_series(1, 512)";

/// Refusals since the last successful trial.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusals {
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    /// Set from a refusal until a successful trial.
    disk: Option<Disk>,
    /// When a server last refused a change; connections older than that may lead to a former primary.
    read_only: Option<Instant>,
}

#[derive(Debug)]
struct Disk {
    full: bool,
    tried: Instant,
}

impl Disk {
    fn error(&self) -> StoreError {
        match self.full {
            true => StoreError::DiskFull,
            false => StoreError::DiskFails,
        }
    }
}

/// State of the disk.
pub(super) enum Verdict {
    /// Has refused nothing, or accepts writes again.
    Good,
    /// Has refused a write; a new trial is due.
    Doubtful,
    /// Has just refused a write.
    Bad(StoreError),
}

impl Refusals {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records what a failed statement says about the server.
    pub fn note(&self, error: &StoreError) {
        let (mut seen, now) = (self.seen(), Instant::now());
        match error {
            StoreError::DiskFull | StoreError::DiskFails => {
                if seen.disk.is_none() {
                    tracing::error!(%error, "the database refuses to write");
                }
                let full = matches!(error, StoreError::DiskFull);
                seen.disk = Some(Disk { full, tried: now });
            }
            StoreError::ReadOnly => {
                if seen.read_only.is_none_or(|at| now - at >= PAUSE) {
                    tracing::error!(%error, "the database refuses to write; reconnecting");
                }
                seen.read_only = Some(now);
            }
            _ => {}
        }
    }

    /// Whether a connection predates the last refusal of a read-only server.
    pub(crate) fn outdate(&self, made: Instant) -> bool {
        self.seen().read_only.is_some_and(|at| made < at)
    }

    /// State of the disk. A caller that gets `Doubtful` must run the trial.
    pub(crate) fn disk(&self) -> Verdict {
        let (mut seen, now) = (self.seen(), Instant::now());
        match &mut seen.disk {
            None => Verdict::Good,
            Some(disk) if now - disk.tried < PAUSE => Verdict::Bad(disk.error()),
            Some(disk) => {
                disk.tried = now;
                Verdict::Doubtful
            }
        }
    }

    /// Records a successful trial of the disk.
    pub(crate) fn disk_recovered(&self) {
        if self.seen().disk.take().is_some() {
            tracing::info!("the database accepts writes again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_outdated_by_a_later_refusal_only() {
        let refusals = Refusals::default();
        let before = Instant::now();
        assert!(!refusals.outdate(before));
        refusals.note(&StoreError::TooSlow);
        assert!(!refusals.outdate(before));
        refusals.note(&StoreError::ReadOnly);
        assert!(refusals.outdate(before));
        assert!(!refusals.outdate(Instant::now()));
    }

    #[test]
    fn a_disk_that_refused_is_bad_until_a_successful_trial() {
        let refusals = Refusals::default();
        assert!(matches!(refusals.disk(), Verdict::Good));
        refusals.note(&StoreError::DiskFull);
        assert!(matches!(refusals.disk(), Verdict::Bad(StoreError::DiskFull)));
        refusals.disk_recovered();
        assert!(matches!(refusals.disk(), Verdict::Good));
    }
}
