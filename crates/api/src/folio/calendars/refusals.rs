//! What is wrong with a calendar, and with which of its members (`_parameters`).

use circulation::calendars::{
    Calendar,
    validity::{self, About, Fault},
};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{answer::Problem, manner::calendar::problem};

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
            "data": {"conflictingServicePointIds": shared},
            "_parameters": {"assignments": calendar.assignments,
                "startDate": calendar.start_date, "endDate": calendar.end_date}}),
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
    let members = fault.members.iter();
    let named: Map<String, Value> = members
        .map(|member| {
            (
                (*member).to_owned(),
                record.get(*member).cloned().unwrap_or_default(),
            )
        })
        .collect();
    error["_parameters"] = named.into();
    error
}

/// Of the calendars that are wanted some do not exist.
pub(super) fn not_found(wanted: &[Uuid], missing: &[Uuid], now: Timestamp) -> Problem {
    let error = json!({"code": "calendarNotFound",
        "message": "No calendar was found with the specified query", "data": {"notFound": missing},
        "_parameters": {"query": wanted}});
    problem(StatusCode::NOT_FOUND, vec![error], now)
}
