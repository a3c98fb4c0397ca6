//! Renewals: tables of due dates by policy, and a property over many policies, dates and time zones.

use jiff::{ToSpan, tz::TimeZone};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use super::*;
use crate::{calendars::Openings, testing::at, trace::Trace};

const NOW: &str = "2026-06-01T10:00:00Z";
const DUE: &str = "2026-06-05T23:59:59Z";

fn policy(loans: Value, renewals: Value, holds: Value) -> LoanPolicy {
    let record = json!({
        "id": "d9cd0bed-1b49-4b5e-a7bd-064b8d177231", "name": "Example", "loanable": true, "renewable": true,
        "loansPolicy": loans, "renewalsPolicy": renewals, "requestManagement": {"holds": holds},
    });
    serde_json::from_value(record).expect("a policy")
}

fn schedule(from: &str, to: &str, due: &str) -> FixedDueDateSchedule {
    let record = json!({"id": "9a1b1e47-3c1c-4b0e-9d5c-43e3fb4ab87b",
        "schedules": [{"from": from, "to": to, "due": due}]});
    serde_json::from_value(record).expect("a schedule")
}

fn renewed(
    policy: &LoanPolicy,
    schedule: Option<&FixedDueDateSchedule>,
    hold_is_first: bool,
) -> Result<Timestamp, Refusal> {
    let terms = Terms {
        policy,
        schedule,
        loan_date: Moment::utc(at(NOW)),
        hold_is_waiting: false,
        openings: &Openings::NONE,
        zone: &TimeZone::UTC,
        patron_expires: None,
        trace: Trace::OFF,
    };
    terms.renewed(RenewedAt { due: at(DUE), now: at(NOW), hold_is_first })
}

fn rolling() -> Value {
    json!({"profileId": "rolling", "period": {"duration": 2, "intervalId": "Weeks"}})
}

#[test]
fn rolling_loans_are_renewed_from_now_or_from_the_due_date() {
    let week = json!({"duration": 1, "intervalId": "Weeks"});
    let from = |id: &str| json!({"renewFromId": id});
    let differently = json!({"renewFromId": "SYSTEM_DATE", "differentPeriod": true, "period": week});
    let for_holds = json!({"alternateRenewalLoanPeriod": {"duration": 1, "intervalId": "Days"}});
    for (renewals, holds, hold_is_first, expected) in [
        (from("SYSTEM_DATE"), json!({}), false, "2026-06-15T10:00:00Z"),
        (from("CURRENT_DUE_DATE"), json!({}), false, "2026-06-19T23:59:59Z"),
        (differently.clone(), json!({}), false, "2026-06-08T10:00:00Z"),
        (differently.clone(), for_holds.clone(), false, "2026-06-08T10:00:00Z"),
        (differently, for_holds, true, "2026-06-02T10:00:00Z"),
    ] {
        let policy = policy(rolling(), renewals, holds);
        assert_eq!(renewed(&policy, None, hold_is_first), Ok(at(expected)));
    }
}

#[test]
fn schedules_cap_rolling_loans_and_fix_the_others() {
    let fixed = policy(json!({"profileId": "Fixed"}), json!({}), json!({}));
    let june = schedule("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z", "2026-06-10T00:00:00Z");
    let past = schedule("2020-06-01T00:00:00Z", "2020-06-02T00:00:00Z", "2020-06-10T00:00:00Z");
    let from_now = policy(rolling(), json!({"renewFromId": "SYSTEM_DATE"}), json!({}));
    let from_due = policy(rolling(), json!({"renewFromId": "CURRENT_DUE_DATE"}), json!({}));
    for (policy, schedule, expected) in [
        (&fixed, Some(&june), Ok(at("2026-06-10T00:00:00Z"))),
        (&fixed, Some(&past), Err(RENEWAL_OUTSIDE_FIXED_RANGES)),
        (&fixed, None, Err(RENEWAL_OUTSIDE_FIXED_RANGES)),
        (&from_now, Some(&june), Ok(at("2026-06-10T00:00:00Z"))),
        // A range must contain the moment from which the renewal counts.
        (&from_due, Some(&june), Err(RENEWAL_OUTSIDE_RANGES)),
        (&from_now, Some(&past), Err(RENEWAL_OUTSIDE_RANGES)),
    ] {
        let expected = expected.map_err(|wording| policy.named_in(wording));
        assert_eq!(renewed(policy, schedule, false), expected);
    }
}

#[test]
fn a_different_period_has_its_own_schedule() {
    let (usual, alternate) = (uuid::Uuid::from_u128(1), uuid::Uuid::from_u128(2));
    let schedules =
        [(usual, schedule(NOW, NOW, "2026-07-01T00:00:00Z")), (alternate, schedule(NOW, NOW, "2026-08-01T00:00:00Z"))];
    let find = |id| schedules.iter().find(|(known, _)| *known == id).map(|(_, found)| found);
    for (profile, different, named, expected) in [
        ("Rolling", false, Some(alternate), Some(0)),
        ("Rolling", true, Some(alternate), Some(1)),
        ("Rolling", true, None, Some(0)),
        ("Fixed", false, Some(alternate), Some(0)),
        ("Fixed", true, Some(alternate), Some(1)),
        ("Fixed", true, None, None),
    ] {
        let loans = json!({"profileId": profile, "fixedDueDateScheduleId": usual});
        let renewals = json!({"differentPeriod": different, "alternateFixedDueDateScheduleId": named});
        let policy = policy(loans, renewals, json!({}));
        let found = policy.renewal_schedule(find);
        let expected = expected.map(|index: usize| &schedules[index].1);
        assert_eq!(found, expected, "{profile} {different} {named:?}");
    }
}

#[test]
fn broken_policies_say_what_is_broken() {
    let from_now = json!({"renewFromId": "SYSTEM_DATE"});
    for (loans, renewals, message, code) in [
        (
            json!({"profileId": "Sliding"}),
            from_now.clone(),
            "profile \"Sliding\" in the loan policy is not recognised",
            "LOAN_POLICY_PROFILE_NOT_RECOGNIZED",
        ),
        (
            rolling(),
            json!({"renewFromId": "YESTERDAY"}),
            "cannot determine when to renew from",
            "LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED",
        ),
        (
            json!({"profileId": "Rolling"}),
            from_now.clone(),
            "the loan period in the loan policy is not recognised",
            "LOAN_POLICY_RENEWAL_PERIOD_NOT_RECOGNIZED",
        ),
        (
            json!({"profileId": "Rolling", "period": {"duration": 2, "intervalId": "Eons"}}),
            from_now.clone(),
            "the interval \"Eons\" in the loan policy is not recognised",
            "LOAN_POLICY_RENEWAL_PERIOD_INTERVAL_NOT_RECOGNIZED",
        ),
        (
            json!({"profileId": "Rolling", "period": {"duration": 0, "intervalId": "Days"}}),
            from_now,
            "the duration \"0\" in the loan policy is invalid",
            "LOAN_POLICY_RENEWAL_PERIOD_DURATION_INVALID",
        ),
    ] {
        let policy = policy(loans, renewals, json!({}));
        let fault = renewed(&policy, None, false).expect_err("a fault");
        let told = (fault.message(), fault.wording().code);
        assert_eq!(told, (message.to_owned(), Some(code)));
    }
}

proptest! {
    /// A renewal for a period from the due date always extends the loan, never past the cap. Moved to the end of the
    /// day, its date is never earlier, in any time zone.
    #[test]
    fn a_renewal_lengthens_the_loan_up_to_the_cap(
        days in 1_i64..400, due in 0_i64..2_000_000, cap in 1_i64..800,
        zone in select(vec!["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe"]),
    ) {
        let loans = json!({"profileId": "Rolling", "period": {"duration": days, "intervalId": "Days"}});
        let policy = policy(loans, json!({"renewFromId": "CURRENT_DUE_DATE"}), json!({}));
        let due = at("2025-01-01T00:00:00Z") + (due * 60).seconds();
        let last = due + (cap * 24).hours();
        let schedule = schedule("2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z", &last.to_string());
        let zone = TimeZone::get(zone).expect("a zone");
        let terms = Terms {
            policy: &policy, schedule: Some(&schedule), loan_date: Moment::utc(due), hold_is_waiting: false,
            openings: &Openings::NONE, zone: &zone, patron_expires: None,
            trace: Trace::OFF,
        };
        let date = terms.renewed(RenewedAt { due, now: due, hold_is_first: false }).expect("a date");
        prop_assert!(date > due && date <= last);
        let (moved, near_expiry) = terms.renewed_in_open_time(date, due).expect("a date");
        prop_assert!(moved >= date - 1.second() && !near_expiry);
    }
}
