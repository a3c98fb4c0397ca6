//! The measurements of one stage, by transaction and by request, and the figures calculated from them.
//!
//! **Coordinated omission.** A closed load sends fewer requests while the server stalls, so a stall of two seconds is a
//! single slow request per user and does not show in the percentiles. If sessions have intended starts, their delay is
//! part of the latency and nothing needs to be added. Otherwise the requests that users would have sent are added: each
//! latency longer than the expected interval *i* adds `latency - i`, `latency - 2 i`, … (HdrHistogram's rule). *i* is
//! the median time between the starts of a user's sessions, divided by the requests per session, but at least the
//! median latency of the request itself, so that a consistently slow request is not counted twice.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{
    client::Answer,
    results::{
        histogram::Latencies,
        model::{Figures, Latency, Statements},
    },
};

/// The measurements of a stage.
pub(crate) struct Tallies {
    pub transactions: Vec<Mutex<Tally>>,
    /// By kind of request.
    pub requests: Vec<Mutex<Tally>>,
    /// Times between the starts of a user's sessions.
    sessions: Mutex<Latencies>,
}

/// The measurements of one transaction or request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    count: u64,
    errors: BTreeMap<String, u64>,
    bytes: u64,
    records: Option<u64>,
    statements: Option<(u64, u64, u64)>,
    measured: Latencies,
    delayed: Latencies,
}

/// How latencies are counted.
#[derive(Debug, Clone, Copy)]
pub enum Counting {
    /// From intended starts.
    Intended,
    /// Corrected afterwards.
    Expected {
        /// Median time between a user's sessions.
        session: Duration,
        sessions: u64,
    },
}

impl Tally {
    /// Records a success: its duration, and the delay since its intended start.
    pub fn success(&mut self, took: Duration, delay: Duration) {
        self.count += 1;
        self.measured.record(took);
        self.delayed.record(took + delay);
    }

    pub fn failure(&mut self, kind: &str) {
        self.count += 1;
        match self.errors.get_mut(kind) {
            Some(count) => *count += 1,
            None => {
                self.errors.insert(kind.to_owned(), 1);
            }
        }
    }

    /// Records the size of an answer.
    pub fn weigh(&mut self, answer: &Answer, records: Option<u64>) {
        self.bytes += answer.bytes;
        if let Some(records) = records {
            *self.records.get_or_insert(0) += records;
        }
        if let Some(statements) = answer.statements() {
            let (count, sum, max) = self.statements.unwrap_or_default();
            self.statements = Some((count + 1, sum + statements, max.max(statements)));
        }
    }

    /// The measurements since an earlier state. (The maximum of statements stays that of the whole time.)
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |kind: &String| earlier.errors.get(kind).copied().unwrap_or(0);
        let errors = self.errors.iter().map(|(kind, count)| (kind.clone(), count - before(kind)));
        let statements = self.statements.map(|(count, sum, max)| {
            let (before, sum_before, _) = earlier.statements.unwrap_or_default();
            (count - before, sum - sum_before, max)
        });
        Self {
            count: self.count - earlier.count,
            errors: errors.filter(|(_, count)| *count > 0).collect(),
            bytes: self.bytes - earlier.bytes,
            records: self.records.map(|records| records - earlier.records.unwrap_or(0)),
            statements: statements.filter(|(count, ..)| *count > 0),
            measured: self.measured.since(&earlier.measured),
            delayed: self.delayed.since(&earlier.delayed),
        }
    }

    /// The figures, with the name and, for a request, its method and path.
    pub fn figures(&self, name: &str, request: Option<(&str, &str)>, counting: Counting) -> Figures {
        let records = self.records.filter(|&records| records > 0);
        let sum = self.measured.mean_ms() * self.measured.count() as f64;
        Figures {
            name: name.to_owned(),
            method: request.map(|(method, _)| method.to_owned()),
            path: request.map(|(_, path)| path.to_owned()),
            count: self.count,
            errors: self.errors.clone(),
            bytes: self.bytes,
            records: self.records,
            per_record_ms: records.map(|records| rounded(sum / records as f64)),
            statements: self
                .statements
                .map(|(count, sum, max)| Statements { mean: rounded(sum as f64 / count as f64), max }),
            corrected: Latency::from(self.corrected(counting)),
            measured: Latency::from(self.measured.clone()),
        }
    }

    fn corrected(&self, counting: Counting) -> Latencies {
        match counting {
            Counting::Intended => self.delayed.clone(),
            Counting::Expected { session, sessions } => {
                let seldom = sessions as f64 / self.count.max(1) as f64;
                let median = Duration::from_secs_f64(self.measured.quantile_ms(0.5) / 1000.0);
                let interval = session.mul_f64(seldom).max(median);
                if interval.is_zero() { self.measured.clone() } else { self.measured.corrected(interval) }
            }
        }
    }
}

impl Tallies {
    pub fn new(transactions: usize, requests: usize) -> Self {
        let some = |count| (0..count).map(|_| Mutex::default()).collect();
        Self { transactions: some(transactions), requests: some(requests), sessions: Mutex::default() }
    }

    /// Records the time between the starts of two sessions of a user.
    pub fn session(&self, interval: Duration) {
        lock(&self.sessions).record(interval);
    }

    /// The correction of closed-loop latencies, from the measurements so far.
    pub fn expected(&self) -> Counting {
        let sessions = lock(&self.sessions);
        let session = Duration::from_secs_f64(sessions.quantile_ms(0.5) / 1000.0);
        let count = self.transactions.iter().map(|tally| lock(tally).count).sum();
        Counting::Expected { session, sessions: count }
    }
}

/// Rounds to six decimals, as written to files.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The locked values are only ever incremented; a panic elsewhere leaves them intact.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLI: Duration = Duration::from_millis(1);

    #[test]
    fn a_stall_shows_although_the_loop_paused() {
        let mut tally = Tally::default();
        (0..990).for_each(|_| tally.success(10 * MILLI, Duration::ZERO));
        (0..2).for_each(|_| tally.success(2000 * MILLI, Duration::ZERO));
        let counting = Counting::Expected { session: 10 * MILLI, sessions: 992 };
        let figures = tally.figures("x", None, counting);
        assert!(figures.measured.p99_ms < 11.0, "{:?}", figures.measured);
        assert!(figures.corrected.p99_ms > 1800.0, "{:?}", figures.corrected);
        assert_eq!((figures.count, figures.measured.count), (992, 992));
        assert!((1388..=1390).contains(&figures.corrected.count), "{:?}", figures.corrected);
    }

    #[test]
    fn consistently_slow_requests_are_not_counted_twice() {
        let mut tally = Tally::default();
        (0..100).for_each(|_| tally.success(5000 * MILLI, Duration::ZERO));
        let counting = Counting::Expected { session: 10 * MILLI, sessions: 1_000 };
        assert_eq!(tally.figures("x", None, counting).corrected.count, 100);
    }

    #[test]
    fn delays_before_the_start_belong_to_the_latency() {
        let mut tally = Tally::default();
        tally.success(10 * MILLI, 90 * MILLI);
        let figures = tally.figures("x", None, Counting::Intended);
        assert_eq!((figures.corrected.max_ms.round(), figures.measured.max_ms.round()), (100.0, 10.0));
    }

    #[test]
    fn failures_are_counted_by_kind_and_have_no_latency() {
        let note = |tally: &mut Tally| {
            tally.success(MILLI, Duration::ZERO);
            let failures = ["timeout", "status 500", "timeout"];
            failures.iter().for_each(|kind| tally.failure(kind));
        };
        let mut tally = Tally::default();
        note(&mut tally);
        let mut twice = tally.clone();
        note(&mut twice);
        let figures = twice.figures("x", None, Counting::Intended);
        assert_eq!((figures.count, figures.failed(), figures.measured.count), (8, 6, 2));
        assert_eq!(figures.errors["timeout"], 4);
        let since = twice.since(&tally).figures("x", None, Counting::Intended);
        assert_eq!((since.count, since.errors["timeout"], since.measured.count), (4, 2, 1));
    }
}
