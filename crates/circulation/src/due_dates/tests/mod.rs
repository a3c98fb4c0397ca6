//! Due dates: tables for single rules, and properties over many time zones, dates and policies.

mod closed_days;
mod periods;
mod properties;

use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Value, json};

use super::*;
use crate::{calendars::Calendar, dates::parse_date_time, refusal::TIMETABLE_ABSENT};

static UTC: TimeZone = TimeZone::UTC;

fn at(text: &str) -> Timestamp {
    parse_date_time(text).expect("a date")
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect("a zone")
}

fn openings(calendar: Value) -> Openings {
    Openings::new(vec![serde_json::from_value::<Calendar>(calendar).expect("a calendar")])
}

/// Open Monday to Friday 9–12 and 13–17, closed from 24 to 26 December 2025, open on Sunday 4 January 2026.
fn desk() -> Openings {
    let weekday =
        |day: &str, start: &str, end: &str| json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let hours: Vec<Value> =
        days.iter().flat_map(|day| [weekday(day, "09:00", "12:00"), weekday(day, "13:00", "17:00")]).collect();
    openings(json!({
        "startDate": "2025-01-01", "endDate": "2026-12-31", "assignments": [], "normalHours": hours,
        "exceptions": [
            {"name": "Holidays", "startDate": "2025-12-24", "endDate": "2025-12-26", "openings": []},
            {"name": "Sunday", "startDate": "2026-01-04", "endDate": "2026-01-04", "openings": [
                {"startDate": "2026-01-04", "startTime": "10:00", "endDate": "2026-01-04", "endTime": "14:00"}]},
        ],
    }))
}

fn policy(loans: Value, more: Value) -> LoanPolicy {
    let mut record = json!({
        "id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231", "name": "Example", "loanable": true,
        "loansPolicy": loans,
    });
    let members = more.as_object().cloned().unwrap_or_default();
    record.as_object_mut().expect("an object").extend(members);
    serde_json::from_value(record).expect("a policy")
}

fn rolling(duration: i64, interval: &str, management: &str) -> Value {
    json!({
        "profileId": "Rolling", "period": {"duration": duration, "intervalId": interval},
        "closedLibraryDueDateManagementId": management,
    })
}

fn schedule(ranges: &[(&str, &str, &str)]) -> FixedDueDateSchedule {
    let ranges: Vec<Value> = ranges.iter().map(|(from, to, due)| json!({"from": from, "to": to, "due": due})).collect();
    let record = json!({"id": "9a1b1e47-3c1c-4b0e-9d5c-43e3fb4ab87b", "schedules": ranges});
    serde_json::from_value(record).expect("a schedule")
}

/// A loan in UTC; tests modify what they need.
fn terms<'a>(policy: &'a LoanPolicy, loan_date: &str, openings: &'a Openings) -> Terms<'a> {
    Terms {
        policy,
        schedule: None,
        loan_date: Moment::parse(loan_date).expect("a date"),
        hold_is_waiting: false,
        openings,
        zone: &UTC,
        patron_expires: None,
        trace: Trace::OFF,
    }
}

#[track_caller]
fn assert_due(terms: &Terms<'_>, expected: &str) -> DueDate {
    let due = terms.due_date().expect("a due date");
    assert_eq!(due.at, at(expected), "{}", terms.policy.name);
    due
}
