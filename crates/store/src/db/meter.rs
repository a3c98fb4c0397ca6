//! Counts the database round trips of a request.

use std::{
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Records the wait for a connection from the pool, which began at `started`.
pub(super) fn waited(started: Instant) {
    metrics::counter!("carrel_pool_connections_taken_total").increment(1);
    metrics::counter!("carrel_pool_wait_microseconds_total").increment(micros_since(started));
}

fn micros_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// Round trips made, and the time spent on them.
#[derive(Debug, Default)]
pub struct Meter {
    trips: AtomicU32,
    micros: AtomicU64,
}

impl Meter {
    pub fn trips(&self) -> u32 {
        self.trips.load(Ordering::Relaxed)
    }

    /// Time spent waiting for the database.
    pub fn time(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }

    /// Records a prepare. It happens once per connection and statement, so it does not count as a round trip of the
    /// request; its time does, and `carrel_statements_prepared_total` counts it.
    pub(super) fn prepared(&self, started: Instant) {
        metrics::counter!("carrel_statements_prepared_total").increment(1);
        self.add(started);
    }

    pub(super) fn count(&self, started: Instant) {
        self.trips.fetch_add(1, Ordering::Relaxed);
        self.add(started);
    }

    fn add(&self, started: Instant) {
        self.micros.fetch_add(micros_since(started), Ordering::Relaxed);
    }
}
