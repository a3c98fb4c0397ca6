//! Runs one job from claim to settlement, with its log line and metrics.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use futures_util::FutureExt;
use jiff::{SignedDuration, Timestamp};
use store::{
    Session, StoreError,
    jobs::{self, Claimed, Settlement},
};
use tokio::sync::watch;

use crate::{
    host::Host,
    kinds::{Kinds, Outcome},
    run::{Failure, Run},
    settlement::settle,
};

/// How long a process may hold a job without a sign of life before others take it over.
pub(crate) const LEASE: SignedDuration = SignedDuration::from_mins(2);

/// Scheduled jobs that take less than this are logged at debug level only.
const WORTH_A_LINE: f64 = 1.0;

/// Shared by all runs of a process.
pub(crate) struct Shared<H: Host> {
    pub host: H,
    pub kinds: Kinds<H::Context>,
    pub process: Arc<str>,
    pub stopping: watch::Receiver<bool>,
}

impl<H: Host> Shared<H> {
    /// When a lease that begins now ends.
    pub fn lease_ends(&self) -> Timestamp {
        let now = self.host.now();
        now.saturating_add(LEASE).unwrap_or(now)
    }
}

/// Runs a claimed job and writes the result.
pub(crate) async fn work<H: Host>(shared: Arc<Shared<H>>, tenant: String, session: Session, job: Claimed) {
    let started = Instant::now();
    let attempts = shared.kinds.find(&job.kind).map_or(1, |kind| kind.attempts);
    let outcome = attempt(&shared, &tenant, &session, &job, attempts).await;
    let seconds = started.elapsed().as_secs_f64();
    let now = shared.host.now();
    let settlement = settle(&job, attempts, outcome, now);
    tell(&tenant, &job, settlement.as_ref(), seconds);
    let written = match settlement {
        Some(settlement) => write(&shared, &session, &job, &settlement, now).await,
        None => jobs::give_back(&session, &[job.id], &shared.process, now).await.map(|n| n > 0),
    };
    match written {
        Ok(true) => {}
        Ok(false) => tracing::warn!(tenant, kind = job.kind, id = job.id, "another process has taken over the job"),
        Err(error) => tracing::warn!(
            tenant, kind = job.kind, id = job.id, %error,
            "cannot record the outcome of the job; it will run again"
        ),
    }
}

async fn attempt<H: Host>(
    shared: &Arc<Shared<H>>,
    tenant: &str,
    session: &Session,
    job: &Claimed,
    attempts: i32,
) -> Outcome {
    if job.attempts > attempts {
        let text = format!("given up: {attempts} times its process ended in the midst of it");
        return Err(Failure::Never(text));
    }
    let (Some(kind), Some(context)) = (shared.kinds.find(&job.kind), shared.host.context(tenant)) else {
        return Err(Failure::Stopped);
    };
    let leasing = Arc::clone(shared);
    let run = Run {
        context,
        session: session.clone(),
        id: job.id,
        payload: job.payload.clone(),
        attempt: job.attempts,
        now: shared.host.now(),
        process: Arc::clone(&shared.process),
        lease_ends: Arc::new(move || leasing.lease_ends()),
        stopping: shared.stopping.clone(),
    };
    let running = AssertUnwindSafe((kind.handler)(run)).catch_unwind();
    let broken = |_| Err(Failure::Later("a defect: the job's code panicked".into()));
    running.await.unwrap_or_else(broken)
}

/// A job entered with the same key at the same moment may get in the way once.
async fn write<H: Host>(
    shared: &Shared<H>,
    session: &Session,
    job: &Claimed,
    settlement: &Settlement,
    now: Timestamp,
) -> Result<bool, StoreError> {
    match jobs::settle(session, job, &shared.process, settlement, now).await {
        Err(StoreError::Duplicate { .. }) => jobs::settle(session, job, &shared.process, settlement, now).await,
        written => written,
    }
}

fn tell(tenant: &str, job: &Claimed, settlement: Option<&Settlement>, seconds: f64) {
    let (kind, id, attempt) = (job.kind.as_str(), job.id, job.attempts);
    let error = settlement.and_then(|settlement| settlement.error.as_deref());
    let outcome = match (settlement, error) {
        (None, _) => "given back",
        (Some(_), None) => "done",
        (Some(settlement), Some(_)) if settlement.state == "failed" => "failed",
        (Some(_), Some(_)) => "tried again later",
    };
    metrics::counter!("carrel_jobs_total", "kind" => kind.to_owned(), "outcome" => outcome).increment(1);
    metrics::histogram!("carrel_job_seconds", "kind" => kind.to_owned()).record(seconds);
    match error {
        Some(error) => tracing::warn!(tenant, kind, id, attempt, seconds, outcome, error, "job"),
        None if job.schedule.is_some() && seconds < WORTH_A_LINE => {
            tracing::debug!(tenant, kind, id, attempt, seconds, outcome, "job");
        }
        None => tracing::info!(tenant, kind, id, attempt, seconds, outcome, "job"),
    }
}
