//! How mod-calendar tells faults: `{timestamp, status, errors: [{code, message, data}]}`.

use circulation::calendar::{
    Calendar,
    validity::{self, About, Fault},
};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::answer::Problem;

/// What is wrong with a calendar.
#[derive(Default)]
pub(super) struct Refusals {
    errors: Vec<Value>,
    overlaps: bool,
}

impl Refusals {
    pub(super) fn add_faults(&mut self, record: &Map<String, Value>, faults: &[Fault]) {
        self.errors
            .extend(faults.iter().map(|fault| told(record, fault)));
    }

    /// Another calendar of the same service points holds on some of the same days.
    pub(super) fn add_overlap(
        &mut self,
        calendar: &Calendar,
        other: &Map<String, Value>,
        stored: &Calendar,
    ) {
        let name = other
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let shared: Vec<_> = calendar
            .assignments
            .iter()
            .filter(|point| stored.assignments.contains(point))
            .collect();
        self.overlaps = true;
        self.errors.push(
            json!({"code": "calendarDateOverlap", "message": validity::overlap(name, stored),
            "data": {"conflictingServicePointIds": shared}}),
        );
    }

    /// 409 when calendars overlap, 400 for other faults.
    pub(super) fn told(self, now: Timestamp) -> Result<(), Problem> {
        let status = if self.overlaps {
            StatusCode::CONFLICT
        } else {
            StatusCode::BAD_REQUEST
        };
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(problem(status, self.errors, now)),
        }
    }
}

fn told(record: &Map<String, Value>, fault: &Fault) -> Value {
    let part =
        |member: &str, place: usize| record.get(member).and_then(|list| list.get(place)).cloned();
    let parts = |member: &str, places: &[usize]| -> Value {
        places
            .iter()
            .filter_map(|place| part(member, *place))
            .collect()
    };
    let mut error = json!({"code": fault.code, "message": fault.message});
    match &fault.about {
        About::Calendar => {}
        About::NormalHours(places) => {
            error["data"] = json!({"conflicts": parts("normalHours", places)})
        }
        About::Exceptions(places) => {
            error["data"] = json!({"conflicts": parts("exceptions", places)})
        }
        About::Exception(place) => error["data"] = json!({"range": part("exceptions", *place)}),
    }
    error
}

/// A parameter or body that cannot be read.
pub(super) fn invalid(detail: &str, now: Timestamp) -> Problem {
    let message = format!("One of the parameters was the incorrect type: {detail}");
    problem(
        StatusCode::BAD_REQUEST,
        vec![json!({"code": "invalidParameter", "message": message})],
        now,
    )
}

/// Calendars that do not exist.
pub(super) fn not_found(ids: &[Uuid], now: Timestamp) -> Problem {
    let error = json!({"code": "calendarNotFound",
        "message": "No calendar was found with the specified query", "data": {"notFound": ids}});
    problem(StatusCode::NOT_FOUND, vec![error], now)
}

fn problem(status: StatusCode, errors: Vec<Value>, now: Timestamp) -> Problem {
    let body = json!({"timestamp": now.to_string(), "status": status.as_u16(), "errors": errors});
    Problem::Json(status, body)
}
