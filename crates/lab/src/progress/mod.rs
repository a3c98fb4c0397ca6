//! Progress display during a run.

mod terminal;

use std::time::Duration;

use crate::results::model::Stage;

pub use terminal::Terminal;

/// Receives the progress of a run.
pub trait Progress: Send + Sync {
    /// A step before the load begins (`drawing data`), or a problem.
    fn note(&self, text: &str);
    /// Progress of drawing data, which may take a while; shown even without a terminal.
    fn drawing(&self, text: &str) {
        self.note(text);
    }
    /// A second has passed.
    fn second(&self, now: &Now);
    /// A stage has ended.
    fn stage(&self, ended: &Stage);
    /// The run has ended.
    fn end(&self) {}
}

/// State of the run after a second.
#[derive(Debug, Clone)]
pub struct Now {
    /// Number of the stage, from 1.
    pub stage: usize,
    /// Number of stages.
    pub stages: usize,
    /// Whether the warm-up is over.
    pub counts: bool,
    /// Active users, or sessions under way.
    pub active: u32,
    /// What ended in the last second.
    pub last: LastSecond,
    /// Time left in the whole run, if it is limited by time.
    pub left: Option<Duration>,
}

/// The last full second, all transactions together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LastSecond {
    /// Transactions that ended.
    pub count: u32,
    /// 95th percentile of their latencies, in milliseconds.
    pub p95_ms: Option<f64>,
    /// Errors since the run began.
    pub errors: u64,
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn note(&self, _: &str) {}
    fn second(&self, _: &Now) {}
    fn stage(&self, _: &Stage) {}
}
