//! Loan periods, schedules, and due dates that are shortened.

use super::*;

#[test]
fn rolling_periods_are_counted_on_the_calendar() {
    for (duration, interval, loan_date, expected) in [
        (30, "Minutes", "2025-06-02T10:00:00Z", "2025-06-02T10:30:00Z"),
        (5, "Hours", "2025-06-02T22:00:00Z", "2025-06-03T03:00:00Z"),
        (3, "Days", "2025-06-02T10:00:00Z", "2025-06-05T10:00:00Z"),
        (2, "Weeks", "2025-06-02T10:00:00Z", "2025-06-16T10:00:00Z"),
        (1, "Months", "2025-01-31T10:00:00Z", "2025-02-28T10:00:00Z"),
        (1, "Months", "2025-01-31T23:30:00-05:00", "2025-03-01T04:30:00Z"),
    ] {
        let policy = policy(rolling(duration, interval, "CURRENT_DUE_DATE_TIME"), json!({}));
        let closed = Openings::default();
        assert_due(&terms(&policy, loan_date, &closed), expected);
    }
}

#[test]
fn broken_policies_say_what_is_broken() {
    for (loans, message) in [
        (json!({"profileId": "Sliding"}), "profile \"Sliding\" in the loan policy is not recognised"),
        (json!({}), "profile \"\" in the loan policy is not recognised"),
        (json!({"profileId": "rolling"}), "the loan period in the loan policy is not recognised"),
        (
            json!({"profileId": "Rolling", "period": {"intervalId": "Days"}}),
            "the loan period in the loan policy is not recognised",
        ),
        (rolling(1, "Eons", ""), "the interval \"Eons\" in the loan policy is not recognised"),
        (rolling(0, "Days", ""), "the duration \"0\" in the loan policy is invalid"),
        (rolling(-4, "Days", ""), "the duration \"-4\" in the loan policy is invalid"),
        (rolling(i64::MAX, "Weeks", ""), "the duration \"9223372036854775807\" in the loan policy is invalid"),
        (json!({"profileId": "Fixed"}), "loan date falls outside of the date ranges in the loan policy"),
    ] {
        let policy = policy(loans, json!({}));
        let closed = Openings::default();
        let refusal = terms(&policy, "2025-06-02T10:00:00Z", &closed).due_date();
        let refusal = refusal.expect_err(message);
        assert_eq!(refusal.message(), message);
    }
}

#[test]
fn schedules_fix_or_cap_the_date() {
    let first_and_second = schedule(&[
        ("2025-01-01T00:00:00Z", "2025-06-30T23:59:59Z", "2025-06-20T12:00:00Z"),
        ("2025-06-01", "2025-12-31", "2025-12-20T12:00:00Z"),
    ]);
    let fixed = json!({"profileId": "FIXED", "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"});
    for (loans, loan_date, expected) in [
        (fixed.clone(), "2025-06-02T10:00:00Z", Some("2025-06-20T12:00:00Z")),
        (fixed.clone(), "2025-07-01T10:00:00Z", Some("2025-12-20T12:00:00Z")),
        (fixed, "2026-01-01T00:00:00Z", None),
        (rolling(1, "Weeks", "CURRENT_DUE_DATE_TIME"), "2025-06-02T10:00:00Z", Some("2025-06-09T10:00:00Z")),
        (rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"), "2025-06-02T10:00:00Z", Some("2025-06-20T12:00:00Z")),
        (rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"), "2026-06-02T10:00:00Z", None),
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
    let fixed = json!({"profileId": "Fixed", "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"});
    for (loans, waiting, expected, marked) in [
        (rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"), false, "2025-06-23T10:00:00Z", false),
        (rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"), true, "2025-06-04T10:00:00Z", true),
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
fn a_loan_ends_before_the_registration_of_the_patron() {
    // The registration expires on Monday 9 June 2025 at 14:00.
    for (management, expected) in [
        ("CURRENT_DUE_DATE", "2025-06-09T14:00:00Z"),
        ("CURRENT_DUE_DATE_TIME", "2025-06-09T14:00:00Z"),
        ("END_OF_THE_PREVIOUS_OPEN_DAY", "2025-06-06T23:59:59Z"),
        ("END_OF_THE_NEXT_OPEN_DAY", "2025-06-06T23:59:59Z"),
        ("END_OF_THE_CURRENT_SERVICE_POINT_HOURS", "2025-06-09T12:00:00Z"),
        ("BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS", "2025-06-09T12:00:00Z"),
    ] {
        let (policy, desk) = (policy(rolling(2, "Weeks", management), json!({})), desk());
        let mut terms = terms(&policy, "2025-06-02T10:00:00Z", &desk);
        terms.patron_expires = Some(at("2025-06-09T14:00:00Z"));
        assert!(assert_due(&terms, expected).changed_by_near_expire_user, "{management}");
        terms.patron_expires = Some(at("2026-01-01T00:00:00Z"));
        let later = terms.due_date().expect("a due date");
        assert!(!later.changed_by_near_expire_user, "{management}");
    }
}

#[test]
fn days_end_and_begin_in_the_zone_of_the_library() {
    let policy = policy(rolling(1, "Days", "CURRENT_DUE_DATE"), json!({}));
    for (name, loan_date, expected) in [
        ("America/New_York", "2025-06-02T02:00:00Z", "2025-06-03T03:59:59Z"),
        // Daylight saving time begins on 30 March and ends on 26 October 2025.
        ("Europe/Berlin", "2025-03-29T12:00:00Z", "2025-03-30T21:59:59Z"),
        ("Europe/Berlin", "2025-10-25T12:00:00Z", "2025-10-26T22:59:59Z"),
        ("Pacific/Auckland", "2025-06-02T13:00:00Z", "2025-06-04T11:59:59Z"),
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
        (json!({}), "2025-06-10T10:00:00Z", Ok("2025-06-10T10:00:00Z")),
        (json!({"recallReturnInterval": days(3)}), "2025-06-10T10:00:00Z", Ok("2025-06-13T10:00:00Z")),
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
            "2025-06-10T10:00:00Z",
            Ok("2025-06-16T10:00:00Z"),
        ),
        (json!({"minimumGuaranteedLoanPeriod": days(30)}), "2025-06-10T10:00:00Z", Ok("2025-07-02T10:00:00Z")),
        (json!({"recallReturnInterval": days(60)}), "2025-06-10T10:00:00Z", Ok(due)),
        (json!({"recallReturnInterval": days(3)}), "2025-07-10T10:00:00Z", Ok(due)),
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
        let policy = policy(rolling(3, "Weeks", "CURRENT_DUE_DATE_TIME"), recalls(members.clone()));
        let closed = Openings::default();
        let terms = terms(&policy, "2025-06-02T10:00:00Z", &closed);
        let recalled = terms.recalled(at(due), at(now)).map(|(date, _)| date);
        let recalled = recalled.map_err(|refusal| refusal.message());
        let expected = expected.map(at).map_err(str::to_owned);
        assert_eq!(recalled, expected, "{members}");
    }
}
