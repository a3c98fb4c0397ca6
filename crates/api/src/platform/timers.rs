//! The recurring jobs of modules. Each is a POST route, which users with permission to change timers may also call. A
//! timer is its default schedule with a client's changes (docs/folio/okapi.md#timers).

use std::collections::HashMap;

use identity::modules::product_of;
use jiff::SignedDuration;
use jobs::Schedule;
use serde_json::{Value, json};
use store::tenants::Tenant;

use Usual::{Cron, Minutes};

/// A module's default schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Usual {
    /// The interval, in minutes.
    Minutes(u32),
    /// A cron pattern and its time zone.
    Cron(&'static str, &'static str),
}

/// Product, path and schedule, in the order of the modules' descriptors.
const DEFAULTS: &[(&str, &str, Usual)] = &[
    ("mod-users", "/users/expire/timer", Minutes(1)),
    ("mod-users", "/users/outbox/process", Minutes(30)),
    ("mod-users", "/users/profile-picture/cleanup", Minutes(24 * 60)),
    ("mod-patron-blocks", "/automated-patron-blocks/synchronization/start", Minutes(1)),
    ("mod-circulation", "/circulation/notice-session-expiration-by-timeout", Minutes(3)),
    ("mod-circulation", "/circulation/actual-cost-expiration-by-timeout", Minutes(20)),
    ("mod-circulation", "/circulation/loan-scheduled-notices-processing", Minutes(5)),
    ("mod-circulation", "/circulation/due-date-not-real-time-scheduled-notices-processing", Minutes(2)),
    ("mod-circulation", "/circulation/request-scheduled-notices-processing", Minutes(2)),
    ("mod-circulation", "/circulation/fee-fine-scheduled-notices-processing", Minutes(2)),
    ("mod-circulation", "/circulation/overdue-fine-scheduled-notices-processing", Minutes(2)),
    ("mod-circulation", "/circulation/fee-fine-not-real-time-scheduled-notices-processing", Minutes(2)),
    ("mod-circulation", "/circulation/scheduled-anonymize-processing", Minutes(60)),
    ("mod-circulation", "/circulation/scheduled-request-anonymize-processing", Minutes(60)),
    ("mod-circulation", "/circulation/scheduled-age-to-lost", Minutes(30)),
    ("mod-circulation", "/circulation/scheduled-age-to-lost-fee-charging", Minutes(35)),
    ("mod-circulation", "/circulation/scheduled-digital-reminders-processing", Cron("1 0 * * *", "CET")),
    ("mod-circulation-storage", "/scheduled-request-expiration", Minutes(2)),
    ("mod-circulation-storage", "/tlr-feature-toggle-job/start", Minutes(5)),
    ("mod-entities-links", "/authority-storage/expire/authorities", Minutes(24 * 60)),
    ("mod-audit", "/audit-data/cleanup/timer", Cron("0 2 * * *", "UTC")),
];

/// A timer of a tenant.
#[derive(Debug, Clone, PartialEq)]
pub struct Timer {
    /// For example `mod-circulation_0`.
    pub id: String,
    /// Path of the job's route.
    pub path: &'static str,
    /// When it runs; `None` while it is disabled.
    pub schedule: Option<Schedule>,
    default: Usual,
    changed: Option<Value>,
}

impl Timer {
    /// The timer in Okapi's format.
    pub fn shown(&self) -> Value {
        let mut routing = json!({"methods": ["POST"], "pathPattern": self.path});
        let default = self.default.routing();
        let chosen = self.changed.as_ref().unwrap_or(&default);
        for (name, value) in chosen.as_object().into_iter().flatten() {
            routing[name] = value.clone();
        }
        json!({"id": self.id, "routingEntry": routing, "modified": self.changed.is_some()})
    }
}

impl Usual {
    /// The members of Okapi's routing entry that hold the schedule.
    fn routing(self) -> Value {
        match self {
            Minutes(minutes) => json!({"unit": "minute", "delay": minutes.to_string()}),
            Cron(pattern, zone) => json!({"schedule": {"cron": pattern, "zone": zone}}),
        }
    }
}

/// The paths of all jobs that timers run.
pub fn paths() -> impl Iterator<Item = &'static str> {
    DEFAULTS.iter().map(|(_, path, _)| *path)
}

/// The timers of the tenant's modules. `changed` has the timers with a schedule set by a client.
pub fn of_tenant(tenant: &Tenant, changed: &[(String, Value)]) -> Vec<Timer> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut timers = Vec::new();
    for (product, path, default) in DEFAULTS {
        let number = numbers.entry(product).or_default();
        let id = format!("{product}_{number}");
        *number += 1;
        if !tenant.modules.iter().any(|module| product_of(module) == *product) {
            continue;
        }
        let changed = changed.iter().find(|(timer, _)| *timer == id).map(|(_, routing)| routing.clone());
        let default_routing = default.routing();
        let routing = changed.as_ref().unwrap_or(&default_routing);
        timers.push(Timer { id, path, schedule: schedule(routing).ok().flatten(), default: *default, changed });
    }
    timers
}

/// The schedule a client sends: `unit` and `delay`, or a `schedule` with `cron` and `zone`; `None` for the default. An
/// error says what is wrong with it.
pub(crate) fn read_schedule(timer: &Timer, routing: Option<&Value>) -> Result<Option<Value>, String> {
    let text = |name: &str| {
        let value = routing.and_then(|routing| routing.get(name)).filter(|value| !value.is_null())?;
        Some(value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned))
    };
    let pattern = routing.and_then(|routing| routing.get("schedule"));
    let asked = match (text("delay"), pattern.filter(|pattern| pattern.is_object())) {
        (Some(delay), _) => {
            let unit = text("unit").unwrap_or_else(|| unit_of(timer));
            json!({"unit": unit, "delay": delay})
        }
        (None, Some(pattern)) => json!({"schedule": pattern}),
        (None, None) => return Ok(None),
    };
    schedule(&asked).map(|_| Some(asked))
}

fn unit_of(timer: &Timer) -> String {
    let shown = timer.shown();
    let unit = shown["routingEntry"]["unit"].as_str();
    unit.unwrap_or("minute").to_owned()
}

/// The schedule in a routing entry; `None` if it never runs.
fn schedule(routing: &Value) -> Result<Option<Schedule>, String> {
    let pattern = &routing["schedule"];
    if let Some(cron) = pattern["cron"].as_str() {
        let zone = pattern["zone"].as_str().unwrap_or("UTC");
        return Schedule::cron(cron, zone).map(Some);
    }
    let delay = interval(routing).ok_or_else(|| {
        let text = |name: &str| routing[name].as_str().unwrap_or_default().to_owned();
        format!("Bad schedule: delay {}, unit {}", text("delay"), text("unit"))
    })?;
    Ok(Some(delay).filter(|delay| !delay.is_zero()).map(Schedule::Every))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant() -> Tenant {
        Tenant {
            id: "lib1".into(),
            name: "Library".into(),
            description: None,
            modules: vec!["mod-circulation-24.4.18".into(), "mod-users-19.5.4".into()],
        }
    }

    fn timer(changed: Option<Value>) -> Timer {
        let changed: Vec<_> = changed.into_iter().map(|routing| ("mod-circulation_10".to_owned(), routing)).collect();
        let timers = of_tenant(&tenant(), &changed);
        timers.into_iter().find(|timer| timer.path == "/circulation/scheduled-age-to-lost").unwrap()
    }

    #[test]
    fn only_enabled_modules_have_timers() {
        let timers = of_tenant(&tenant(), &[]);
        assert!(
            timers.iter().all(|timer| timer.id.starts_with("mod-circulation_") || timer.id.starts_with("mod-users_"))
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
        let every_second = Schedule::Every(SignedDuration::from_secs(1));
        assert_eq!(changed.schedule, Some(every_second));
        assert_eq!(changed.shown()["modified"], true);
        assert_eq!(changed.shown()["routingEntry"]["delay"], "1");
        assert_eq!(timer(Some(json!({"unit": "minute", "delay": "0"}))).schedule, None);
    }

    #[test]
    fn schedules_are_read_or_refused() {
        let timer = timer(None);
        let read = |routing: Value| read_schedule(&timer, Some(&routing));
        assert_eq!(read(json!({"delay": "5", "unit": "second"})), Ok(Some(json!({"unit": "second", "delay": "5"}))));
        assert_eq!(read(json!({"delay": 0})), Ok(Some(json!({"unit": "minute", "delay": "0"}))));
        assert_eq!(read(json!({})), Ok(None));
        let nightly = json!({"schedule": {"cron": "1 0 * * *", "zone": "CET"}});
        assert_eq!(read(nightly.clone()), Ok(Some(nightly)));
        assert_eq!(read_schedule(&timer, None), Ok(None));
        for bad in [
            json!({"delay": "-1"}),
            json!({"delay": "soon"}),
            json!({"delay": "1", "unit": "year"}),
            json!({"schedule": {"cron": "1 0 * *", "zone": "CET"}}),
            json!({"schedule": {"cron": "1 0 * * *", "zone": "Nowhere"}}),
            json!({"schedule": {}}),
        ] {
            assert!(read(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_timer_may_follow_a_pattern() {
        let timers = of_tenant(&tenant(), &[]);
        let reminders = timers.iter().find(|timer| timer.path.contains("reminders")).unwrap();
        assert_eq!(
            reminders.shown(),
            json!({"id": "mod-circulation_12", "modified": false, "routingEntry": {"methods": ["POST"],
                "pathPattern": "/circulation/scheduled-digital-reminders-processing",
                "schedule": {"cron": "1 0 * * *", "zone": "CET"}}})
        );
        assert_eq!(reminders.schedule, Schedule::cron("1 0 * * *", "CET").ok());
        let changed = timer(Some(json!({"schedule": {"cron": "0 3 * * 1"}})));
        assert_eq!(changed.schedule, Schedule::cron("0 3 * * 1", "UTC").ok());
        assert_eq!(changed.shown()["routingEntry"].get("delay"), None);
    }
}
