//! Properties of every due date, in every time zone and at every clock change.

use proptest::{prelude::*, sample::select, strategy::Strategy, test_runner::TestCaseError};

use super::*;
use crate::{
    calendars::{Place, Timetable},
    dates::end_of_day_of,
};

/// All time zones.
fn zones() -> impl Strategy<Value = TimeZone> {
    let names: Vec<_> = jiff::tz::db().available().map(|name| name.to_string()).collect();
    select(names).prop_map(|name| zone(&name))
}

fn loan_dates() -> impl Strategy<Value = Moment> {
    let first = at("2025-02-01T00:00:00Z").as_second();
    (0..26_000_000i64).prop_map(move |seconds| Moment::utc(Timestamp::from_second(first + seconds).expect("a moment")))
}

/// A time zone, and a moment within four days of one of its clock changes.
fn changes_of_the_clock() -> impl Strategy<Value = (TimeZone, Moment)> {
    let from = at("1995-01-01T00:00:00Z");
    let near = -4 * 24 * 60 * 60..4 * 24 * 60 * 60i64;
    (zones(), any::<proptest::sample::Index>(), near).prop_map(move |(zone, which, seconds)| {
        let changes: Vec<_> = zone.following(from).take(80).map(|change| change.timestamp()).collect();
        let change = if changes.is_empty() { from } else { changes[which.index(changes.len())] };
        let moment = change + seconds.seconds();
        (zone, Moment::utc(moment))
    })
}

/// Open at night, when clocks change: daily 0:30–1:15, 1:45–2:30 and 23:00–23:59.
fn night_desk() -> Openings {
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
    let times = [("00:30", "01:15"), ("01:45", "02:30"), ("23:00", "23:59")];
    let hours: Vec<Value> = days
        .iter()
        .flat_map(|day| {
            times.map(|(start, end)| json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end}))
        })
        .collect();
    openings(json!({"startDate": "1994-01-01", "endDate": "2060-12-31", "assignments": [],
        "normalHours": hours, "exceptions": []}))
}

fn strategies() -> impl Strategy<Value = &'static str> {
    select(vec![
        "END_OF_THE_PREVIOUS_OPEN_DAY",
        "END_OF_THE_NEXT_OPEN_DAY",
        "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
        "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
    ])
}

/// Strategies based on opening hours never leave a due date in closed time; those based on days never leave it on a
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
    let terms = Terms { loan_date, zone, ..terms(&policy, "2025-06-02", desk) };
    let Ok(due) = terms.due_date() else {
        // Hours strategies fail unless the timetable contains the start of the loan.
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
    let around = desk.between(today.saturating_sub(2.day()), today.saturating_add(2.day()), true);
    let table = Timetable::new(&around, zone);
    // For patrons, the end of an opening is still part of it.
    let last_moment = due.at - 1.millisecond();
    let open = |moment| matches!(table.place(moment), Place::Open(_));
    let name = zone.iana_name().unwrap_or_default();
    prop_assert!(open(due.at) || open(last_moment), "{} {}", due.at, name);
    Ok(())
}

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
