//! What is watched beside the load: processes, the database, the server's own metrics.
//!
//! Whoever can read something implements [`Sampler`]. The run asks each of them once a second and keeps the values on
//! the time axis of the latencies, under `watch` in the results.

use std::{future::Future, pin::Pin};

/// Values read in one second.
pub type Readings<'a> = Pin<Box<dyn Future<Output = Vec<Reading>> + Send + 'a>>;

/// Reads something once a second.
pub trait Sampler: Send {
    /// Reads now. What cannot be read is left out; the series has a gap there. An answer that takes longer than the
    /// second it belongs to is waited for, and the seconds meanwhile have gaps; it never holds up the load.
    fn sample(&mut self) -> Readings<'_>;
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Name of its series: `server_cpu`, `database_connections`. It stays the same during a run.
    pub name: String,
    /// Unit of its series: `cores`, `bytes`, `connections`, `per second`, …
    pub unit: &'static str,
    /// The value.
    pub value: f64,
}

impl Reading {
    /// One value.
    pub fn new(name: impl Into<String>, unit: &'static str, value: f64) -> Self {
        let name = name.into();
        Self { name, unit, value }
    }
}
