//! Looks for events that wait, again and again, and delivers them.

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

use crate::{Settings, line, retry::Outcome, webhook::Webhooks};

/// What time it is.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// The tenants there are: id and schema of each.
pub type Tenants = Arc<dyn Fn() -> Vec<(String, String)> + Send + Sync>;

/// How often a tenant that somebody listens to is looked at.
const TICK: Duration = Duration::from_millis(500);
/// How often a tenant is asked whether somebody listens to it now.
const LISTENERS: Duration = Duration::from_secs(30);
/// How often what is left behind is counted.
const HOUSEKEEPING: Duration = Duration::from_secs(60);
/// What nobody fetched for so long is forgotten.
const FORGET: SignedDuration = SignedDuration::from_hours(14 * 24);

/// Delivers the events of all tenants.
pub struct Pump {
    database: Database,
    settings: Settings,
    clock: Clock,
    webhooks: Webhooks,
    #[cfg(feature = "kafka")]
    kafka: Option<crate::kafka::Kafka>,
    /// This process, in leases.
    pub(crate) me: Uuid,
    stopping: AtomicBool,
    wake: Notify,
    /// When each tenant was last asked, and whether somebody listens.
    listened: Mutex<HashMap<String, (Instant, bool)>>,
    busy: Mutex<HashSet<(String, String)>>,
}

impl Pump {
    /// A pump that has not begun.
    #[must_use]
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

    /// What is set.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Looks at a tenant at once, whose subscribers have changed.
    pub fn look_again(&self, tenant: &str) {
        lock(&self.listened).remove(tenant);
        self.wake.notify_one();
    }

    /// Delivers until `stop` is done; what is on its way then is finished.
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
                if let Err(error) = self
                    .look_at(&tenant, &schema, &mut counted, &mut lines)
                    .await
                {
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
        let last = counted
            .entry(tenant.to_owned())
            .or_insert_with(Instant::now);
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

    /// Gives up on subscribers that leave too much behind.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn keep_house(&self, tenant: &str, session: &Session) -> Result<(), StoreError> {
        let now = self.now();
        let before = |age: SignedDuration| now.saturating_sub(age).unwrap_or(Timestamp::MIN);
        let bounds = Bounds {
            events: self.settings.backlog_events,
            oldest: before(SignedDuration::from_hours(
                self.settings.backlog_hours.into(),
            )),
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

/// A lock whose holder panicked protects nothing that could be half done.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
