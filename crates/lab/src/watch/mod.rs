//! What is watched beside the load: processes, the database, the server's own metrics.
//!
//! Each source implements [`Sampler`]. The run asks each of them once a second and stores the values on the time axis
//! of the latencies, under `watch` in the results.
//!
//! - [`processes`]: processor time and memory of the server and PostgreSQL on this machine, from `/proc`.
//! - [`metrics`]: the server's `/metrics` (Prometheus).
//! - [`database`]: PostgreSQL's own statistics.
//! - [`sources`]: which of them are available to a run.
//!
//! | series | unit | from |
//! | --- | --- | --- |
//! | `server_cpu`, `database_cpu` | cores | `/proc`; the server's also from `/metrics` when it is elsewhere |
//! | `server_memory` | bytes | resident memory |
//! | `database_memory` | bytes | each process's own memory, and the shared memory once |
//! | `generator_memory` | bytes | the lab's own |
//! | `database_connections`, `database_active_connections` | connections | the database of `--database-url` |
//! | `database_cache_hits` | ratio | share of block reads served from shared buffers |
//! | `database_wal`, `database_temporary` | bytes per second | |
//! | `database_temporary_files`, `database_deadlocks`, `database_commits`, `database_rollbacks`, `database_statements` | per second | |
//! | `database_statements_per_transaction` | statements | needs `pg_stat_statements` |
//! | `pool_connections`, `pool_idle_connections`, `pool_waiting_requests` | connections, requests | `/metrics` |
//! | `pool_wait` | ms | `/metrics`: mean wait for a connection |
//! | `round_trips`, `round_trips_per_request` | per second, round trips | `/metrics` |

pub(crate) mod database;
pub(crate) mod metrics;
pub(crate) mod processes;
pub mod sources;

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Instant,
};

use crate::{
    results::model::{Named, StatementTime},
    virtual_users::tally::lock,
};

/// Values read in one second.
pub type Readings<'a> = Pin<Box<dyn Future<Output = Vec<Reading>> + Send + 'a>>;

/// Reads something once a second.
pub trait Sampler: Send {
    /// Reads the current values. Unreadable values are left out, which leaves a gap in their series. A slow answer is
    /// awaited, with gaps in the seconds meanwhile; it never delays the load.
    fn sample(&mut self) -> Readings<'_>;
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Name of its series: `server_cpu`, `database_connections`. It is constant during a run.
    pub name: String,
    /// Unit of its series: `cores`, `bytes`, `connections`, `per second`, …
    pub unit: &'static str,
    pub value: f64,
}

impl Reading {
    pub fn new(name: impl Into<String>, unit: &'static str, value: f64) -> Self {
        let name = name.into();
        Self { name, unit, value }
    }
}

/// What a run watches.
#[derive(Default)]
pub struct Watch {
    /// Asked once a second.
    pub samplers: Vec<Box<dyn Sampler>>,
    /// Their findings beside the readings.
    pub notes: Notes,
}

impl Watch {
    /// Watches with these samplers, which have no other findings.
    pub fn of(samplers: Vec<Box<dyn Sampler>>) -> Self {
        let notes = Notes::default();
        Self { samplers, notes }
    }
}

/// The samplers' findings beside their readings; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Notes(Arc<Mutex<Found>>);

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// What a reader should know: something could not be watched.
    pub warnings: Vec<String>,
    /// Version and settings of PostgreSQL.
    pub postgres: Named<String>,
    /// The statements that took the most time so far.
    pub statements: Vec<StatementTime>,
}

impl Notes {
    /// Adds a warning, once per run.
    pub fn warn(&self, warning: impl Into<String>) {
        let (mut found, warning) = (lock(&self.0), warning.into());
        if !found.warnings.contains(&warning) {
            found.warnings.push(warning);
        }
    }

    fn change(&self, change: impl FnOnce(&mut Found)) {
        change(&mut lock(&self.0));
    }

    /// The findings so far.
    pub fn found(&self) -> Found {
        lock(&self.0).clone()
    }
}

/// Growth per second of increasing counters.
#[derive(Debug, Default)]
struct Growth<const N: usize> {
    before: Option<(Instant, [f64; N])>,
}

impl<const N: usize> Growth<N> {
    /// The growth of each counter since the last reading, and the seconds between. `None` the first time, and after a
    /// counter has decreased: its source has restarted.
    fn since(&mut self, now: Instant, counters: [f64; N]) -> Option<([f64; N], f64)> {
        let (then, before) = self.before.replace((now, counters))?;
        let seconds = now.saturating_duration_since(then).as_secs_f64();
        let grown: [f64; N] = std::array::from_fn(|at| counters[at] - before[at]);
        let sound = seconds > 0.0 && grown.iter().all(|grown| *grown >= 0.0);
        sound.then_some((grown, seconds))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn counters_are_compared_with_the_last_reading() {
        let (began, mut growth) = (Instant::now(), Growth::default());
        let at = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(growth.since(at(0), [10.0, 0.0]), None);
        assert_eq!(growth.since(at(2), [14.0, 1.0]), Some(([4.0, 1.0], 2.0)));
        assert_eq!(growth.since(at(3), [2.0, 1.0]), None, "the server was started again");
        assert_eq!(growth.since(at(4), [3.0, 1.0]), Some(([1.0, 0.0], 1.0)));
        assert_eq!(growth.since(at(4), [3.0, 1.0]), None, "no time has passed");
    }

    #[test]
    fn a_warning_is_given_once() {
        let notes = Notes::default();
        notes.clone().warn("gone");
        notes.warn("gone");
        assert_eq!(notes.found().warnings, ["gone"]);
    }
}
