//! Latencies of one kind of request.

use std::time::Duration;

/// Latencies and the time during which they were measured.
pub struct Latencies {
    all: lab::results::histogram::Latencies,
    time: Duration,
}

impl Latencies {
    pub fn new(time: Duration) -> Self {
        let all = lab::results::histogram::Latencies::default();
        Self { all, time }
    }

    pub fn record(&mut self, latency: Duration) {
        self.all.record(latency);
    }

    /// Adds those of another client.
    pub fn merge(&mut self, other: &Self) {
        self.all.merge(&other.all);
    }

    pub fn count(&self) -> u64 {
        self.all.count()
    }

    /// Number per second.
    pub fn rate(&self) -> f64 {
        self.count() as f64 / self.time.as_secs_f64()
    }

    /// The latency, in milliseconds, at this quantile.
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        self.all.quantile_ms(quantile)
    }

    /// The mean, in milliseconds.
    pub fn mean_ms(&self) -> f64 {
        self.all.mean_ms()
    }

    /// A row of the table.
    pub fn row(&self, clients: usize, what: &str, per_core: Option<f64>) {
        let core = per_core.map(|rate| format!("{rate:.0}"));
        println!(
            "| {clients} | {what} | {:.2} | {:.2} | {:.0} | {} | | | | |",
            self.quantile_ms(0.5),
            self.quantile_ms(0.95),
            self.rate(),
            core.unwrap_or_default()
        );
    }
}
