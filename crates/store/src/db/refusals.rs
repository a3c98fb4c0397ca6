//! What the database refuses to write: a full or failing disk, a server that takes no changes.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::error::StoreError;

/// A disk that refused is tried at most once in this time, and a server that takes no changes is told of when there was
/// no word of it for so long.
const PAUSE: Duration = Duration::from_secs(1);

/// Writes a megabyte to files and a commit to the log, and leaves nothing: a write of one row may still find room in a
/// page on a full disk.
pub(super) const TRIAL: &str = "CREATE TEMP TABLE carrel_write_trial ON COMMIT DROP AS
    SELECT repeat('x', 1900) AS filler FROM generate_series(1, 512)";

/// What has been refused since the last good trial.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusals {
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    /// The disk refused, and has not been tried with success since.
    disk: Option<Disk>,
    /// When a server took no change: connections that are older may lead to a server that was the primary once.
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

/// What is known of the disk.
pub(super) enum Verdict {
    /// It has refused nothing, or takes what it is given again.
    Good,
    /// It has refused, and it is time to try it again.
    Doubtful,
    /// It refused just now.
    Bad(StoreError),
}

impl Refusals {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what a failed statement says of the server.
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
                    tracing::error!(%error, "the database refuses to write; connecting anew");
                }
                seen.read_only = Some(now);
            }
            _ => {}
        }
    }

    /// Whether a connection was made before a server took no change.
    pub fn outdate(&self, made: Instant) -> bool {
        self.seen().read_only.is_some_and(|at| made < at)
    }

    /// What is known of the disk; whoever is told that it is doubtful tries it.
    pub fn of_the_disk(&self) -> Verdict {
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

    /// The disk took what it was given.
    pub fn forget_the_disk(&self) {
        if self.seen().disk.take().is_some() {
            tracing::info!("the database writes again");
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
    fn a_disk_that_refused_is_bad_until_it_was_tried() {
        let refusals = Refusals::default();
        assert!(matches!(refusals.of_the_disk(), Verdict::Good));
        refusals.note(&StoreError::DiskFull);
        assert!(matches!(
            refusals.of_the_disk(),
            Verdict::Bad(StoreError::DiskFull)
        ));
        refusals.forget_the_disk();
        assert!(matches!(refusals.of_the_disk(), Verdict::Good));
    }
}
