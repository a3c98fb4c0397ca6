//! Puts the load on: virtual users, when each begins, and what they saw.
//!
//! - [`closed`]: so many users, each waiting for its answer.
//! - [`open`]: so many sessions each second, whatever the server makes of it.
//! - [`session`]: one virtual user's way through one transaction.
//! - [`exchange`]: one request and the checks on its answer.
//! - [`tally`]: what one stage saw, by transaction and by request.
//! - [`log`]: a JTL, line by line.
//! - [`pulse`]: what the run saw, second by second.
//! - [`clock`]: wakes users on time.
//! - [`chooser`]: whose turn it is.
//!
//! **Where latency is counted from.** In an open load and with a pace, each session has an intended start, and every
//! delay until it really begins belongs to its latency. In a closed load without a pace there is none: there the
//! figures are corrected afterwards ([`tally`]). Pauses of a workload are no part of any latency.

pub mod chooser;
pub mod clock;
pub mod closed;
pub mod exchange;
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

/// Later than this, and the generator was late, not the server.
const LATE: Duration = Duration::from_millis(10);

/// What stays the same from one stage to the next.
pub struct Run {
    /// What users do.
    pub workload: Workload,
    /// To whom.
    pub access: Access,
    /// The rows of each data set.
    pub pools: Vec<Pool>,
    /// Wakes users.
    pub clock: Clock,
    /// Whose turn it is.
    pub chooser: Chooser,
    /// Second by second.
    pub pulse: Pulse,
    /// Every request on a line, if somebody wants that.
    pub log: Option<Log>,
    /// Whether users pause as the workload says.
    pub think_time: bool,
    /// How long an answer may take.
    pub timeout: Duration,
    /// The kinds of requests that the target is too old for: once one is found out, it is not sent any more.
    pub absent: Vec<AtomicBool>,
}

impl Run {
    /// Whether the target is too old for a request.
    pub fn lacks(&self, request: &Request) -> bool {
        request.since.is_some() && self.absent[request.kind].load(Ordering::Relaxed)
    }

    /// Whether an answer says that the target is too old for its request, which is then known.
    pub fn learns_lack(&self, request: &Request, answer: Option<&Answer>) -> bool {
        let lacks = request.since.is_some() && answer.is_some_and(|answer| answer.status == 404);
        if lacks {
            self.absent[request.kind].store(true, Ordering::Relaxed);
        }
        lacks
    }
}

/// One stage, while it runs.
pub struct Stage {
    /// The run.
    pub run: Arc<Run>,
    /// When it began.
    pub began: Instant,
    /// From when on it counts.
    pub counts_from: Instant,
    /// When no session begins any more.
    pub ends: Instant,
    /// What it saw.
    pub tallies: Tallies,
    /// No session begins any more.
    pub stop: AtomicBool,
    /// How many transactions may still begin.
    pub left: AtomicU64,
    /// Users at work, or sessions under way.
    pub active: AtomicU32,
    /// Sessions that should have begun.
    pub intended: AtomicU64,
    /// Sessions that began late because the generator was.
    pub late: AtomicU64,
    /// Sessions that never began.
    pub missed: AtomicU64,
    /// How often there were no rows for anybody.
    pub starved: AtomicU64,
    /// When it was stopped before its end, or had done its number of transactions.
    pub stopped: OnceLock<Instant>,
}

impl Stage {
    /// Whether a session may begin now.
    pub fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && Instant::now() < self.ends
    }

    /// Whether there is a transaction left to do; it is then taken.
    fn take_one(&self) -> bool {
        let left = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
        if left.is_err() {
            self.halt();
        }
        left.is_ok()
    }

    /// No session begins any more.
    pub fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stopped.get_or_init(Instant::now);
    }

    /// Waits until `until`, or until the stage stops. Counts if the generator itself was late.
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
