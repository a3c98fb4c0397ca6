//! What one stage saw, by transaction and by request; and the figures made of it.
//!
//! **Coordinated omission.** A closed load asks less while the server stalls, so that a stall of two seconds is one slow
//! request for each user and hides from the percentiles. Where sessions have intended starts, their delay is part of
//! the latency and nothing needs to be added. Where they have none, the figures get the requests that the users would
//! have sent: each latency longer than the expected interval *i* adds `latency - i`, `latency - 2 i`, … (HdrHistogram's
//! rule). *i* is the median time between the starts of a user's sessions, divided by how often the request comes in a
//! session; at least the median latency of the request itself, so that what is slow as a rule is not counted twice.

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

/// What a stage saw.
pub struct Tallies {
    /// Each transaction.
    pub transactions: Vec<Mutex<Tally>>,
    /// Each kind of request.
    pub requests: Vec<Mutex<Tally>>,
    /// Times between the starts of a user's sessions.
    sessions: Mutex<Latencies>,
}

/// What was seen of one of them.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    count: u64,
    errors: BTreeMap<String, u64>,
    bytes: u64,
    records: Option<u64>,
    statements: Option<(u64, u64, u64)>,
    measured: Latencies,
    delayed: Latencies,
}

/// How a latency is counted.
#[derive(Debug, Clone, Copy)]
pub enum Counting {
    /// From intended starts.
    Intended,
    /// Corrected afterwards; the median time between sessions, how many there were.
    Expected {
        /// Median time from one session of a user to the next.
        session: Duration,
        /// Number of sessions.
        sessions: u64,
    },
}

impl Tally {
    /// One that went well: how long it took, and how much longer from its intended start.
    pub fn success(&mut self, took: Duration, delay: Duration) {
        self.count += 1;
        self.measured.record(took);
        self.delayed.record(took + delay);
    }

    /// One that failed.
    pub fn failure(&mut self, kind: &str) {
        self.count += 1;
        match self.errors.get_mut(kind) {
            Some(count) => *count += 1,
            None => {
                self.errors.insert(kind.to_owned(), 1);
            }
        }
    }

    /// What its answer weighed.
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

    /// Those of another one, too.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.bytes += other.bytes;
        other
            .errors
            .iter()
            .for_each(|(kind, count)| *self.errors.entry(kind.clone()).or_default() += count);
        self.records = self.records.map_or(other.records, |records| {
            Some(records + other.records.unwrap_or(0))
        });
        self.statements = match (self.statements, other.statements) {
            (Some((a, b, c)), Some((d, e, f))) => Some((a + d, b + e, c.max(f))),
            (one, other) => one.or(other),
        };
        self.measured.merge(&other.measured);
        self.delayed.merge(&other.delayed);
    }

    /// What came since an earlier state of the same one. (The most statements of all times stay the most.)
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |kind: &String| earlier.errors.get(kind).copied().unwrap_or(0);
        let errors = self
            .errors
            .iter()
            .map(|(kind, count)| (kind.clone(), count - before(kind)));
        let statements = self.statements.map(|(count, sum, max)| {
            let (before, sum_before, _) = earlier.statements.unwrap_or_default();
            (count - before, sum - sum_before, max)
        });
        Self {
            count: self.count - earlier.count,
            errors: errors.filter(|(_, count)| *count > 0).collect(),
            bytes: self.bytes - earlier.bytes,
            records: self
                .records
                .map(|records| records - earlier.records.unwrap_or(0)),
            statements: statements.filter(|(count, ..)| *count > 0),
            measured: self.measured.since(&earlier.measured),
            delayed: self.delayed.since(&earlier.delayed),
        }
    }

    /// How many, failed ones included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The figures of this, by its name and, for a request, its method and path.
    pub fn figures(
        &self,
        name: &str,
        request: Option<(&str, &str)>,
        counting: Counting,
    ) -> Figures {
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
            statements: self.statements.map(|(count, sum, max)| Statements {
                mean: rounded(sum as f64 / count as f64),
                max,
            }),
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
                if interval.is_zero() {
                    self.measured.clone()
                } else {
                    self.measured.corrected(interval)
                }
            }
        }
    }
}

impl Tallies {
    /// Nothing seen yet.
    pub fn new(transactions: usize, requests: usize) -> Self {
        let some = |count| (0..count).map(|_| Mutex::default()).collect();
        Self {
            transactions: some(transactions),
            requests: some(requests),
            sessions: Mutex::default(),
        }
    }

    /// From the start of a user's session to the start of its next.
    pub fn session(&self, interval: Duration) {
        lock(&self.sessions).record(interval);
    }

    /// How closed-loop latencies are corrected, by what was seen so far.
    pub fn expected(&self) -> Counting {
        let sessions = lock(&self.sessions);
        let session = Duration::from_secs_f64(sessions.quantile_ms(0.5) / 1000.0);
        let count = self
            .transactions
            .iter()
            .map(|tally| lock(tally).count)
            .sum();
        Counting::Expected {
            session,
            sessions: count,
        }
    }
}

/// To six decimals, as it is written.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// What is locked is only ever counted up; a panic elsewhere leaves it whole.
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
        let counting = Counting::Expected {
            session: 10 * MILLI,
            sessions: 992,
        };
        let figures = tally.figures("x", None, counting);
        assert!(figures.measured.p99_ms < 11.0, "{:?}", figures.measured);
        assert!(figures.corrected.p99_ms > 1800.0, "{:?}", figures.corrected);
        assert_eq!((figures.count, figures.measured.count), (992, 992));
        assert!(
            (1388..=1390).contains(&figures.corrected.count),
            "{:?}",
            figures.corrected
        );
    }

    #[test]
    fn what_is_slow_as_a_rule_is_not_counted_twice() {
        let mut tally = Tally::default();
        (0..100).for_each(|_| tally.success(5000 * MILLI, Duration::ZERO));
        let counting = Counting::Expected {
            session: 10 * MILLI,
            sessions: 1_000,
        };
        assert_eq!(tally.figures("x", None, counting).corrected.count, 100);
    }

    #[test]
    fn delays_before_the_start_belong_to_the_latency() {
        let mut tally = Tally::default();
        tally.success(10 * MILLI, 90 * MILLI);
        let figures = tally.figures("x", None, Counting::Intended);
        assert_eq!(
            (
                figures.corrected.max_ms.round(),
                figures.measured.max_ms.round()
            ),
            (100.0, 10.0)
        );
    }

    #[test]
    fn failures_are_counted_by_kind_and_have_no_latency() {
        let mut tally = Tally::default();
        tally.success(MILLI, Duration::ZERO);
        ["timeout", "status 500", "timeout"]
            .iter()
            .for_each(|kind| tally.failure(kind));
        let mut twice = tally.clone();
        twice.merge(&tally);
        let figures = twice.figures("x", None, Counting::Intended);
        assert_eq!(
            (figures.count, figures.failed(), figures.measured.count),
            (8, 6, 2)
        );
        assert_eq!(figures.errors["timeout"], 4);
        let since = twice.since(&tally).figures("x", None, Counting::Intended);
        assert_eq!(
            (since.count, since.errors["timeout"], since.measured.count),
            (4, 2, 1)
        );
    }
}
