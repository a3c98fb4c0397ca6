//! The jobs that modules want run again and again. Each is a POST any client may also send; a timer is its
//! default schedule and what a client made of it (folio-bootstrap §3, folio-platform §1.4).

use std::{collections::HashMap, sync::Arc, time::Duration};

use http::{HeaderMap, Method};
use identity::modules::product_of;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::{StoreError, platform as kept, tenants::Tenant};
use tokio::task::JoinHandle;

use crate::{
    app::{App, TenantState},
    call::{Call, Query},
};

/// Product, path and minutes between two runs.
const DEFAULTS: &[(&str, &str, u32)] = &[
    ("mod-users", "/users/expire/timer", 1),
    ("mod-users", "/users/outbox/process", 30),
    ("mod-users", "/users/profile-picture/cleanup", 24 * 60),
    (
        "mod-patron-blocks",
        "/automated-patron-blocks/synchronization/start",
        1,
    ),
    (
        "mod-circulation",
        "/circulation/notice-session-expiration-by-timeout",
        3,
    ),
    (
        "mod-circulation",
        "/circulation/actual-cost-expiration-by-timeout",
        20,
    ),
    (
        "mod-circulation",
        "/circulation/loan-scheduled-notices-processing",
        5,
    ),
    (
        "mod-circulation",
        "/circulation/due-date-not-real-time-scheduled-notices-processing",
        2,
    ),
    (
        "mod-circulation",
        "/circulation/request-scheduled-notices-processing",
        2,
    ),
    (
        "mod-circulation",
        "/circulation/fee-fine-scheduled-notices-processing",
        2,
    ),
    (
        "mod-circulation",
        "/circulation/overdue-fine-scheduled-notices-processing",
        2,
    ),
    (
        "mod-circulation",
        "/circulation/fee-fine-not-real-time-scheduled-notices-processing",
        2,
    ),
    (
        "mod-circulation",
        "/circulation/scheduled-anonymize-processing",
        60,
    ),
    (
        "mod-circulation",
        "/circulation/scheduled-request-anonymize-processing",
        60,
    ),
    ("mod-circulation", "/circulation/scheduled-age-to-lost", 30),
    (
        "mod-circulation",
        "/circulation/scheduled-age-to-lost-fee-charging",
        35,
    ),
    (
        "mod-circulation-storage",
        "/scheduled-request-expiration",
        2,
    ),
    (
        "mod-circulation-storage",
        "/tlr-feature-toggle-job/start",
        5,
    ),
];

/// A timer of a tenant.
#[derive(Debug, Clone, PartialEq)]
pub struct Timer {
    /// `mod-circulation_0`.
    pub id: String,
    /// The job.
    pub path: &'static str,
    /// Time between two runs; `None` while it is stopped.
    pub every: Option<SignedDuration>,
    default_minutes: u32,
    changed: Option<Value>,
}

impl Timer {
    /// The timer as Okapi shows it.
    #[must_use]
    pub fn shown(&self) -> Value {
        let (unit, delay) = ("minute", self.default_minutes.to_string());
        let mut routing =
            json!({"methods": ["POST"], "pathPattern": self.path, "unit": unit, "delay": delay});
        for (name, value) in self
            .changed
            .iter()
            .flat_map(|changed| changed.as_object())
            .flatten()
        {
            routing[name] = value.clone();
        }
        json!({"id": self.id, "routingEntry": routing, "modified": self.changed.is_some()})
    }
}

/// The timers of the tenant's modules; `changed` are those clients gave another schedule.
#[must_use]
pub fn of_tenant(tenant: &Tenant, changed: &[(String, Value)]) -> Vec<Timer> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut timers = Vec::new();
    for (product, path, minutes) in DEFAULTS {
        let number = numbers.entry(product).or_default();
        let id = format!("{product}_{number}");
        *number += 1;
        if !tenant
            .modules
            .iter()
            .any(|module| product_of(module) == *product)
        {
            continue;
        }
        let changed = changed
            .iter()
            .find(|(timer, _)| *timer == id)
            .map(|(_, routing)| routing.clone());
        let every = match &changed {
            Some(routing) => interval(routing).unwrap_or_default(),
            None => SignedDuration::from_mins((*minutes).into()),
        };
        timers.push(Timer {
            id,
            path,
            every: Some(every).filter(|every| !every.is_zero()),
            default_minutes: *minutes,
            changed,
        });
    }
    timers
}

/// The schedule a client asks for: its `unit` and `delay`, or `None` for the default.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read_schedule(timer: &Timer, routing: Option<&Value>) -> Result<Option<Value>, String> {
    let text = |name: &str| {
        let value = routing
            .and_then(|routing| routing.get(name))
            .filter(|value| !value.is_null())?;
        Some(
            value
                .as_str()
                .map_or_else(|| value.to_string(), ToOwned::to_owned),
        )
    };
    let (Some(delay), unit) = (text("delay"), text("unit")) else {
        return Ok(None);
    };
    let shown = timer.shown();
    let unit = unit.or_else(|| {
        shown["routingEntry"]["unit"]
            .as_str()
            .map(ToOwned::to_owned)
    });
    let schedule = json!({"unit": unit, "delay": delay});
    interval(&schedule).map(|_| Some(schedule)).ok_or_else(|| {
        format!(
            "Bad schedule: delay {delay}, unit {}",
            unit.unwrap_or_default()
        )
    })
}

fn interval(schedule: &Value) -> Option<SignedDuration> {
    let delay: u32 = schedule["delay"].as_str()?.parse().ok()?;
    let millis: i64 = match schedule["unit"].as_str()? {
        "millisecond" => 1,
        "second" => 1_000,
        "minute" => 60_000,
        "hour" => 3_600_000,
        "day" => 86_400_000,
        _ => return None,
    };
    Some(SignedDuration::from_millis(i64::from(delay) * millis))
}

/// How often the timers are looked at.
const TICK: Duration = Duration::from_secs(1);

/// Looks at the timers again and again, for as long as it is polled.
pub async fn run(app: Arc<App>) {
    let mut timers = Timers::default();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = timers.run_due(&app).await {
            tracing::warn!(%error, "the timers could not be read");
        }
    }
}

/// When each timer of each tenant ran last, as far as this process knows.
#[derive(Default)]
pub struct Timers {
    last: HashMap<(String, String), Timestamp>,
}

impl Timers {
    /// Starts the jobs that are due. A timer seen for the first time waits for its whole interval.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn run_due(&mut self, app: &Arc<App>) -> Result<Vec<JoinHandle<()>>, StoreError> {
        let changed = kept::all_changed_timers(&app.database).await?;
        let now = (app.clock)();
        let mut started = Vec::new();
        self.last
            .retain(|(tenant, _), _| app.tenant(tenant).is_some());
        for tenant in app.all_tenants() {
            let id = &tenant.tenant.id;
            let changed = changed.get(id).map_or(&[][..], Vec::as_slice);
            for timer in of_tenant(&tenant.tenant, changed) {
                let Some(every) = timer
                    .every
                    .filter(|every| self.is_due(id, &timer, *every, now))
                else {
                    continue;
                };
                if kept::claim_timer(&app.database, id, &timer.id, now, every).await? {
                    let job = run_job(Arc::clone(app), Arc::clone(&tenant), timer, now);
                    started.push(tokio::spawn(job));
                }
            }
        }
        Ok(started)
    }

    fn is_due(
        &mut self,
        tenant: &str,
        timer: &Timer,
        every: SignedDuration,
        now: Timestamp,
    ) -> bool {
        let key = (tenant.to_owned(), timer.id.clone());
        let last = self.last.entry(key).or_insert(now);
        let due = now.duration_since(*last) >= every;
        if due {
            *last = now;
        }
        due
    }
}

async fn run_job(app: Arc<App>, tenant: Arc<TenantState>, timer: Timer, now: Timestamp) {
    let Some((route, _)) = app.routes.find(&Method::POST, timer.path) else {
        return;
    };
    let Ok(session) = app.session(&tenant) else {
        return;
    };
    let id = tenant.tenant.id.clone();
    let call = Call {
        app,
        tenant,
        session,
        caller: None,
        route: Arc::clone(&route),
        path: Vec::new(),
        query: Query::default(),
        headers: Arc::new(HeaderMap::new()),
        body: bytes::Bytes::new(),
        now,
        request_id: format!("timer/{}", timer.id),
    };
    if let Err(problem) = route.run(call).await {
        tracing::warn!(
            tenant = id,
            timer = timer.id,
            ?problem,
            "a timer's job failed"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant() -> Tenant {
        Tenant {
            id: "lib1".into(),
            name: "Library".into(),
            description: None,
            modules: vec!["mod-circulation-24.4.3".into(), "mod-users-19.5.1".into()],
        }
    }

    fn timer(changed: Option<Value>) -> Timer {
        let changed: Vec<_> = changed
            .into_iter()
            .map(|routing| ("mod-circulation_10".to_owned(), routing))
            .collect();
        let timers = of_tenant(&tenant(), &changed);
        timers
            .into_iter()
            .find(|timer| timer.path == "/circulation/scheduled-age-to-lost")
            .unwrap()
    }

    #[test]
    fn only_enabled_modules_have_timers() {
        let timers = of_tenant(&tenant(), &[]);
        assert!(
            timers
                .iter()
                .all(|timer| timer.id.starts_with("mod-circulation_")
                    || timer.id.starts_with("mod-users_"))
        );
        assert_eq!(timers[0].id, "mod-users_0");
        assert_eq!(timer(None).id, "mod-circulation_10");
    }

    #[test]
    fn a_timer_is_shown_with_its_schedule() {
        let shown = timer(None).shown();
        assert_eq!(
            shown,
            json!({"id": "mod-circulation_10", "modified": false, "routingEntry": {"methods": ["POST"],
                "pathPattern": "/circulation/scheduled-age-to-lost", "unit": "minute", "delay": "30"}})
        );
        let changed = timer(Some(json!({"unit": "second", "delay": "1"})));
        assert_eq!(changed.every, Some(SignedDuration::from_secs(1)));
        assert_eq!(changed.shown()["modified"], true);
        assert_eq!(changed.shown()["routingEntry"]["delay"], "1");
        assert_eq!(
            timer(Some(json!({"unit": "minute", "delay": "0"}))).every,
            None
        );
    }

    #[test]
    fn schedules_are_read_or_refused() {
        let timer = timer(None);
        let read = |routing: Value| read_schedule(&timer, Some(&routing));
        assert_eq!(
            read(json!({"delay": "5", "unit": "second"})),
            Ok(Some(json!({"unit": "second", "delay": "5"})))
        );
        assert_eq!(
            read(json!({"delay": 0})),
            Ok(Some(json!({"unit": "minute", "delay": "0"})))
        );
        assert_eq!(read(json!({})), Ok(None));
        assert_eq!(read_schedule(&timer, None), Ok(None));
        for bad in [
            json!({"delay": "-1"}),
            json!({"delay": "soon"}),
            json!({"delay": "1", "unit": "year"}),
        ] {
            assert!(read(bad.clone()).is_err(), "{bad}");
        }
    }
}
