//! The run second by second: for the timeline of the results and the progress display.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::tally::lock;
use crate::{
    progress::LastSecond,
    results::model::{Series, Timeline},
};

/// Maximum number of error examples.
const EXAMPLES: usize = 20;

pub(crate) struct Pulse {
    began: Instant,
    names: Vec<String>,
    now: Mutex<Vec<Beat>>,
    timeline: Mutex<Timeline>,
    examples: Mutex<BTreeMap<(String, String), String>>,
    /// Second of the last success.
    last_success: AtomicU64,
    /// Whether the last connection attempt was refused.
    unreachable: AtomicBool,
    done: AtomicU64,
    failed: AtomicU64,
}

/// One transaction in the current second.
#[derive(Debug, Default, Clone)]
struct Beat {
    millis: Vec<f64>,
    errors: u32,
}

impl Pulse {
    /// Starts now, with these transactions.
    pub fn new(names: Vec<String>) -> Self {
        let transactions = names.iter().map(|name| (name.clone(), Series::default()));
        let timeline = Timeline { users: Vec::new(), transactions: transactions.collect() };
        Self {
            began: Instant::now(),
            now: Mutex::new(vec![Beat::default(); names.len()]),
            names,
            timeline: Mutex::new(timeline),
            examples: Mutex::default(),
            last_success: AtomicU64::new(0),
            unreachable: AtomicBool::new(false),
            done: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    pub fn began(&self) -> Instant {
        self.began
    }

    /// Whole seconds since the run began.
    pub fn seconds(&self) -> u64 {
        self.began.elapsed().as_secs()
    }

    /// Records a successful transaction.
    pub fn success(&self, transaction: usize, latency: Duration) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.last_success.store(self.seconds(), Ordering::Relaxed);
        self.unreachable.store(false, Ordering::Relaxed);
        lock(&self.now)[transaction].millis.push(latency.as_secs_f64() * 1000.0);
    }

    /// Records a failed transaction.
    pub fn failure(&self, transaction: usize, unreachable: bool) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        self.unreachable.store(unreachable, Ordering::Relaxed);
        lock(&self.now)[transaction].errors += 1;
    }

    /// Records a failed request; keeps an example of each kind.
    pub fn example(&self, request: &str, kind: &str, text: impl FnOnce() -> String) {
        let mut examples = lock(&self.examples);
        if examples.len() < EXAMPLES {
            examples.entry((request.to_owned(), kind.to_owned())).or_insert_with(text);
        }
    }

    /// The example for each (request, kind of error).
    pub(crate) fn examples(&self) -> BTreeMap<(String, String), String> {
        lock(&self.examples).clone()
    }

    /// Number of successful and failed transactions.
    pub fn outcome(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed))
    }

    /// Seconds since the target became unreachable; 0 while it is reachable.
    pub(crate) fn gone_for(&self) -> u64 {
        let unreachable = self.unreachable.load(Ordering::Relaxed);
        if unreachable { self.seconds() - self.last_success.load(Ordering::Relaxed).min(self.seconds()) } else { 0 }
    }

    /// Closes a second, with this number of active users.
    pub(crate) fn beat(&self, users: u32) -> LastSecond {
        let mut beats = lock(&self.now);
        let fresh = vec![Beat::default(); beats.len()];
        let passed = std::mem::replace(&mut *beats, fresh);
        drop(beats);
        let mut timeline = lock(&self.timeline);
        timeline.users.push(users);
        let mut all = Vec::new();
        for (name, beat) in self.names.iter().zip(passed) {
            let mut millis = beat.millis;
            millis.sort_by(f64::total_cmp);
            if let Some(series) = timeline.transactions.get_mut(name) {
                push(series, &millis, beat.errors);
            }
            all.append(&mut millis);
        }
        all.sort_by(f64::total_cmp);
        LastSecond {
            count: u32::try_from(all.len()).unwrap_or(u32::MAX),
            p95_ms: at(&all, 0.95),
            errors: self.failed.load(Ordering::Relaxed),
        }
    }

    /// The seconds so far.
    pub fn timeline(&self) -> Timeline {
        lock(&self.timeline).clone()
    }
}

fn push(series: &mut Series, sorted: &[f64], errors: u32) {
    let count = u32::try_from(sorted.len()).unwrap_or(u32::MAX);
    series.count.push(count.saturating_add(errors));
    series.errors.push(errors);
    series.p50_ms.push(at(sorted, 0.5));
    series.p95_ms.push(at(sorted, 0.95));
    series.max_ms.push(sorted.last().copied().map(rounded));
}

/// The smallest value that this share of all does not exceed.
fn at(sorted: &[f64], quantile: f64) -> Option<f64> {
    let rank = (quantile * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().map(rounded)
}

fn rounded(millis: f64) -> f64 {
    (millis * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_its_figures() {
        let pulse = Pulse::new(vec!["in".to_owned(), "out".to_owned()]);
        (1..=100).for_each(|millis| pulse.success(0, Duration::from_millis(millis)));
        pulse.failure(1, true);
        let second = pulse.beat(5);
        assert_eq!(second, LastSecond { count: 100, p95_ms: Some(95.0), errors: 1 });
        assert_eq!(pulse.beat(4).p95_ms, None);
        let timeline = pulse.timeline();
        assert_eq!(timeline.users, [5, 4]);
        let (done, failed) = (&timeline.transactions["in"], &timeline.transactions["out"]);
        assert_eq!(
            (done.count.as_slice(), done.p50_ms.as_slice()),
            ([100, 0].as_slice(), [Some(50.0), None].as_slice())
        );
        assert_eq!((failed.count.as_slice(), failed.errors.as_slice()), ([1, 0].as_slice(), [1, 0].as_slice()));
        assert_eq!(pulse.outcome(), (100, 1));
    }

    #[test]
    fn sixteen_hours_take_a_few_megabytes() {
        const SECONDS: usize = 16 * 3600;
        let pulse = Pulse::new(vec!["in".to_owned(), "out".to_owned()]);
        for _ in 0..SECONDS {
            (0..20).for_each(|millis| pulse.success(0, Duration::from_millis(millis)));
            pulse.failure(1, false);
            pulse.beat(20);
        }
        let timeline = pulse.timeline();
        assert_eq!(timeline.users.len(), SECONDS);
        let bytes = |series: &Series| {
            (series.count.capacity() + series.errors.capacity()) * 4
                + (series.p50_ms.capacity() + series.p95_ms.capacity() + series.max_ms.capacity()) * 16
        };
        let all: usize = timeline.transactions.values().map(bytes).sum();
        assert!(all < 16 << 20, "{all}");
        let waiting: usize = lock(&pulse.now).iter().map(|beat| beat.millis.capacity()).sum();
        assert!(waiting < 100, "the seconds that have passed are let go: {waiting}");
        assert!(pulse.examples().is_empty());
    }

    #[test]
    fn one_example_of_each_error_is_kept() {
        let pulse = Pulse::new(vec![]);
        pulse.example("check out", "status 422", || "first".to_owned());
        pulse.example("check out", "status 422", || "second".to_owned());
        pulse.example("check out", "timeout", || "slow".to_owned());
        let examples: Vec<_> = pulse.examples().into_values().collect();
        assert_eq!(examples, ["first", "slow"]);
    }
}
