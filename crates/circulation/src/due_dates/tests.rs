//! Due dates: tables of single rules, then properties over many zones, days and policies.

use jiff::{Timestamp, ToSpan, tz::TimeZone};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use super::*;
use crate::{
    calendars::{Calendar, Place, Timetable},
    dates::{end_of_day_of, parse_date_time},
};

static UTC: TimeZone = TimeZone::UTC;

fn at(text: &str) -> Timestamp {
    parse_date_time(text).expect("a date")
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect("a zone")
}

fn openings(calendar: Value) -> Openings {
    Openings::new(vec![
        serde_json::from_value::<Calendar>(calendar).expect("a calendar"),
    ])
}

/// Monday to Friday 9–12 and 13–17; closed from 24 to 26 December 2025, open on Sunday 4 January 2026.
fn desk() -> Openings {
    let weekday = |day: &str, start: &str, end: &str| json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let hours: Vec<Value> = days
        .iter()
        .flat_map(|day| {
            [
                weekday(day, "09:00", "12:00"),
                weekday(day, "13:00", "17:00"),
            ]
        })
        .collect();
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
    let ranges: Vec<Value> = ranges
        .iter()
        .map(|(from, to, due)| json!({"from": from, "to": to, "due": due}))
        .collect();
    let record = json!({"id": "9a1b1e47-3c1c-4b0e-9d5c-43e3fb4ab87b", "schedules": ranges});
    serde_json::from_value(record).expect("a schedule")
}

/// A loan at the desk in UTC; the tests change what they are about.
fn terms<'a>(policy: &'a LoanPolicy, loan_date: &str, openings: &'a Openings) -> Terms<'a> {
    Terms {
        policy,
        schedule: None,
        loan_date: Moment::parse(loan_date).expect("a date"),
        hold_is_waiting: false,
        openings,
        zone: &UTC,
        patron_expires: None,
    }
}

#[track_caller]
fn assert_due(terms: &Terms<'_>, expected: &str) -> DueDate {
    let due = terms.due_date().expect("a due date");
    assert_eq!(due.at, at(expected), "{}", terms.policy.name);
    due
}

#[test]
fn rolling_periods_are_counted_on_the_calendar() {
    for (duration, interval, loan_date, expected) in [
        (
            30,
            "Minutes",
            "2025-06-02T10:00:00Z",
            "2025-06-02T10:30:00Z",
        ),
        (5, "Hours", "2025-06-02T22:00:00Z", "2025-06-03T03:00:00Z"),
        (3, "Days", "2025-06-02T10:00:00Z", "2025-06-05T10:00:00Z"),
        (2, "Weeks", "2025-06-02T10:00:00Z", "2025-06-16T10:00:00Z"),
        (1, "Months", "2025-01-31T10:00:00Z", "2025-02-28T10:00:00Z"),
        (
            1,
            "Months",
            "2025-01-31T23:30:00-05:00",
            "2025-03-01T04:30:00Z",
        ),
    ] {
        let policy = policy(
            rolling(duration, interval, "CURRENT_DUE_DATE_TIME"),
            json!({}),
        );
        let closed = Openings::default();
        assert_due(&terms(&policy, loan_date, &closed), expected);
    }
}

#[test]
fn broken_policies_say_what_is_broken() {
    for (loans, message) in [
        (
            json!({"profileId": "Sliding"}),
            "profile \"Sliding\" in the loan policy is not recognised",
        ),
        (
            json!({}),
            "profile \"\" in the loan policy is not recognised",
        ),
        (
            json!({"profileId": "rolling"}),
            "the loan period in the loan policy is not recognised",
        ),
        (
            json!({"profileId": "Rolling", "period": {"intervalId": "Days"}}),
            "the loan period in the loan policy is not recognised",
        ),
        (
            rolling(1, "Eons", ""),
            "the interval \"Eons\" in the loan policy is not recognised",
        ),
        (
            rolling(0, "Days", ""),
            "the duration \"0\" in the loan policy is invalid",
        ),
        (
            rolling(-4, "Days", ""),
            "the duration \"-4\" in the loan policy is invalid",
        ),
        (
            rolling(i64::MAX, "Weeks", ""),
            "the duration \"9223372036854775807\" in the loan policy is invalid",
        ),
        (
            json!({"profileId": "Fixed"}),
            "loan date falls outside of the date ranges in the loan policy",
        ),
    ] {
        let policy = policy(loans, json!({}));
        let closed = Openings::default();
        let refusal = terms(&policy, "2025-06-02T10:00:00Z", &closed).due_date();
        assert_eq!(refusal, Err(NoDueDate::Policy(message.to_owned())));
    }
}

#[test]
fn schedules_fix_or_cap_the_date() {
    let first_and_second = schedule(&[
        (
            "2025-01-01T00:00:00Z",
            "2025-06-30T23:59:59Z",
            "2025-06-20T12:00:00Z",
        ),
        ("2025-06-01", "2025-12-31", "2025-12-20T12:00:00Z"),
    ]);
    let fixed =
        json!({"profileId": "FIXED", "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"});
    for (loans, loan_date, expected) in [
        (
            fixed.clone(),
            "2025-06-02T10:00:00Z",
            Some("2025-06-20T12:00:00Z"),
        ),
        (
            fixed.clone(),
            "2025-07-01T10:00:00Z",
            Some("2025-12-20T12:00:00Z"),
        ),
        (fixed, "2026-01-01T00:00:00Z", None),
        (
            rolling(1, "Weeks", "CURRENT_DUE_DATE_TIME"),
            "2025-06-02T10:00:00Z",
            Some("2025-06-09T10:00:00Z"),
        ),
        (
            rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"),
            "2025-06-02T10:00:00Z",
            Some("2025-06-20T12:00:00Z"),
        ),
        (
            rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"),
            "2026-06-02T10:00:00Z",
            None,
        ),
    ] {
        let (policy, closed) = (policy(loans, json!({})), Openings::default());
        let mut terms = terms(&policy, loan_date, &closed);
        terms.schedule = Some(&first_and_second);
        let due = terms.due_date().ok().map(|due| due.at);
        assert_eq!(due, expected.map(at), "{loan_date}");
    }
}

#[test]
fn a_waiting_hold_shortens_a_loan_when_the_policy_says_so() {
    let holds = json!({"requestManagement": {"holds": {
        "alternateCheckoutLoanPeriod": {"duration": 2, "intervalId": "Days"}}}});
    let usual = schedule(&[("2025-01-01", "2025-12-31", "2025-12-20T12:00:00Z")]);
    let fixed =
        json!({"profileId": "Fixed", "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"});
    for (loans, waiting, expected, marked) in [
        (
            rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"),
            false,
            "2025-06-23T10:00:00Z",
            false,
        ),
        (
            rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"),
            true,
            "2025-06-04T10:00:00Z",
            true,
        ),
        (fixed.clone(), false, "2025-12-20T12:00:00Z", false),
        (fixed, true, "2025-06-04T10:00:00Z", false),
    ] {
        let (policy, closed) = (policy(loans, holds.clone()), Openings::default());
        let mut terms = terms(&policy, "2025-06-02T10:00:00Z", &closed);
        terms.schedule = Some(&usual);
        terms.hold_is_waiting = waiting;
        assert_eq!(assert_due(&terms, expected).changed_by_hold, marked);
    }
}

#[test]
fn closed_time_is_left_by_the_strategy_of_the_policy() {
    const PREVIOUS: &str = "END_OF_THE_PREVIOUS_OPEN_DAY";
    const NEXT: &str = "END_OF_THE_NEXT_OPEN_DAY";
    const CURRENT: &str = "END_OF_THE_CURRENT_SERVICE_POINT_HOURS";
    const BEGINNING: &str = "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS";
    // 6 June 2025 is a Friday.
    for (management, loan_date, duration, interval, expected) in [
        (
            "CURRENT_DUE_DATE",
            "2025-06-06T10:00:00Z",
            1,
            "Days",
            "2025-06-07T23:59:59Z",
        ),
        (
            "anything",
            "2025-06-06T10:00:00Z",
            1,
            "Days",
            "2025-06-07T23:59:59Z",
        ),
        (
            "CURRENT_DUE_DATE_TIME",
            "2025-06-06T10:00:00Z",
            1,
            "Days",
            "2025-06-07T10:00:00Z",
        ),
        (
            PREVIOUS,
            "2025-06-05T10:00:00Z",
            1,
            "Days",
            "2025-06-06T23:59:59Z",
        ),
        (
            PREVIOUS,
            "2025-06-06T10:00:00Z",
            1,
            "Days",
            "2025-06-06T23:59:59Z",
        ),
        (
            NEXT,
            "2025-06-05T10:00:00Z",
            1,
            "Days",
            "2025-06-06T23:59:59Z",
        ),
        (
            NEXT,
            "2025-06-06T10:00:00Z",
            1,
            "Days",
            "2025-06-09T23:59:59Z",
        ),
        (
            NEXT,
            "2025-12-23T10:00:00Z",
            1,
            "Days",
            "2025-12-29T23:59:59Z",
        ),
        (
            NEXT,
            "2026-01-02T10:00:00Z",
            1,
            "Days",
            "2026-01-04T23:59:59Z",
        ),
        (
            CURRENT,
            "2025-06-06T10:00:00Z",
            1,
            "Hours",
            "2025-06-06T11:00:00Z",
        ),
        (
            CURRENT,
            "2025-06-06T10:00:00Z",
            150,
            "Minutes",
            "2025-06-06T12:00:00Z",
        ),
        (
            CURRENT,
            "2025-06-06T16:00:00Z",
            2,
            "Hours",
            "2025-06-06T17:00:00Z",
        ),
        (
            CURRENT,
            "2025-06-06T12:15:00Z",
            30,
            "Minutes",
            "2025-06-06T17:00:00Z",
        ),
        (
            CURRENT,
            "2025-06-06T16:00:00Z",
            20,
            "Hours",
            "2025-06-06T17:00:00Z",
        ),
        (
            BEGINNING,
            "2025-06-06T10:00:00Z",
            1,
            "Hours",
            "2025-06-06T11:00:00Z",
        ),
        (
            BEGINNING,
            "2025-06-06T11:30:00Z",
            1,
            "Hours",
            "2025-06-06T13:15:00Z",
        ),
        (
            BEGINNING,
            "2025-06-06T16:30:00Z",
            1,
            "Hours",
            "2025-06-09T09:15:00Z",
        ),
    ] {
        let mut loans = rolling(duration, interval, management);
        loans["openingTimeOffset"] = json!({"duration": 15, "intervalId": "Minutes"});
        let (policy, desk) = (policy(loans, json!({})), desk());
        let terms = terms(&policy, loan_date, &desk);
        let due = terms.due_date().map(|due| due.at);
        assert_eq!(
            due,
            Ok(at(expected)),
            "{management} {loan_date} {duration} {interval}"
        );
    }
}

#[test]
fn an_offset_that_ends_in_a_gap_stops_at_the_opening_before() {
    for (offset, expected) in [
        ((2, "Hours"), "2025-06-09T11:00:00Z"),
        ((210, "Minutes"), "2025-06-09T12:00:00Z"),
        ((5, "Hours"), "2025-06-09T14:00:00Z"),
        ((9, "Hours"), "2025-06-09T17:00:00Z"),
    ] {
        let mut loans = rolling(1, "Hours", "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS");
        loans["openingTimeOffset"] = json!({"duration": offset.0, "intervalId": offset.1});
        let (policy, desk) = (policy(loans, json!({})), desk());
        assert_due(&terms(&policy, "2025-06-06T16:30:00Z", &desk), expected);
    }
}

#[test]
fn hours_of_a_library_open_over_midnight_end_in_the_morning() {
    let night = openings(json!({
        "startDate": "2025-01-01", "endDate": "2025-12-31",
        "normalHours": [{"startDay": "MONDAY", "startTime": "20:00", "endDay": "TUESDAY", "endTime": "03:00"},
                        {"startDay": "TUESDAY", "startTime": "20:00", "endDay": "TUESDAY", "endTime": "22:00"}],
    }));
    let policy = policy(
        rolling(5, "Hours", "END_OF_THE_CURRENT_SERVICE_POINT_HOURS"),
        json!({}),
    );
    // 2 June 2025 is a Monday.
    assert_due(
        &terms(&policy, "2025-06-02T23:00:00Z", &night),
        "2025-06-03T03:00:00Z",
    );
}

#[test]
fn a_desk_without_a_calendar_is_always_closed() {
    let closed = Openings::default();
    for (management, expected) in [
        ("CURRENT_DUE_DATE", Ok(at("2025-06-09T23:59:59Z"))),
        ("CURRENT_DUE_DATE_TIME", Ok(at("2025-06-09T10:00:00Z"))),
        (
            "END_OF_THE_PREVIOUS_OPEN_DAY",
            Err(NoDueDate::TimetableAbsent),
        ),
        ("END_OF_THE_NEXT_OPEN_DAY", Err(NoDueDate::TimetableAbsent)),
        (
            "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
            Err(NoDueDate::TimetableAbsent),
        ),
        (
            "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
            Err(NoDueDate::TimetableAbsent),
        ),
    ] {
        let policy = policy(rolling(1, "Weeks", management), json!({}));
        let due = terms(&policy, "2025-06-02T10:00:00Z", &closed).due_date();
        assert_eq!(due.map(|due| due.at), expected, "{management}");
    }
}

#[test]
fn a_date_moved_past_the_cap_goes_back_before_it() {
    // The cap is Saturday 7 June; the next open day would be Monday.
    let cap = schedule(&[("2025-01-01", "2025-12-31", "2025-06-07T12:00:00Z")]);
    for (duration, interval, loan_date, expected) in [
        (4, "Weeks", "2025-06-02T10:00:00Z", "2025-06-06T23:59:59Z"),
        (20, "Hours", "2025-06-06T16:00:00Z", "2025-06-06T17:00:00Z"),
    ] {
        let loans = rolling(duration, interval, "END_OF_THE_NEXT_OPEN_DAY");
        let (policy, desk) = (policy(loans, json!({})), desk());
        let mut terms = terms(&policy, loan_date, &desk);
        terms.schedule = Some(&cap);
        assert_due(&terms, expected);
    }
}

#[test]
fn a_loan_ends_before_the_registration_of_the_patron() {
    // The registration expires on Monday 9 June 2025 at 14:00.
    for (management, expected) in [
        ("CURRENT_DUE_DATE", "2025-06-09T14:00:00Z"),
        ("CURRENT_DUE_DATE_TIME", "2025-06-09T14:00:00Z"),
        ("END_OF_THE_PREVIOUS_OPEN_DAY", "2025-06-06T23:59:59Z"),
        ("END_OF_THE_NEXT_OPEN_DAY", "2025-06-06T23:59:59Z"),
        (
            "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
            "2025-06-09T12:00:00Z",
        ),
        (
            "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
            "2025-06-09T12:00:00Z",
        ),
    ] {
        let (policy, desk) = (policy(rolling(2, "Weeks", management), json!({})), desk());
        let mut terms = terms(&policy, "2025-06-02T10:00:00Z", &desk);
        terms.patron_expires = Some(at("2025-06-09T14:00:00Z"));
        assert!(
            assert_due(&terms, expected).changed_by_near_expire_user,
            "{management}"
        );
        terms.patron_expires = Some(at("2026-01-01T00:00:00Z"));
        let later = terms.due_date().expect("a due date");
        assert!(!later.changed_by_near_expire_user, "{management}");
    }
}

#[test]
fn days_end_and_begin_in_the_zone_of_the_library() {
    let policy = policy(rolling(1, "Days", "CURRENT_DUE_DATE"), json!({}));
    for (name, loan_date, expected) in [
        (
            "America/New_York",
            "2025-06-02T02:00:00Z",
            "2025-06-03T03:59:59Z",
        ),
        // The clocks go forward on 30 March and back on 26 October 2025.
        (
            "Europe/Berlin",
            "2025-03-29T12:00:00Z",
            "2025-03-30T21:59:59Z",
        ),
        (
            "Europe/Berlin",
            "2025-10-25T12:00:00Z",
            "2025-10-26T22:59:59Z",
        ),
        (
            "Pacific/Auckland",
            "2025-06-02T13:00:00Z",
            "2025-06-04T11:59:59Z",
        ),
    ] {
        let (zone, desk) = (zone(name), desk());
        let mut terms = terms(&policy, loan_date, &desk);
        terms.zone = &zone;
        assert_due(&terms, expected);
    }
}

#[test]
fn a_recall_brings_the_date_forward_but_guarantees_a_minimum() {
    let recalls = |members: Value| json!({"requestManagement": {"recalls": members}});
    let days = |n: i64| json!({"duration": n, "intervalId": "Days"});
    let due = "2025-06-23T10:00:00Z";
    for (members, now, expected) in [
        (
            json!({}),
            "2025-06-10T10:00:00Z",
            Ok("2025-06-10T10:00:00Z"),
        ),
        (
            json!({"recallReturnInterval": days(3)}),
            "2025-06-10T10:00:00Z",
            Ok("2025-06-13T10:00:00Z"),
        ),
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
            "2025-06-10T10:00:00Z",
            Ok("2025-06-16T10:00:00Z"),
        ),
        (
            json!({"minimumGuaranteedLoanPeriod": days(30)}),
            "2025-06-10T10:00:00Z",
            Ok("2025-07-02T10:00:00Z"),
        ),
        (
            json!({"recallReturnInterval": days(60)}),
            "2025-06-10T10:00:00Z",
            Ok(due),
        ),
        (
            json!({"recallReturnInterval": days(3)}),
            "2025-07-10T10:00:00Z",
            Ok(due),
        ),
        (
            json!({"alternateRecallReturnInterval": days(5), "allowRecallsToExtendOverdueLoans": true}),
            "2025-07-10T10:00:00Z",
            Ok("2025-07-15T10:00:00Z"),
        ),
        (
            json!({"recallReturnInterval": {"duration": 2, "intervalId": "Eons"}}),
            "2025-06-10T10:00:00Z",
            Err("the interval \"Eons\" in \"recallReturnInterval\" is not recognized"),
        ),
    ] {
        let policy = policy(
            rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"),
            recalls(members.clone()),
        );
        let closed = Openings::default();
        let terms = terms(&policy, "2025-06-02T10:00:00Z", &closed);
        let expected = expected
            .map(at)
            .map_err(|text| NoDueDate::Policy(text.to_owned()));
        let recalled = terms.recalled(at(due), at(now)).map(|(date, _)| date);
        assert_eq!(recalled, expected, "{members}");
    }
}

/// Every zone there is.
fn zones() -> impl Strategy<Value = TimeZone> {
    let names: Vec<_> = jiff::tz::db()
        .available()
        .map(|name| name.to_string())
        .collect();
    select(names).prop_map(|name| zone(&name))
}

fn loan_dates() -> impl Strategy<Value = Moment> {
    let first = at("2025-02-01T00:00:00Z").as_second();
    (0..26_000_000i64).prop_map(move |seconds| {
        Moment::utc(Timestamp::from_second(first + seconds).expect("a moment"))
    })
}

/// A zone, and a moment within four days of one of its changes of the clock.
fn changes_of_the_clock() -> impl Strategy<Value = (TimeZone, Moment)> {
    let from = at("1995-01-01T00:00:00Z");
    let near = -4 * 24 * 60 * 60..4 * 24 * 60 * 60i64;
    (zones(), any::<proptest::sample::Index>(), near).prop_map(move |(zone, which, seconds)| {
        let changes: Vec<_> = zone
            .following(from)
            .take(80)
            .map(|change| change.timestamp())
            .collect();
        let change = if changes.is_empty() {
            from
        } else {
            changes[which.index(changes.len())]
        };
        let moment = change + seconds.seconds();
        (zone, Moment::utc(moment))
    })
}

/// Open at night, when clocks change: every day 0:30–1:15, 1:45–2:30 and 23:00–23:59.
fn night_desk() -> Openings {
    let days = [
        "MONDAY",
        "TUESDAY",
        "WEDNESDAY",
        "THURSDAY",
        "FRIDAY",
        "SATURDAY",
        "SUNDAY",
    ];
    let times = [("00:30", "01:15"), ("01:45", "02:30"), ("23:00", "23:59")];
    let hours: Vec<Value> = days
        .iter()
        .flat_map(|day| {
            times.map(|(start, end)| json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end}))
        })
        .collect();
    openings(
        json!({"startDate": "1994-01-01", "endDate": "2060-12-31", "assignments": [],
        "normalHours": hours, "exceptions": []}),
    )
}

fn strategies() -> impl Strategy<Value = &'static str> {
    select(vec![
        "END_OF_THE_PREVIOUS_OPEN_DAY",
        "END_OF_THE_NEXT_OPEN_DAY",
        "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
        "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
    ])
}

/// Strategies that look at hours never leave a due date in closed time; those that look at days never leave it on a
/// closed day.
fn never_in_closed_time(
    (zone, loan_date): (&TimeZone, Moment),
    desk: &Openings,
    (hours, offset): (i64, i64),
    management: &str,
) -> Result<(), TestCaseError> {
    let mut loans = rolling(hours, "Hours", management);
    loans["openingTimeOffset"] = json!({"duration": offset, "intervalId": "Minutes"});
    let policy = policy(loans, json!({}));
    let terms = Terms {
        loan_date,
        zone,
        ..terms(&policy, "2025-06-02", desk)
    };
    let Ok(due) = terms.due_date() else {
        // Hours strategies need the loan's own time in the timetable.
        prop_assert!(management.contains("HOURS"));
        return Ok(());
    };
    if management.contains("DAY") {
        let day = desk.day(local_date(due.at, zone));
        prop_assert!(day.open);
        prop_assert_eq!(Some(due.at), end_of_day_of(due.at, zone));
        return Ok(());
    }
    let today = local_date(due.at, zone);
    let around = desk.between(
        today.saturating_sub(2.day()),
        today.saturating_add(2.day()),
        true,
    );
    let table = Timetable::new(&around, zone);
    // The end of an opening is its last moment for a reader.
    let last_moment = due.at - 1.millisecond();
    let open = |moment| matches!(table.place(moment), Place::Open(_));
    let name = zone.iana_name().unwrap_or_default();
    prop_assert!(open(due.at) || open(last_moment), "{} {}", due.at, name);
    Ok(())
}

use proptest::{strategy::Strategy, test_runner::TestCaseError};

proptest! {
    #[test]
    fn a_due_date_is_never_in_closed_time(
        loan_date in loan_dates(),
        zone in zones(),
        hours in 1..72i64,
        offset in 0..600i64,
        management in strategies(),
    ) {
        never_in_closed_time((&zone, loan_date), &desk(), (hours, offset), management)?;
    }

    #[test]
    fn nor_is_it_where_clocks_change(
        (zone, loan_date) in changes_of_the_clock(),
        hours in 1..72i64,
        offset in 0..200i64,
        management in strategies(),
    ) {
        never_in_closed_time((&zone, loan_date), &night_desk(), (hours, offset), management)?;
    }

    #[test]
    fn no_loan_outlives_the_patron_or_fails_badly(
        loan_date in loan_dates(),
        zone in zones(),
        duration in -5..400i64,
        interval in select(vec!["Minutes", "Hours", "Days", "Weeks", "Months", "Eons"]),
        management in select(vec![
            "CURRENT_DUE_DATE", "CURRENT_DUE_DATE_TIME", "END_OF_THE_PREVIOUS_OPEN_DAY",
            "END_OF_THE_NEXT_OPEN_DAY", "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
            "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
        ]),
        expires_after in 0..400i64,
    ) {
        let desk = desk();
        let policy = policy(rolling(duration, interval, management), json!({}));
        let expires = loan_date.timestamp + (expires_after * 24).hours();
        let terms = Terms {
            loan_date, zone: &zone, patron_expires: Some(expires),
            ..terms(&policy, "2025-06-02", &desk)
        };
        if let Ok(due) = terms.due_date() {
            prop_assert!(due.at <= expires, "{} {}", due.at, expires);
        }
    }
}
