//! Generates the load: virtual users, when each begins, and what they measure.
//!
//! - [`closed`]: a fixed number of users, each waiting for its answer.
//! - [`open`]: a fixed rate of sessions, however fast the server is.
//! - `connections`: the connections of one virtual user.
//! - `given`: the values that fill the templates of a transaction.
//! - [`session`]: one virtual user's way through one transaction.
//! - [`exchange`]: one request and the checks of its answer.
//! - [`tally`]: the results of one stage, by transaction and by request.
//! - [`log`]: a JTL, line by line.
//! - [`pulse`]: the results of the run, second by second.
//! - [`clock`]: wakes users on time.
//! - [`chooser`]: chooses the next transaction.
//!
//! **Start of latency.** In an open load and with a pace, each session has an intended start, and any delay until its
//! real start belongs to its latency. A closed load without a pace has no intended starts: its figures are corrected
//! afterwards ([`tally`]). Pauses of a workload never count as latency.

pub mod chooser;
pub mod clock;
pub mod closed;
mod connections;
pub mod exchange;
mod given;
pub mod log;
pub mod open;
pub mod pulse;
pub mod session;
pub mod tally;

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    access::Access,
    client::Answer,
    data::pool::Pool,
    workload::{Request, Workload},
};
use chooser::Chooser;
use clock::Clock;
use log::Log;
use pulse::Pulse;
use tally::Tallies;

/// A longer delay is the generator's fault, not the server's.
const LATE: Duration = Duration::from_millis(10);

/// What all stages of a run share.
pub struct Run {
    pub workload: Workload,
    pub access: Access,
    /// One per data set.
    pub pools: Vec<Pool>,
    pub clock: Clock,
    pub chooser: Chooser,
    pub pulse: Pulse,
    /// The JTL, if requested.
    pub log: Option<Log>,
    /// Whether users pause as the workload says.
    pub think_time: bool,
    /// Time limit for an answer.
    pub timeout: Duration,
    /// For each kind of request, whether the target is too old for it: then it is not sent again.
    pub absent: Vec<AtomicBool>,
}

impl Run {
    /// Whether the target is too old for a request.
    pub(crate) fn is_absent(&self, request: &Request) -> bool {
        request.since.is_some() && self.absent[request.kind].load(Ordering::Relaxed)
    }

    /// Whether an answer shows that the target is too old for its request; remembers it.
    pub(crate) fn notices_absence(&self, request: &Request, answer: Option<&Answer>) -> bool {
        let lacks = request.since.is_some() && answer.is_some_and(|answer| answer.status == 404);
        if lacks {
            self.absent[request.kind].store(true, Ordering::Relaxed);
        }
        lacks
    }
}

/// A running stage.
pub struct Stage {
    pub run: Arc<Run>,
    pub began: Instant,
    /// Start of the counted part.
    pub counts_from: Instant,
    /// No session begins after this.
    pub ends: Instant,
    pub tallies: Tallies,
    /// No more sessions may begin.
    pub stop: AtomicBool,
    /// Number of transactions that may still begin.
    pub left: AtomicU64,
    /// Active users, or sessions under way.
    pub active: AtomicU32,
    /// Sessions that should have begun.
    pub intended: AtomicU64,
    /// Sessions delayed by the generator.
    pub late: AtomicU64,
    /// Sessions that never began.
    pub missed: AtomicU64,
    /// How often there were no free rows.
    pub starved: AtomicU64,
    /// When it was stopped early, or had done its number of transactions.
    pub stopped: OnceLock<Instant>,
}

impl Stage {
    /// Whether a session may begin now.
    pub fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && Instant::now() < self.ends
    }

    /// Takes one of the remaining transactions, if there is one.
    fn take_one(&self) -> bool {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if left.is_err() {
            self.halt();
        }
        left.is_ok()
    }

    /// Lets no more sessions begin.
    pub(crate) fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stopped.get_or_init(Instant::now);
    }

    /// Waits until `until` or until the stage stops. Counts delays of the generator itself.
    async fn wait(&self, until: Instant) {
        self.run.clock.wait(until).await;
        if until.elapsed() > LATE && until >= self.counts_from {
            self.late.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn counts(&self, intended: Instant) -> bool {
        intended >= self.counts_from
    }
}
