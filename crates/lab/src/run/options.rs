//! What a run is to do.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use crate::access::Credentials;

/// A partial result is written this often.
pub const CHECKPOINT: Duration = Duration::from_secs(60);

/// An hour.
pub const HOUR: Duration = Duration::from_secs(3600);

/// What a run is to do, beside its workload.
#[derive(Clone)]
pub struct Options {
    /// Address of the target.
    pub url: String,
    /// Who logs in.
    pub credentials: Credentials,
    /// The load, stage by stage.
    pub plan: Plan,
    /// Whether users pause as the workload says.
    pub think_time: bool,
    /// The time over which the users of a stage start.
    pub ramp_up: Duration,
    /// What does not count at the start of each stage, beside the ramp-up.
    pub warm_up: Duration,
    /// What counts of each stage.
    pub duration: Duration,
    /// A stage ends after so many transactions, too.
    pub transactions: Option<u64>,
    /// The time from one intended start of a user's session to the next (closed load).
    pub pace: Option<Duration>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Rows from files, by data set.
    pub files: BTreeMap<String, PathBuf>,
    /// Where the results go; `lab-results/<id>` if nowhere else.
    pub folder: Option<PathBuf>,
    /// A file for every request on a line of its own (JTL).
    pub jtl: Option<PathBuf>,
    /// What to call the run.
    pub label: Option<String>,
    /// What the target was built from, which no target says of itself.
    pub commit: Option<String>,
    /// The command line, secrets left out.
    pub command: Vec<String>,
    /// Threads of the generator.
    pub threads: usize,
    /// What the hours of a long run are: [`HOUR`], shorter ones in tests.
    pub hour: Duration,
    /// How often a partial result is written: [`CHECKPOINT`], more often in tests.
    pub checkpoint: Duration,
}

/// The load, stage by stage.
#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// So many users (closed).
    Users(Vec<u32>),
    /// So many sessions a second (open).
    Rates(Vec<f64>),
}

/// The load of one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Asked {
    /// So many users.
    Users(u32),
    /// So many sessions a second.
    Rate(f64),
}

impl Plan {
    /// The stages, in order.
    pub fn stages(&self) -> Vec<Asked> {
        match self {
            Self::Users(users) => users.iter().copied().map(Asked::Users).collect(),
            Self::Rates(rates) => rates.iter().copied().map(Asked::Rate).collect(),
        }
    }
}

impl Options {
    /// How long a stage lasts.
    pub fn stage_time(&self) -> Duration {
        self.ramp_up + self.warm_up + self.duration
    }

    /// How long everything lasts.
    pub fn whole_time(&self) -> Duration {
        let stages = u32::try_from(self.plan.stages().len()).unwrap_or(u32::MAX);
        self.stage_time().saturating_mul(stages)
    }
}
