//! The schema of `results.json`.
//!
//! - Times of day are UTC. Latencies are milliseconds (`…_ms`), durations seconds, sizes bytes.
//! - **Seconds of a run** count from [`Run::began`]: index *i* of every series of [`Timeline`] and [`Watched`] is the
//!   second from *i* to *i + 1*. All of them are equally long.
//! - Each latency exists twice. `corrected` is counted from the *intended* start: what users would have seen, stalls
//!   included, and what reports show. `measured` is counted from when the request really left. They differ where the
//!   generator or the server held up the users ([`Correction`] says how).
//! - Warm-up is in the timeline and in `watch`, but not in `transactions` and `requests`.
//! - A reader ignores members it does not know. [`SCHEMA`] is raised when the meaning of one changes.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::histogram::Latencies;

/// The schema version that this code writes and reads.
pub const SCHEMA: u32 = 1;

/// Names of things measured, with what was measured.
pub type Named<T> = BTreeMap<String, T>;

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// [`SCHEMA`] of the code that wrote it.
    pub schema: u32,
    /// Which run it is.
    pub run: Run,
    /// What was done.
    pub workload: Workload,
    /// To whom.
    pub target: Target,
    /// On what machine.
    pub environment: Environment,
    /// One for each number of users or rate, in order.
    pub stages: Vec<Stage>,
    /// Second by second.
    pub timeline: Timeline,
    /// What was watched beside the load, by name of the series (`server_cpu`, `database_connections`, …).
    #[serde(default)]
    pub watch: Named<Watched>,
    /// Hour by hour, of a long run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hours: Vec<Hour>,
    /// Whether anything grew or fell while the load stayed the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drift: Vec<Drift>,
    /// The statements that took the database the most time during the run, by `pg_stat_statements`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statements: Vec<StatementTime>,
    /// What a reader should know before trusting the figures: the generator was the limit, data ran out, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Which run it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Unique: `20261122T101500Z-check-in-check-out`, with a number behind it where that is taken.
    pub id: String,
    /// When the first virtual user started.
    pub began: Timestamp,
    /// When the last one ended.
    pub ended: Timestamp,
    /// Why it ended before its time, if it did: `interrupted`, `target gone`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<String>,
    /// The command line, secrets left out.
    pub command: Vec<String>,
    /// Version of the lab.
    pub lab: String,
    /// What to call the run in a report (`--label`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// Its name: `check-in-check-out`.
    pub name: String,
    /// What it is, in a sentence.
    pub title: String,
    /// SHA-256 of the file, so that two runs are known to have done the same.
    pub sha256: String,
    /// How the load came.
    pub load: Load,
    /// Whether users paused between requests as the workload says.
    pub think_time: bool,
    /// Seconds over which the users of a stage started.
    pub ramp_up_seconds: f64,
    /// Seconds at the start of each stage that do not count, ramp-up included.
    pub warm_up_seconds: f64,
    /// Seconds of each stage that count.
    pub stage_seconds: f64,
    /// How often each transaction was asked for: its share of all, 0 to 1.
    pub shares: Named<f64>,
}

/// How the load came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// So many virtual users, each waiting for its answer before it goes on.
    Closed,
    /// So many sessions begin each second, whether or not the earlier ones have ended.
    Open,
}

/// To whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Its address, without a user name or password.
    pub url: String,
    /// The tenant, where there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// What it says it is: `Carrel`, `Okapi`, `ArchivesSpace`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// The version it says it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How many records it had, by kind (`items`, `users`, `open loans`, …): the volume of data.
    #[serde(default)]
    pub records: Named<u64>,
}

/// On what machine: the server's where the lab could see it, the generator's otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Commit of the measured server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Model of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// How many processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Bytes of memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Operating system and kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Whether the server ran on the generator's machine, sharing its processors.
    pub same_machine: bool,
    /// Version and settings of PostgreSQL, by name.
    #[serde(default)]
    pub postgres: Named<String>,
}

/// One number of users, or one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// What was asked: this many virtual users (closed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u32>,
    /// What was asked: this many sessions each second (open).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Second of the run in which it began, warm-up included.
    pub begins_at: u64,
    /// Second of the run from which it counts.
    pub counts_from: u64,
    /// Second of the run in which it ended (not included).
    pub ends_at: u64,
    /// Seconds that count, to the millisecond.
    pub seconds: f64,
    /// Transactions each second that were reached.
    pub transactions_per_second: f64,
    /// Requests each second that were reached.
    pub requests_per_second: f64,
    /// The whole sessions and their parts that have a name: what a librarian would call one thing.
    pub transactions: Vec<Figures>,
    /// Each request, in the order of the workload.
    pub requests: Vec<Figures>,
    /// How the generator itself fared.
    pub generator: Generator,
    /// How `corrected` came about.
    pub correction: Correction,
}

impl Stage {
    /// What was asked, in words: `20 users`, `0.5 a second`.
    pub fn asked(&self) -> String {
        match (self.users, self.rate) {
            (Some(1), _) => "1 user".to_owned(),
            (Some(users), _) => format!("{users} users"),
            (None, Some(rate)) => format!("{rate} a second"),
            (None, None) => "unknown load".to_owned(),
        }
    }
}

/// How the generator itself fared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Generator {
    /// Processors it used on average: 1.0 is one core busy all the time.
    pub cpu_cores: f64,
    /// Sessions that began more than 10 ms later than intended, because the generator (not the server) was late.
    pub late_starts: u64,
    /// Sessions of an open load that never began: too many were still under way.
    pub missed_starts: u64,
    /// Sessions that should have begun.
    pub intended_starts: u64,
    /// Whether it was itself the limit, so that the server may be faster than the figures.
    pub was_the_limit: bool,
}

/// How `corrected` latencies came about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "method")]
pub enum Correction {
    /// Each session had an intended start, and its delay counts.
    IntendedStart,
    /// A closed loop without pauses has no intended start: had a user not been held up, it would have asked again at
    /// the median interval. Those requests are added, by the rule of HdrHistogram's `recordValueWithExpectedInterval`.
    /// The interval of a kind of request is the median time from one session of a user to the next, over how often it
    /// comes in a session, but at least its own median latency.
    ExpectedInterval {
        /// Median time from the start of a user's session to the start of the next, in milliseconds.
        session_ms: f64,
    },
    /// Another tool recorded them, and when each request should have begun is not known: they are as it has them, and
    /// what a stall kept from being asked is missing.
    AsRecorded,
}

/// What was measured of one transaction or one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Its name in the workload.
    pub name: String,
    /// HTTP method; none for a transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Path as the workload has it, before data is put in (`/automated-patron-blocks/{{patron.id}}`); none for a
    /// transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How many ended, well or not.
    pub count: u64,
    /// How many failed, by kind: `status 500`, `timeout`, `connection closed`, `check /totalRecords equals 1`, …
    #[serde(default)]
    pub errors: Named<u64>,
    /// Bytes of all answers, as they came over the wire, heads left out.
    #[serde(default)]
    pub bytes: u64,
    /// Records in all answers, where the workload counts them: time per record is the sum of times by this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Mean time for one of those records, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_record_ms: Option<f64>,
    /// Statements (or round trips) that the server says it sent to its database, by `Server-Timing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<Statements>,
    /// From the intended start. Failed ones are not in it.
    pub corrected: Latency,
    /// From when it really began. Failed ones are not in it.
    pub measured: Latency,
}

impl Figures {
    /// How many failed.
    pub fn failed(&self) -> u64 {
        self.errors.values().sum()
    }
}

/// Statements for one request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Statements {
    /// Mean number for one request.
    pub mean: f64,
    /// Most for one request.
    pub max: u64,
}

/// The distribution of a latency. The figures before `histogram` are read from it, for those who only want them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// How many.
    pub count: u64,
    /// Mean.
    pub mean_ms: f64,
    /// Standard deviation.
    pub deviation_ms: f64,
    /// Median.
    pub p50_ms: f64,
    /// 75th percentile.
    pub p75_ms: f64,
    /// 90th percentile.
    pub p90_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// 99th percentile.
    pub p99_ms: f64,
    /// Longest.
    pub max_ms: f64,
    /// All of it.
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

/// Second by second: index *i* is the second from *i* to *i + 1* of the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Virtual users at work, or sessions under way when the load is open.
    pub users: Vec<u32>,
    /// Each transaction, by its name.
    pub transactions: Named<Series>,
}

/// A transaction, second by second; it belongs to the second in which it ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// How many ended, well or not.
    pub count: Vec<u32>,
    /// How many of those failed.
    pub errors: Vec<u32>,
    /// Median from the intended start; none in a second without one.
    pub p50_ms: Vec<Option<f64>>,
    /// 95th percentile.
    pub p95_ms: Vec<Option<f64>>,
    /// Longest.
    pub max_ms: Vec<Option<f64>>,
}

/// Something that was watched, second by second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// `bytes`, `cores`, `connections`, `per second`, `ratio`, …
    pub unit: String,
    /// One for each second of the run; none where it could not be read.
    pub values: Vec<Option<f64>>,
}

/// One hour of a long run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hour {
    /// 1 is the first.
    pub hour: u32,
    /// First second of the run in it.
    pub from: u64,
    /// Second of the run at which it ended (not included): less than an hour later for the last one.
    pub to: u64,
    /// Each transaction.
    pub transactions: Vec<Figures>,
    /// Mean and highest value of what was watched.
    #[serde(default)]
    pub watch: Named<HourWatched>,
}

/// What a watched series did in an hour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HourWatched {
    /// Mean.
    pub mean: f64,
    /// Highest.
    pub max: f64,
    /// Last.
    pub last: f64,
}

/// Whether something grew or fell over the counted part of the longest stage.
///
/// That part is cut into slices: minutes, or fortieths of a run shorter than 40 minutes. The value of a slice is the
/// median of its seconds. The slope is Theil-Sen's (the median of the slopes between all pairs of slices), the
/// probability Mann-Kendall's (two-sided, corrected for ties); see [`super::drift`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// What: `Check-out p95`, `server_memory`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// How many slices there are.
    pub slices: u32,
    /// Seconds of a slice.
    pub slice_seconds: u64,
    /// Median of the slices in the first tenth.
    pub first_tenth: f64,
    /// Median of the slices in the last tenth.
    pub last_tenth: f64,
    /// The last by the first; none where the first is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Theil-Sen slope, per hour.
    pub per_hour: f64,
    /// Probability of a trend this clear by chance, if there is none (Mann-Kendall).
    pub probability: f64,
    /// What that means.
    pub trend: Trend,
}

/// What became of something over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trend {
    /// It grew: the trend is significant (probability below 0.01), and the last tenth more than 1.1 times the first.
    Grows,
    /// It fell, by the same measure.
    Falls,
    /// Neither.
    Flat,
}

/// A statement, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementTime {
    /// Its text, values left out, at most 500 characters.
    pub text: String,
    /// How often it ran during the run.
    pub calls: u64,
    /// Time in all, in milliseconds.
    pub total_ms: f64,
    /// Time for one call.
    pub mean_ms: f64,
    /// Rows in all.
    pub rows: u64,
}
