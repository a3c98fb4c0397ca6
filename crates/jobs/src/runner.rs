//! The runner: finds tenants that have something to do, claims their jobs, a few at a time, and gives back at the end what it
//! could not finish.
//!
//! **What it costs**: one statement a second that probes one index of each tenant, and one that reads the changed
//! schedules; when the probing takes more than 20 ms, because there are hundreds of tenants, it is done less often, so that it
//! never keeps one connection busy for more than two parts in a hundred. A tenant without work costs no connection.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    future::Future,
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Database, Session, StoreError, jobs};
use tokio::{
    sync::watch,
    task::{Id, JoinSet},
    time::{Instant, sleep_until, timeout},
};
use uuid::Uuid;

use crate::{
    bell::Bell,
    forget,
    kinds::Kinds,
    schedule::Schedule,
    work::{LEASE, Shared, work},
};

/// Jobs of one process that run at the same time.
const AT_ONCE: usize = 4;
/// Those of them that may be one tenant's.
const OF_ONE_TENANT: usize = 2;
/// How often the tenants are looked at.
const TICK: Duration = Duration::from_secs(1);
/// The looking rests so many times as long as it took.
const REST: u32 = 50;
/// How long running jobs may go on when the process is told to stop, unless somebody says otherwise.
const GRACE: Duration = Duration::from_secs(10);

/// What the runner needs of the program it runs in.
pub trait Host: Send + Sync + 'static {
    /// What handlers get.
    type Context: Send + Sync + 'static;

    /// What time it is.
    fn now(&self) -> Timestamp;

    /// Where the queues are.
    fn database(&self) -> &Database;

    /// A tenant's tables; `None` for a tenant that this process does not know yet or any more.
    fn session(&self, tenant: &str) -> Option<Session>;

    /// What a handler gets; `None` as above.
    fn context(&self, tenant: &str) -> Option<Self::Context>;

    /// What each tenant wants to be run again and again. At most one round trip.
    fn schedules(
        &self,
    ) -> impl Future<Output = Result<BTreeMap<String, Vec<Scheduled>>, StoreError>> + Send;
}

/// A kind of job that a tenant wants to be run again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduled {
    /// The kind.
    pub kind: String,
    /// When.
    pub schedule: Schedule,
}

/// Runs jobs.
pub struct Runner<H: Host> {
    shared: Arc<Shared<H>>,
    names: Vec<String>,
    bell: Bell,
    stop: watch::Sender<bool>,
    scheduled: BTreeMap<String, Vec<Scheduled>>,
    /// Tenants that may have something to do, each once, the one that has waited longest in front.
    backlog: VecDeque<String>,
    tasks: JoinSet<()>,
    held: HashMap<Id, (String, i64)>,
    prolonged: Timestamp,
    grace: Duration,
}

impl<H: Host> Runner<H> {
    /// A runner of these kinds of jobs, which hears that bell.
    #[must_use]
    pub fn new(host: H, mut kinds: Kinds<H::Context>, bell: Bell) -> Self {
        kinds.add(forget::KIND, forget::old_jobs);
        let (stop, stopping) = watch::channel(false);
        let process = format!("{}-{}", std::process::id(), Uuid::new_v4().simple());
        let names = kinds.names();
        let prolonged = host.now();
        let shared = Shared {
            host,
            kinds,
            process: process.into(),
            stopping,
        };
        Self {
            shared: Arc::new(shared),
            names,
            bell,
            stop,
            scheduled: BTreeMap::new(),
            backlog: VecDeque::new(),
            tasks: JoinSet::new(),
            held: HashMap::new(),
            prolonged,
            grace: GRACE,
        }
    }

    /// Running jobs may go on for so long when the process is told to stop.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Runs jobs until `stop` is done; then those that run have some seconds to finish, and the others are given back.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut next_look = Instant::now();
        loop {
            let bell = self.bell.clone();
            tokio::select! {
                () = &mut stop => break,
                () = sleep_until(next_look) => {
                    let probing = self.look().await.unwrap_or_else(|error| {
                        tracing::warn!(%error, "the jobs could not be looked at");
                        Duration::ZERO
                    });
                    next_look = Instant::now() + TICK.max(probing * REST);
                }
                () = bell.heard() => {
                    bell.rung().into_iter().for_each(|tenant| self.wait_for_room(tenant));
                    if bell.rung_for_schedules() {
                        next_look = Instant::now();
                    }
                }
                Some(ended) = self.tasks.join_next_with_id() => self.ended(ended.map(|(id, ())| id)),
            }
            self.begin().await;
        }
        self.finish().await;
    }

    /// Runs everything that is due at this moment, one after the other's end, until nothing is; how many jobs. For tests and
    /// for commands that do not serve.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn run_due(&mut self) -> Result<usize, StoreError> {
        let mut ran = 0;
        loop {
            self.look().await?;
            self.begin().await;
            if self.tasks.is_empty() {
                return Ok(ran);
            }
            while let Some(ended) = self.tasks.join_next_with_id().await {
                ran += 1;
                self.ended(ended.map(|(id, ())| id));
            }
        }
    }

    /// Finds the tenants that have something to do, and says how long the probing took. Two round trips, and one for each
    /// tenant whose schedules have changed.
    async fn look(&mut self) -> Result<Duration, StoreError> {
        let host = &self.shared.host;
        let now = host.now();
        if now.duration_since(self.prolonged) >= LEASE / 4 {
            self.prolonged = now;
            self.prolong().await;
        }
        self.keep_schedules().await?;
        let host = &self.shared.host;
        let began = Instant::now();
        let due = jobs::tenants_with_due_jobs(host.database(), now).await?;
        let probing = began.elapsed();
        due.into_iter()
            .for_each(|tenant| self.wait_for_room(tenant));
        Ok(probing)
    }

    async fn keep_schedules(&mut self) -> Result<(), StoreError> {
        let host = &self.shared.host;
        let now = host.now();
        let mut wanted = host.schedules().await?;
        for schedules in wanted.values_mut() {
            schedules.push(forget::scheduled());
        }
        for (tenant, schedules) in &wanted {
            if self.scheduled.get(tenant) == Some(schedules) {
                continue;
            }
            let Some(session) = host.session(tenant) else {
                continue;
            };
            let rows: Value = schedules.iter().map(|one| row(one, now)).collect();
            match jobs::schedule(&session, &rows, &self.names).await {
                Ok(()) => {
                    self.scheduled.insert(tenant.clone(), schedules.clone());
                }
                Err(error) => tracing::warn!(tenant, %error, "its schedules could not be kept"),
            }
        }
        self.scheduled
            .retain(|tenant, _| wanted.contains_key(tenant));
        Ok(())
    }

    fn wait_for_room(&mut self, tenant: String) {
        if !self.backlog.contains(&tenant) {
            self.backlog.push_back(tenant);
        }
    }

    /// Claims and begins as many jobs as there is room for, one tenant after the other.
    async fn begin(&mut self) {
        for _ in 0..self.backlog.len() {
            let Some(tenant) = self.backlog.pop_front() else {
                return;
            };
            let room = self.room_for(&tenant);
            let begun = if room == 0 {
                Ok(0)
            } else {
                self.begin_of(&tenant, room).await
            };
            match begun {
                Ok(begun) if begun == room => self.backlog.push_back(tenant),
                Ok(_) => {}
                Err(error) => tracing::warn!(tenant, %error, "its jobs could not be claimed"),
            }
        }
    }

    fn room_for(&self, tenant: &str) -> usize {
        let its_own = self.held.values().filter(|(of, _)| of == tenant).count();
        let left = AT_ONCE.saturating_sub(self.held.len());
        left.min(OF_ONE_TENANT.saturating_sub(its_own))
    }

    async fn begin_of(&mut self, tenant: &str, room: usize) -> Result<usize, StoreError> {
        let shared = &self.shared;
        let Some(session) = shared.host.session(tenant) else {
            return Ok(0);
        };
        let claimant = jobs::Claimant {
            process: &shared.process,
            kinds: &self.names,
            now: shared.host.now(),
            lease_ends: shared.lease_ends(),
        };
        let claimed = jobs::claim(&session, claimant, room as i64).await?;
        let begun = claimed.len();
        for job in claimed {
            let id = job.id;
            let running = work(Arc::clone(shared), tenant.to_owned(), session.clone(), job);
            let task = self.tasks.spawn(running);
            self.held.insert(task.id(), (tenant.to_owned(), id));
        }
        metrics::gauge!("carrel_jobs_running").set(self.held.len() as f64);
        Ok(begun)
    }

    /// A job has ended; its tenant may have another one.
    fn ended(&mut self, task: Result<Id, tokio::task::JoinError>) {
        let task = task.unwrap_or_else(|error| error.id());
        if let Some((tenant, _)) = self.held.remove(&task) {
            self.wait_for_room(tenant);
        }
        metrics::gauge!("carrel_jobs_running").set(self.held.len() as f64);
    }

    /// One round trip for each tenant of which a job runs.
    async fn prolong(&self) {
        let tenants: BTreeSet<_> = self.held.values().map(|(tenant, _)| tenant).collect();
        for tenant in tenants {
            let Some(session) = self.shared.host.session(tenant) else {
                continue;
            };
            let (process, until) = (&self.shared.process, self.shared.lease_ends());
            if let Err(error) = jobs::prolong(&session, process, until).await {
                tracing::warn!(tenant, %error, "the leases of its jobs could not be prolonged");
            }
        }
    }

    async fn finish(mut self) {
        let _ = self.stop.send(true);
        let ending = async {
            while let Some(ended) = self.tasks.join_next_with_id().await {
                let task = ended.map_or_else(|error| error.id(), |(id, ())| id);
                self.held.remove(&task);
            }
        };
        if timeout(self.grace, ending).await.is_err() {
            self.tasks.shutdown().await;
        }
        let mut left: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (tenant, job) in std::mem::take(&mut self.held).into_values() {
            left.entry(tenant).or_default().push(job);
        }
        for (tenant, ids) in left {
            let shared = &self.shared;
            let Some(session) = shared.host.session(&tenant) else {
                continue;
            };
            match jobs::give_back(&session, &ids, &shared.process, shared.host.now()).await {
                Ok(given) => tracing::info!(tenant, given, "jobs were given back"),
                Err(error) => tracing::warn!(tenant, %error, "jobs could not be given back"),
            }
        }
    }
}

fn row(one: &Scheduled, now: Timestamp) -> Value {
    let first = one.schedule.next_after(now).unwrap_or(Timestamp::MAX);
    json!({"kind": one.kind, "schedule": one.schedule.stored(), "first": first.to_string()})
}
