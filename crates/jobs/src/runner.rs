//! The runner: finds tenants with due jobs, claims a few jobs at a time, and returns unfinished ones to the queue when
//! it stops.
//!
//! **What it costs**: one statement a second that probes one index of each tenant, and one that reads changed
//! schedules. If the probing takes more than 20 ms, because there are hundreds of tenants, it happens less often, so
//! that it never uses more than 2 % of one connection. A tenant without work costs no connection.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    future::Future,
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{StoreError, jobs};
use tokio::{
    sync::watch,
    task::{Id, JoinSet},
    time::{Instant, sleep_until, timeout},
};
use uuid::Uuid;

use crate::{
    bell::Bell,
    forget,
    host::Host,
    kinds::Kinds,
    schedule::Scheduled,
    work::{LEASE, Shared, work},
};

/// Jobs that one process runs at the same time.
const AT_ONCE: usize = 4;
/// How many of them may belong to one tenant.
const OF_ONE_TENANT: usize = 2;
/// How often to look for due jobs.
const TICK: Duration = Duration::from_secs(1);
/// The search rests this many times as long as it took.
const REST: u32 = 50;
/// How long running jobs may continue by default when the process stops.
const GRACE: Duration = Duration::from_secs(10);

/// Runs jobs.
pub struct Runner<H: Host> {
    shared: Arc<Shared<H>>,
    names: Vec<String>,
    bell: Bell,
    stop: watch::Sender<bool>,
    scheduled: BTreeMap<String, Vec<Scheduled>>,
    /// Tenants that may have due jobs, each once, the one that has waited longest first.
    backlog: VecDeque<String>,
    tasks: JoinSet<()>,
    held: HashMap<Id, (String, i64)>,
    extended: Timestamp,
    grace: Duration,
}

impl<H: Host> Runner<H> {
    /// A runner for these kinds of jobs, woken by that bell.
    pub fn new(host: H, mut kinds: Kinds<H::Context>, bell: Bell) -> Self {
        kinds.add(forget::KIND, forget::old_jobs);
        let (stop, stopping) = watch::channel(false);
        let process = format!("{}-{}", std::process::id(), Uuid::new_v4().simple());
        let names = kinds.names();
        let extended = host.now();
        let shared = Shared { host, kinds, process: process.into(), stopping };
        Self {
            shared: Arc::new(shared),
            names,
            bell,
            stop,
            scheduled: BTreeMap::new(),
            backlog: VecDeque::new(),
            tasks: JoinSet::new(),
            held: HashMap::new(),
            extended,
            grace: GRACE,
        }
    }

    /// Sets how long running jobs may continue when the process stops.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Runs jobs until `stop` completes; then running jobs have some seconds to finish, and the others return to the
    /// queue.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut next_look = Instant::now();
        loop {
            let bell = self.bell.clone();
            tokio::select! {
                () = &mut stop => break,
                () = sleep_until(next_look) => {
                    let probing = self.find_due_tenants().await.unwrap_or_else(|error| {
                        tracing::warn!(%error, "cannot look for due jobs");
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

    /// Runs everything that is due now, one job after the other, until nothing is left. Returns the number of jobs. For
    /// tests and for commands that do not serve.
    pub async fn run_due(&mut self) -> Result<usize, StoreError> {
        let mut ran = 0;
        loop {
            self.find_due_tenants().await?;
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

    /// Finds the tenants with due jobs, and returns how long that took. Two round trips, and one for each tenant whose
    /// schedules have changed.
    async fn find_due_tenants(&mut self) -> Result<Duration, StoreError> {
        let host = &self.shared.host;
        let now = host.now();
        if now.duration_since(self.extended) >= LEASE / 4 {
            self.extended = now;
            self.extend_leases().await;
        }
        self.save_schedules().await?;
        let host = &self.shared.host;
        let began = Instant::now();
        let due = jobs::tenants_with_due_jobs(host.database(), now).await?;
        let probing = began.elapsed();
        due.into_iter().for_each(|tenant| self.wait_for_room(tenant));
        Ok(probing)
    }

    async fn save_schedules(&mut self) -> Result<(), StoreError> {
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
                Err(error) => tracing::warn!(tenant, %error, "cannot save schedules"),
            }
        }
        self.scheduled.retain(|tenant, _| wanted.contains_key(tenant));
        Ok(())
    }

    fn wait_for_room(&mut self, tenant: String) {
        if !self.backlog.contains(&tenant) {
            self.backlog.push_back(tenant);
        }
    }

    /// Claims and starts as many jobs as there is room for, one tenant after the other.
    async fn begin(&mut self) {
        for _ in 0..self.backlog.len() {
            let Some(tenant) = self.backlog.pop_front() else {
                return;
            };
            let room = self.room_for(&tenant);
            let begun = if room == 0 { Ok(0) } else { self.begin_of(&tenant, room).await };
            match begun {
                Ok(begun) if begun == room => self.backlog.push_back(tenant),
                Ok(_) => {}
                Err(error) => tracing::warn!(tenant, %error, "cannot claim jobs"),
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

    /// Notes that a job has ended; its tenant may have another one.
    fn ended(&mut self, task: Result<Id, tokio::task::JoinError>) {
        let task = task.unwrap_or_else(|error| error.id());
        if let Some((tenant, _)) = self.held.remove(&task) {
            self.wait_for_room(tenant);
        }
        metrics::gauge!("carrel_jobs_running").set(self.held.len() as f64);
    }

    /// Renews the leases. One round trip for each tenant with running jobs.
    async fn extend_leases(&self) {
        let tenants: BTreeSet<_> = self.held.values().map(|(tenant, _)| tenant).collect();
        for tenant in tenants {
            let Some(session) = self.shared.host.session(tenant) else {
                continue;
            };
            let (process, until) = (&self.shared.process, self.shared.lease_ends());
            if let Err(error) = jobs::extend_leases(&session, process, until).await {
                tracing::warn!(tenant, %error, "cannot extend the leases of its jobs");
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
                Ok(given) => tracing::info!(tenant, given, "returned jobs to the queue"),
                Err(error) => tracing::warn!(tenant, %error, "cannot return jobs to the queue"),
            }
        }
    }
}

fn row(one: &Scheduled, now: Timestamp) -> Value {
    let first = one.schedule.next_after(now).unwrap_or(Timestamp::MAX);
    json!({"kind": one.kind, "schedule": one.schedule.stored(), "first": first.to_string()})
}
