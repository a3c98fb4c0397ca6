//! What is wrong with a calendar, and with which of its members (`_parameters`).

use circulation::calendars::{
    Calendar,
    refusal::NOT_FOUND,
    validity::{self, About, Fault},
};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    answer::Problem,
    manner::calendar::{error, problem},
};

/// What is wrong with a calendar.
#[derive(Default)]
pub(super) struct Refusals {
    errors: Vec<Value>,
    overlaps: bool,
}

impl Refusals {
    pub(super) fn add_faults(&mut self, record: &Map<String, Value>, faults: &[Fault]) {
        let faults = faults.iter().map(|fault| in_words(record, fault));
        self.errors.extend(faults);
    }

    /// Another calendar of the same service points includes some of the same days.
    pub(super) fn add_overlap(&mut self, calendar: &Calendar, other: &Map<String, Value>, stored: &Calendar) {
        let name = other.get("name").and_then(Value::as_str);
        let shared = calendar.assignments.iter();
        let shared: Vec<_> = shared.filter(|point| stored.assignments.contains(point)).collect();
        self.overlaps = true;
        self.errors.push(error(
            &validity::overlap(name.unwrap_or_default(), stored),
            Some(json!({"conflictingServicePointIds": shared})),
            json!({"assignments": calendar.assignments, "startDate": calendar.start_date,
                "endDate": calendar.end_date}),
        ));
    }

    /// 409 when calendars overlap, 400 for other faults.
    pub(super) fn or_good(self, now: Timestamp) -> Result<(), Problem> {
        let status = match self.overlaps {
            true => StatusCode::CONFLICT,
            false => StatusCode::BAD_REQUEST,
        };
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(problem(status, self.errors, now)),
        }
    }
}

fn in_words(record: &Map<String, Value>, fault: &Fault) -> Value {
    let member = |name: &str| record.get(name).cloned().unwrap_or_default();
    let parts = |name: &str, places: &[usize]| -> Value {
        let list = member(name);
        places.iter().map(|place| list[*place].clone()).collect()
    };
    let data = match &fault.about {
        About::Calendar => None,
        About::NormalHours(places) => Some(json!({"conflicts": parts("normalHours", places)})),
        About::Exceptions(places) => Some(json!({"conflicts": parts("exceptions", places)})),
        About::Exception(place) => Some(json!({"range": member("exceptions")[*place]})),
    };
    let keys = fault.refusal.wording().parameters.iter();
    let members: Map<_, _> = keys.map(|key| ((*key).to_owned(), member(key))).collect();
    error(&fault.refusal, data, members.into())
}

/// Some of the requested calendars do not exist.
pub(super) fn not_found(wanted: &[Uuid], missing: &[Uuid], now: Timestamp) -> Problem {
    let data = json!({"notFound": missing});
    let error = error(&NOT_FOUND.into(), Some(data), json!({"query": wanted}));
    problem(StatusCode::NOT_FOUND, vec![error], now)
}
