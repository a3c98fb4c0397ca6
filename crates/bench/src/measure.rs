//! Latencies of one kind of request.

use std::time::Duration;

use hdrhistogram::Histogram;

/// Latencies and the time they were gathered in.
pub struct Latencies {
    micros: Histogram<u64>,
    time: Duration,
}

impl Latencies {
    /// None yet.
    pub fn new(time: Duration) -> Self {
        let micros = Histogram::new_with_bounds(1, 60_000_000, 3).expect("bounds in order");
        Self { micros, time }
    }

    /// One more.
    pub fn record(&mut self, latency: Duration) {
        self.micros
            .saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX));
    }

    /// Those of another client.
    pub fn merge(&mut self, other: &Self) {
        self.micros.add(&other.micros).expect("the same bounds");
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.micros.len()
    }

    /// How many each second.
    pub fn rate(&self) -> f64 {
        self.count() as f64 / self.time.as_secs_f64()
    }

    /// A row of the table.
    pub fn row(&self, clients: usize, what: &str, per_core: Option<f64>) {
        let millis = |quantile| self.micros.value_at_quantile(quantile) as f64 / 1000.0;
        let core = per_core.map(|rate| format!("{rate:.0}"));
        println!(
            "| {clients} | {what} | {:.2} | {:.2} | {:.0} | {} | | | | |",
            millis(0.5),
            millis(0.95),
            self.rate(),
            core.unwrap_or_default()
        );
    }
}
