//! What is shown while a run lasts.

mod terminal;

use std::time::Duration;

use crate::{load::pulse::LastSecond, results::model::Stage};

pub use terminal::Terminal;

/// Watches a run.
pub trait Progress: Send + Sync {
    /// What happens before the load begins (`drawing data`), or that something is not as it should be.
    fn note(&self, text: &str);
    /// How far the drawing of data is. It may take a while, so it is said where nothing else is.
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

/// A second of a run.
#[derive(Debug, Clone)]
pub struct Now {
    /// Which stage it is, from 1.
    pub stage: usize,
    /// How many there are.
    pub stages: usize,
    /// Whether it counts, or is still warming up.
    pub counts: bool,
    /// Users at work, or sessions under way.
    pub active: u32,
    /// What ended in it.
    pub last: LastSecond,
    /// Time left in the whole run, if it ends by time.
    pub left: Option<Duration>,
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn note(&self, _: &str) {}
    fn second(&self, _: &Now) {}
    fn stage(&self, _: &Stage) {}
}

/// What a stage was asked: `8 users`, `20 a second`.
pub fn asked(stage: &Stage) -> String {
    stage.asked()
}
