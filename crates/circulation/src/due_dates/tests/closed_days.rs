//! Due dates on closed days and outside opening hours.

use super::*;

#[test]
fn closed_time_is_left_by_the_strategy_of_the_policy() {
    const PREVIOUS: &str = "END_OF_THE_PREVIOUS_OPEN_DAY";
    const NEXT: &str = "END_OF_THE_NEXT_OPEN_DAY";
    const CURRENT: &str = "END_OF_THE_CURRENT_SERVICE_POINT_HOURS";
    const BEGINNING: &str = "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS";
    // 6 June 2025 is a Friday.
    for (management, loan_date, duration, interval, expected) in [
        ("CURRENT_DUE_DATE", "2025-06-06T10:00:00Z", 1, "Days", "2025-06-07T23:59:59Z"),
        ("anything", "2025-06-06T10:00:00Z", 1, "Days", "2025-06-07T23:59:59Z"),
        ("CURRENT_DUE_DATE_TIME", "2025-06-06T10:00:00Z", 1, "Days", "2025-06-07T10:00:00Z"),
        (PREVIOUS, "2025-06-05T10:00:00Z", 1, "Days", "2025-06-06T23:59:59Z"),
        (PREVIOUS, "2025-06-06T10:00:00Z", 1, "Days", "2025-06-06T23:59:59Z"),
        (NEXT, "2025-06-05T10:00:00Z", 1, "Days", "2025-06-06T23:59:59Z"),
        (NEXT, "2025-06-06T10:00:00Z", 1, "Days", "2025-06-09T23:59:59Z"),
        (NEXT, "2025-12-23T10:00:00Z", 1, "Days", "2025-12-29T23:59:59Z"),
        (NEXT, "2026-01-02T10:00:00Z", 1, "Days", "2026-01-04T23:59:59Z"),
        (CURRENT, "2025-06-06T10:00:00Z", 1, "Hours", "2025-06-06T11:00:00Z"),
        (CURRENT, "2025-06-06T10:00:00Z", 150, "Minutes", "2025-06-06T12:00:00Z"),
        (CURRENT, "2025-06-06T16:00:00Z", 2, "Hours", "2025-06-06T17:00:00Z"),
        (CURRENT, "2025-06-06T12:15:00Z", 30, "Minutes", "2025-06-06T17:00:00Z"),
        (CURRENT, "2025-06-06T16:00:00Z", 20, "Hours", "2025-06-06T17:00:00Z"),
        (BEGINNING, "2025-06-06T10:00:00Z", 1, "Hours", "2025-06-06T11:00:00Z"),
        (BEGINNING, "2025-06-06T11:30:00Z", 1, "Hours", "2025-06-06T13:15:00Z"),
        (BEGINNING, "2025-06-06T16:30:00Z", 1, "Hours", "2025-06-09T09:15:00Z"),
    ] {
        let mut loans = rolling(duration, interval, management);
        loans["openingTimeOffset"] = json!({"duration": 15, "intervalId": "Minutes"});
        let (policy, desk) = (policy(loans, json!({})), desk());
        let terms = terms(&policy, loan_date, &desk);
        let due = terms.due_date().map(|due| due.at);
        assert_eq!(due, Ok(at(expected)), "{management} {loan_date} {duration} {interval}");
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
    let policy = policy(rolling(5, "Hours", "END_OF_THE_CURRENT_SERVICE_POINT_HOURS"), json!({}));
    // 2 June 2025 is a Monday.
    assert_due(&terms(&policy, "2025-06-02T23:00:00Z", &night), "2025-06-03T03:00:00Z");
}

#[test]
fn a_desk_without_a_calendar_is_always_closed() {
    let closed = Openings::default();
    for (management, expected) in [
        ("CURRENT_DUE_DATE", Ok(at("2025-06-09T23:59:59Z"))),
        ("CURRENT_DUE_DATE_TIME", Ok(at("2025-06-09T10:00:00Z"))),
        ("END_OF_THE_PREVIOUS_OPEN_DAY", Err(TIMETABLE_ABSENT.into())),
        ("END_OF_THE_NEXT_OPEN_DAY", Err(TIMETABLE_ABSENT.into())),
        ("END_OF_THE_CURRENT_SERVICE_POINT_HOURS", Err(TIMETABLE_ABSENT.into())),
        ("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS", Err(TIMETABLE_ABSENT.into())),
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
