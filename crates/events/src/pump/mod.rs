//! Looks for waiting events periodically and delivers them.

mod line;

use std::{
    collections::{HashMap, HashSet},
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use store::{
    Database, Session, StoreError,
    events::{self, Bounds, Outgoing},
};
use tokio::{sync::Notify, task::JoinSet};
use uuid::Uuid;

use crate::{Settings, retry::Outcome, webhook::Webhooks};

/// The current time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// Id and schema of each tenant.
pub type Tenants = Arc<dyn Fn() -> Vec<(String, String)> + Send + Sync>;

/// How often to look at a tenant with subscribers.
const TICK: Duration = Duration::from_millis(500);
/// How often to check whether a tenant has subscribers.
const LISTENERS: Duration = Duration::from_secs(30);
/// How often to count undelivered events.
const HOUSEKEEPING: Duration = Duration::from_secs(60);
/// Undelivered events are deleted after this time.
const FORGET: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Delivers the events of all tenants.
pub struct Pump {
    database: Database,
    settings: Settings,
    clock: Clock,
    webhooks: Webhooks,
    #[cfg(feature = "kafka")]
    kafka: Option<crate::kafka::Kafka>,
    /// Identifies this process in leases.
    me: Uuid,
    stopping: AtomicBool,
    wake: Notify,
    /// For each tenant, when it was last checked and whether it has subscribers.
    listened: Mutex<HashMap<String, (Instant, bool)>>,
    busy: Mutex<HashSet<(String, String)>>,
}

impl Pump {
    /// A pump that is not yet running.
    pub fn new(database: Database, settings: Settings, clock: Clock) -> Self {
        Self {
            webhooks: Webhooks::new(&settings),
            #[cfg(feature = "kafka")]
            kafka: crate::kafka::Kafka::new(&settings),
            database,
            settings,
            clock,
            me: Uuid::new_v4(),
            stopping: AtomicBool::new(false),
            wake: Notify::new(),
            listened: Mutex::default(),
            busy: Mutex::default(),
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Looks at a tenant whose subscribers have changed at once.
    pub fn look_again(&self, tenant: &str) {
        lock(&self.listened).remove(tenant);
        self.wake.notify_one();
    }

    /// Delivers until `stop` completes, then finishes the deliveries under way.
    pub async fn run(self: Arc<Self>, tenants: Tenants, stop: impl Future<Output = ()> + Send) {
        let mut lines = JoinSet::new();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut counted = HashMap::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                _ = tick.tick() => {}
                () = self.wake.notified() => {}
            }
            while lines.try_join_next().is_some() {}
            for (tenant, schema) in tenants() {
                if let Err(error) = self.look_at(&tenant, &schema, &mut counted, &mut lines).await {
                    tracing::warn!(%error, tenant, "events could not be looked for");
                }
            }
        }
        self.stopping.store(true, Ordering::Relaxed);
        while lines.join_next().await.is_some() {}
    }

    async fn look_at(
        self: &Arc<Self>,
        tenant: &str,
        schema: &str,
        counted: &mut HashMap<String, Instant>,
        lines: &mut JoinSet<()>,
    ) -> Result<(), StoreError> {
        let session = self.database.session(schema)?;
        if !self.somebody_listens(tenant, &session).await? {
            return Ok(());
        }
        let last = counted.entry(tenant.to_owned()).or_insert_with(Instant::now);
        if last.elapsed() >= HOUSEKEEPING {
            *last = Instant::now();
            self.keep_house(tenant, &session).await?;
        }
        for subscriber in events::due_subscribers(&session, self.now()).await? {
            let whose = (tenant.to_owned(), subscriber);
            if lock(&self.busy).insert(whose.clone()) {
                lines.spawn(Arc::clone(self).line(whose, session.clone()));
            }
        }
        Ok(())
    }

    async fn line(self: Arc<Self>, (tenant, subscriber): (String, String), session: Session) {
        if let Err(error) = line::work_off(&self, &session, &tenant, &subscriber).await {
            tracing::warn!(%error, tenant, subscriber, "events could not be delivered");
        }
        lock(&self.busy).remove(&(tenant, subscriber));
    }

    async fn somebody_listens(&self, tenant: &str, session: &Session) -> Result<bool, StoreError> {
        let known = lock(&self.listened).get(tenant).copied();
        if let Some((asked, listens)) = known
            && asked.elapsed() < LISTENERS
        {
            return Ok(listens);
        }
        if known.is_none() {
            events::listen_with_kafka(session, self.kafka_topics().as_deref()).await?;
        }
        let listens = events::has_subscribers(session).await?;
        lock(&self.listened).insert(tenant.to_owned(), (Instant::now(), listens));
        Ok(listens)
    }

    fn kafka_topics(&self) -> Option<Vec<&'static str>> {
        let built_in = cfg!(feature = "kafka") && self.settings.kafka_brokers.is_some();
        built_in.then(|| [crate::RECORDS, crate::BUSINESS].concat())
    }

    /// Marks subscribers as broken that have too many or too old events.
    pub async fn keep_house(&self, tenant: &str, session: &Session) -> Result<(), StoreError> {
        let now = self.now();
        let before = |age: SignedDuration| now.saturating_sub(age).unwrap_or(Timestamp::MIN);
        let bounds = Bounds {
            events: self.settings.backlog_events,
            oldest: before(SignedDuration::from_hours(self.settings.backlog_hours.into())),
            forget: before(FORGET),
        };
        for (subscriber, waiting) in events::break_subscribers(session, now, &bounds).await? {
            tracing::error!(
                tenant,
                subscriber,
                waiting,
                "a subscriber of events does not take them; it gets no more until it is resumed"
            );
        }
        Ok(())
    }

    pub(crate) async fn send(&self, tenant: &str, event: &Outgoing) -> Outcome {
        #[cfg(feature = "kafka")]
        if let Some(kafka) = &self.kafka
            && event.address == crate::kafka::ADDRESS
        {
            return kafka.send(tenant, event).await;
        }
        self.webhooks.send(tenant, event).await
    }
}

/// A panic while holding this lock leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
