//! The schema of `results.json`.
//!
//! - Times of day are in UTC. Latencies are in milliseconds (`…_ms`), durations in seconds, sizes in bytes.
//! - **Seconds of a run** count from [`Run::began`]: index *i* of every series of [`Timeline`] and [`Watched`] is the
//!   second from *i* to *i + 1*. All series have the same length.
//! - Each latency is recorded twice. `corrected` counts from the *intended* start: what users would have experienced,
//!   including stalls; reports show this one. `measured` counts from the real start. They differ if the generator or
//!   the server delayed the users ([`Correction`] says how).
//! - The warm-up is in the timeline and in `watch`, but not in `transactions` and `requests`.
//! - Readers ignore unknown members. [`SCHEMA`] is raised when the meaning of a member changes.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::histogram::Latencies;

/// The schema version that this code writes and reads.
pub const SCHEMA: u32 = 1;

/// Measurements by name.
pub type Named<T> = BTreeMap<String, T>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// [`SCHEMA`] of the code that wrote it.
    pub schema: u32,
    pub run: Run,
    pub workload: Workload,
    pub target: Target,
    pub environment: Environment,
    /// One per number of users or rate, in order.
    pub stages: Vec<Stage>,
    pub timeline: Timeline,
    /// Series watched beside the load, by name (`server_cpu`, `database_connections`, …).
    #[serde(default)]
    pub watch: Named<Watched>,
    /// Only in long runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hours: Vec<Hour>,
    /// Whether anything grew or fell under constant load.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drift: Vec<Drift>,
    /// The statements that took the most database time during the run, from `pg_stat_statements`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<StatementTime>,
    /// What a reader should know before trusting the figures: the generator was the limit, data ran out, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Identifies a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Unique: `20261122T101500Z-check-in-check-out`, with a number appended if it is taken.
    pub id: String,
    /// Start of the first virtual user.
    pub began: Timestamp,
    /// End of the last one.
    pub ended: Timestamp,
    /// Why it ended early, if it did: `interrupted`, `target gone`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<String>,
    /// The command line without secrets.
    pub command: Vec<String>,
    /// Version of the lab.
    pub lab: String,
    /// Name of the run in reports (`--label`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// Such as `check-in-check-out`.
    pub name: String,
    /// A sentence.
    pub title: String,
    /// SHA-256 of the file, to recognize runs of the same workload.
    pub sha256: String,
    #[serde(rename = "load")]
    pub arrivals: Arrivals,
    /// Whether users paused between requests as the workload says.
    pub think_time: bool,
    /// Seconds over which the users of a stage started.
    pub ramp_up_seconds: f64,
    /// Uncounted seconds at the start of each stage, including the ramp-up.
    pub warm_up_seconds: f64,
    /// Counted seconds of each stage.
    pub stage_seconds: f64,
    /// Requested share of each transaction, 0 to 1.
    pub shares: Named<f64>,
}

/// How sessions arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// A fixed number of virtual users, each waiting for its answer.
    Closed,
    /// A fixed rate of sessions, whether or not earlier ones have ended.
    Open,
}

/// The measured server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Its address without user name and password.
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// The name it reports: `Carrel`, `Okapi`, `ArchivesSpace`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// The version it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Number of records by kind (`items`, `users`, `open loans`, …): the volume of data.
    #[serde(default)]
    pub records: Named<u64>,
}

/// The machine: the server's if the lab could see it, otherwise the generator's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Commit of the measured server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Model of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Number of processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Operating system and kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Whether server and generator ran on the same machine, sharing its processors.
    pub same_machine: bool,
    /// Version and settings of PostgreSQL, by name.
    #[serde(default)]
    pub postgres: Named<String>,
}

/// One number of users, or one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// The requested number of virtual users (closed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u32>,
    /// The requested sessions per second (open).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// First second in the run, including warm-up.
    pub begins_at: u64,
    /// First counted second in the run.
    pub counts_from: u64,
    /// End in seconds of the run (exclusive).
    pub ends_at: u64,
    /// Counted seconds, to the millisecond.
    pub seconds: f64,
    /// Reached throughput.
    pub transactions_per_second: f64,
    /// Reached throughput.
    pub requests_per_second: f64,
    /// Whole sessions and their named parts: what a librarian would call one task.
    pub transactions: Vec<Figures>,
    /// In the order of the workload.
    pub requests: Vec<Figures>,
    pub generator: Generator,
    /// How `corrected` was calculated.
    pub correction: Correction,
}

impl Stage {
    /// The requested load in words: `20 users`, `0.5 a second`.
    pub fn asked(&self) -> String {
        match (self.users, self.rate) {
            (Some(1), _) => "1 user".to_owned(),
            (Some(users), _) => format!("{users} users"),
            (None, Some(rate)) => format!("{rate} a second"),
            (None, None) => "unknown load".to_owned(),
        }
    }
}

/// The state of the generator.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// Average number of processors used: 1.0 is one fully busy core.
    pub cpu_cores: f64,
    /// Sessions that began more than 10 ms late because of the generator, not the server.
    pub late_starts: u64,
    /// Sessions of an open load that never began because too many were under way.
    pub missed_starts: u64,
    /// Sessions that should have begun.
    pub intended_starts: u64,
    /// Whether the generator was the limit, so that the server may be faster than the figures.
    pub was_the_limit: bool,
}

/// How `corrected` latencies were calculated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "method")]
pub enum Correction {
    /// Each session had an intended start, and its delay counts.
    IntendedStart,
    /// A closed loop without pauses has no intended starts: an undelayed user would have sent its next request after
    /// the median interval. Those requests are added by the rule of HdrHistogram's `recordValueWithExpectedInterval`.
    /// The interval of a kind of request is the median time between a user's sessions, divided by the requests per
    /// session, but at least its own median latency.
    ExpectedInterval {
        /// Median time between the starts of a user's sessions, in milliseconds.
        session_ms: f64,
    },
    /// Recorded by another tool, without intended starts: the values are unchanged, and requests not sent during a
    /// stall are missing.
    AsRecorded,
}

/// The measurements of one transaction or request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Its name in the workload.
    pub name: String,
    /// `None` for a transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Path in the workload, before data is filled in (`/automated-patron-blocks/{{patron.id}}`); `None` for a
    /// transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Number of all, including failures.
    pub count: u64,
    /// Failures by kind: `status 500`, `timeout`, `connection closed`, `check /totalRecords equals 1`, …
    #[serde(default)]
    pub errors: Named<u64>,
    /// Bytes of all answers on the wire, without heads.
    #[serde(default)]
    pub bytes: u64,
    /// Records in all answers, if the workload counts them; the divisor of the time per record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Mean time per record, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_record_ms: Option<f64>,
    /// Statements (or round trips) that the server reports in `Server-Timing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<Statements>,
    /// From the intended start; without failures.
    pub corrected: Latency,
    /// From the real start; without failures.
    pub measured: Latency,
}

impl Figures {
    /// Number of failures.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }
}

/// Statements per request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Statements {
    pub mean: f64,
    pub max: u64,
}

/// The distribution of a latency. The figures before `histogram` are derived from it, for simple readers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    pub count: u64,
    pub mean_ms: f64,
    pub deviation_ms: f64,
    pub p50_ms: f64,
    pub p75_ms: f64,
    pub p90_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    pub histogram: Latencies,
}

impl From<Latencies> for Latency {
    fn from(latencies: Latencies) -> Self {
        let at = |quantile| latencies.quantile_ms(quantile);
        Self {
            count: latencies.count(),
            mean_ms: latencies.mean_ms(),
            deviation_ms: latencies.deviation_ms(),
            p50_ms: at(0.5),
            p75_ms: at(0.75),
            p90_ms: at(0.9),
            p95_ms: at(0.95),
            p99_ms: at(0.99),
            max_ms: latencies.max_ms(),
            histogram: latencies,
        }
    }
}

/// The run second by second: index *i* is the second from *i* to *i + 1*.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Active virtual users, or sessions under way in an open load.
    pub users: Vec<u32>,
    /// By name.
    pub transactions: Named<Series>,
}

/// A transaction, second by second; it counts in the second in which it ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Number of all, including failures.
    pub count: Vec<u32>,
    /// Number of failures.
    pub errors: Vec<u32>,
    /// Median from the intended start; `None` in a second without any.
    pub p50_ms: Vec<Option<f64>>,
    pub p95_ms: Vec<Option<f64>>,
    pub max_ms: Vec<Option<f64>>,
}

/// A watched series, second by second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// `bytes`, `cores`, `connections`, `per second`, `ratio`, …
    pub unit: String,
    /// One per second of the run; `None` if it could not be read.
    pub values: Vec<Option<f64>>,
}

/// One hour of a long run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hour {
    /// From 1.
    pub hour: u32,
    /// First second of the run in it.
    pub from: u64,
    /// End in seconds of the run (exclusive); the last hour may be shorter.
    pub to: u64,
    pub transactions: Vec<Figures>,
    /// Watched series.
    #[serde(default)]
    pub watch: Named<HourWatched>,
}

/// A watched series in one hour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HourWatched {
    pub mean: f64,
    pub max: f64,
    pub last: f64,
}

/// Whether something grew or fell over the counted part of the longest stage.
///
/// That part is cut into slices: minutes, or fortieths of a run shorter than 40 minutes. The value of a slice is the
/// median of its seconds. The slope is Theil-Sen's (the median of the slopes between all pairs of slices), the
/// probability Mann-Kendall's (two-sided, corrected for ties); see [`super::drift`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// The series: `Check-out p95`, `server_memory`.
    pub name: String,
    pub unit: String,
    /// Number of slices.
    pub slices: u32,
    /// Seconds per slice.
    pub slice_seconds: u64,
    /// Median of the slices in the first tenth.
    pub first_tenth: f64,
    /// Median of the slices in the last tenth.
    pub last_tenth: f64,
    /// The last tenth divided by the first; `None` if the first is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Theil-Sen slope, per hour.
    pub per_hour: f64,
    /// Probability of so clear a trend by chance (Mann-Kendall).
    pub probability: f64,
    pub trend: Trend,
}

/// The trend of a series over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trend {
    /// The trend is significant (probability below 0.01), and the last tenth is more than 1.1 times the first.
    Grows,
    /// The opposite, by the same measure.
    Falls,
    /// Neither.
    Flat,
}

/// The time a statement took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementTime {
    /// Text without values, at most 500 characters.
    pub text: String,
    /// Calls during the run.
    pub calls: u64,
    /// Total time in milliseconds.
    pub total_ms: f64,
    /// Time per call.
    pub mean_ms: f64,
    /// Total number of rows.
    pub rows: u64,
}
