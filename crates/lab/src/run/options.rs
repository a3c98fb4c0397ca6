//! Settings of a run.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::access::Credentials;

/// Interval of partial results.
pub const CHECKPOINT: Duration = Duration::from_secs(60);

pub const HOUR: Duration = Duration::from_secs(3600);

/// Settings of a run, beside its workload.
#[derive(Clone)]
pub struct Options {
    pub url: String,
    pub credentials: Credentials,
    /// The load, stage by stage.
    pub plan: Plan,
    /// Whether users pause as the workload says.
    pub think_time: bool,
    /// The time over which the users of a stage start.
    pub ramp_up: Duration,
    /// Uncounted time at the start of each stage, after the ramp-up.
    pub warm_up: Duration,
    /// Counted time of each stage.
    pub duration: Duration,
    /// Also ends a stage after this many transactions.
    pub transactions: Option<u64>,
    /// The time between the intended starts of a user's sessions (closed load).
    pub pace: Option<Duration>,
    /// Time limit for an answer.
    pub timeout: Duration,
    /// Files with rows, by data set.
    pub files: BTreeMap<String, PathBuf>,
    /// Folder of the results; `lab-results/<id>` by default.
    pub folder: Option<PathBuf>,
    /// File for a line per request (JTL).
    pub jtl: Option<PathBuf>,
    /// Name of the run.
    pub label: Option<String>,
    /// Commit of the target, which no target reports itself.
    pub commit: Option<String>,
    /// The command line without secrets.
    pub command: Vec<String>,
    /// Threads of the generator.
    pub threads: usize,
    /// Length of the hours of a long run: [`HOUR`], shorter in tests.
    pub hour: Duration,
    /// Interval of partial results: [`CHECKPOINT`], shorter in tests.
    pub checkpoint: Duration,
}

/// The load, stage by stage.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Numbers of users (closed).
    Users(Vec<u32>),
    /// Sessions per second (open).
    Rates(Vec<f64>),
}

/// The load of one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Asked {
    Users(u32),
    /// Sessions per second.
    Rate(f64),
}

impl Plan {
    pub fn stages(&self) -> Vec<Asked> {
        match self {
            Self::Users(users) => users.iter().copied().map(Asked::Users).collect(),
            Self::Rates(rates) => rates.iter().copied().map(Asked::Rate).collect(),
        }
    }
}

impl Options {
    pub(crate) fn stage_time(&self) -> Duration {
        self.ramp_up + self.warm_up + self.duration
    }

    pub(crate) fn whole_time(&self) -> Duration {
        let stages = u32::try_from(self.plan.stages().len()).unwrap_or(u32::MAX);
        self.stage_time().saturating_mul(stages)
    }
}
