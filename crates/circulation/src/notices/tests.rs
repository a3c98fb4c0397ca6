//! When notices are due, and which are still relevant.

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Event, Happenings, Notice,
    scheduled::{Due, FEES, Fate, LOANS, REQUESTS, process},
    scheduling::{first_run, next_run, reminder},
    subject::Subject,
};
use crate::{
    configuration::Configuration,
    policies::Period,
    records::Loan,
    testing::{DESK, FINES, ITEM, NOTICES, at, configuration, records, with},
};

fn period(duration: i64, interval: &str) -> Period {
    Period { duration: Some(duration), interval_id: Some(interval.to_owned()) }
}

fn notice(how: &str, by: Value) -> Notice {
    let notice = json!({"templateId": Uuid::nil(), "format": "Email", "realTime": true,
        "sendOptions": {"sendHow": how, "sendWhen": "Due date", "sendBy": by}});
    serde_json::from_value(notice).expect("a notice")
}

#[test]
fn notices_are_due_around_their_event() {
    let event = at("2026-03-31T21:59:59Z");
    for (how, by, expected) in [
        ("Upon At", Value::Null, Some("2026-03-31T21:59:59Z")),
        ("Before", json!({"duration": 1, "intervalId": "Months"}), Some("2026-02-28T21:59:59Z")),
        ("Before", json!({"duration": 90, "intervalId": "Minutes"}), Some("2026-03-31T20:29:59Z")),
        ("After", json!({"duration": 2, "intervalId": "Weeks"}), Some("2026-04-14T21:59:59Z")),
        ("After", json!({"duration": 3, "intervalId": "Hours"}), Some("2026-04-01T00:59:59Z")),
        ("After", Value::Null, None),
        ("Before", json!({"duration": 0, "intervalId": "Days"}), None),
        ("After", json!({"duration": 1, "intervalId": "Eons"}), None),
    ] {
        let due = first_run(&notice(how, by.clone()), event);
        assert_eq!(due, expected.map(at), "{how} {by}");
    }
}

#[test]
fn what_recurs_is_due_a_period_later_and_never_in_the_past() {
    let daily = period(1, "Days");
    let last = at("2026-06-01T10:00:00Z");
    for (now, next) in [
        ("2026-06-01T10:05:00Z", "2026-06-02T10:00:00Z"),
        // No run for a week: the next one counts from now.
        ("2026-06-08T12:00:00Z", "2026-06-09T12:00:00Z"),
    ] {
        assert_eq!(next_run(last, &daily, at(now)), Some(at(next)));
    }
}

/// A loan policy with two reminders, a day and a week apart.
fn reminding(count_closed: bool) -> Configuration {
    reminding_after(1, count_closed)
}

/// The same, the first after so many days.
fn reminding_after(days: i64, count_closed: bool) -> Configuration {
    let reminder = |interval: i64, unit: &str| {
        json!({"interval": interval, "timeUnitId": unit, "reminderFee": 1, "noticeFormat": "Email",
            "noticeTemplateId": Uuid::nil()})
    };
    let policy = json!([{"id": FINES, "name": "Reminders", "reminderFeesPolicy": {"countClosed": count_closed,
        "reminderSchedule": [reminder(days, "day"), reminder(1, "week")]}}]);
    let hours = |day: &str| json!({"startDay": day, "startTime": "09:00", "endDay": day, "endTime": "17:00"});
    let open = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"].map(hours);
    let calendar = json!([{"id": DESK, "name": "All year", "startDate": "2026-01-01", "endDate": "2026-12-31",
        "assignments": [DESK], "normalHours": open, "exceptions": []}]);
    Configuration::read(1, &with(records(), json!({"overdueFinePolicies": policy, "calendars": calendar})))
}

fn loan(reminders: i64) -> Loan {
    let mut loan = json!({"id": Uuid::nil(), "overdueFinePolicyId": FINES, "checkoutServicePointId": DESK});
    if reminders > 0 {
        loan["reminders"] = json!({"lastFeeBilled": {"number": reminders, "date": "2026-06-05T00:00:00Z"}});
    }
    Loan::new(loan.as_object().cloned().expect("a loan"))
}

#[test]
fn reminders_follow_each_other_on_open_days() {
    // 2026-06-05 is a Friday.
    for (count_closed, reminders, from, due) in [
        (true, 0, "2026-06-05T10:00:00Z", Some("2026-06-06T10:00:00.000+00:00")),
        (false, 0, "2026-06-05T10:00:00Z", Some("2026-06-08T10:00:00.000+00:00")),
        (false, 0, "2026-06-04T10:00:00Z", Some("2026-06-05T10:00:00.000+00:00")),
        (false, 1, "2026-06-05T10:00:00Z", Some("2026-06-12T10:00:00.000+00:00")),
        (true, 2, "2026-06-05T10:00:00Z", None),
    ] {
        let record = reminder(&loan(reminders), at(from), &reminding(count_closed));
        let found = record.as_ref().and_then(|record| record["nextRunTime"].as_str());
        assert_eq!(found, due, "{count_closed} {reminders} {from}");
    }
    assert_eq!(reminder(&loan(0), at("2026-06-05T10:00:00Z"), &configuration()), None);
    let at_once = reminder(&loan(0), at("2026-06-05T10:00:00Z"), &reminding_after(0, false)).expect("a reminder");
    assert_eq!(at_once["nextRunTime"], "2026-06-05T10:00:00.000+00:00", "on the due date itself");
}

fn due(event: &str, timing: &str, subject: Value) -> Due {
    let mut about = json!({"user": {"id": Uuid::nil(), "patronGroup": Uuid::nil()}, "item": {"id": Uuid::nil(), "status": {"name": "Checked out"}}});
    if let (Some(about), Value::Object(subject)) = (about.as_object_mut(), subject) {
        about.extend(subject);
    }
    Due {
        id: Uuid::nil(),
        record: json!({"triggeringEvent": event, "nextRunTime": "2026-06-01T09:00:00.000+00:00",
            "noticeConfig": {"timing": timing, "templateId": Uuid::nil(), "format": "Email",
                "recurringPeriod": {"duration": 1, "intervalId": "Days"}}}),
        subject: serde_json::from_value::<Subject>(about).expect("a subject"),
    }
}

#[test]
fn only_what_still_makes_sense_is_sent() {
    let now = at("2026-06-01T10:00:00Z");
    let loan = |status: &str, due: &str| json!({"loan": {"status": {"name": status}, "dueDate": due}});
    let (soon, past) = ("2026-06-20T10:00:00Z", "2026-05-20T10:00:00Z");
    let lost = |status: &str| {
        let mut about = loan("Open", soon);
        about["item"] = json!({"id": Uuid::nil(), "status": {"name": status}});
        about
    };
    let billed = || {
        let mut about = loan("Open", soon);
        about["lostFees"] = true.into();
        about
    };
    let fee = |status: &str| {
        let mut about = loan("Closed", soon);
        about["account"] = json!({"status": {"name": status}});
        about
    };
    let request = |status: &str| json!({"request": {"status": status}});
    for (kind, event, timing, about, sent) in [
        (LOANS, "Due date", "Before", loan("Open", soon), true),
        (LOANS, "Due date", "Before", loan("Open", past), false),
        (LOANS, "Due date", "After", loan("Open", past), true),
        (LOANS, "Due date", "After", loan("Closed", past), false),
        (LOANS, "Due date", "After", lost("Aged to lost"), false),
        (LOANS, "Due date", "After", lost("Claimed returned"), false),
        (LOANS, "Due date", "After", json!({}), false),
        (LOANS, "Aged to lost", "After", lost("Aged to lost"), true),
        (LOANS, "Aged to lost", "After", lost("Declared lost"), false),
        (LOANS, "Aged to lost", "After", billed(), false),
        (FEES, "Aged to lost - fine charged", "Upon At", fee("Open"), true),
        (FEES, "Aged to lost - fine charged", "Upon At", fee("Closed"), false),
        (FEES, "Aged to lost & item returned - fine adjusted", "Upon At", fee("Closed"), true),
        (REQUESTS, "Request expiration", "Before", request("Open - Not yet filled"), true),
        (REQUESTS, "Request expiration", "Before", request("Closed - Filled"), false),
        (REQUESTS, "Request expiration", "Upon At", request("Closed - Unfilled"), true),
        (REQUESTS, "Request expiration", "Upon At", request("Closed - Cancelled"), false),
        (REQUESTS, "Hold expiration", "Upon At", request("Closed - Pickup expired"), true),
        (REQUESTS, "Hold expiration", "Upon At", request("Closed - Unfilled"), false),
    ] {
        let due = due(event, timing, about.clone());
        let processed = process(&[due], kind, &configuration(), now);
        assert_eq!(processed.letters.len(), usize::from(sent), "{event} {timing} {about}");
        let again = matches!(processed.fates[..], [Fate::Moved(_)]);
        assert_eq!(again, sent, "what is sent recurs, what is not is gone: {event} {timing} {about}");
    }
}

#[test]
fn what_cannot_be_made_is_told_and_gone() {
    let now = at("2026-06-01T10:00:00Z");
    let with = |members: Value| {
        let mut about =
            json!({"loan": {"status": {"name": "Open"}, "itemId": ITEM, "dueDate": "2026-05-20T10:00:00Z"}});
        about.as_object_mut().expect("members").extend(members.as_object().expect("members").clone());
        about
    };
    let request = || json!({"request": {"status": "Open - Not yet filled", "itemId": ITEM}, "item": null});
    for (kind, event, timing, about, told) in [
        (LOANS, "Due date", "After", with(json!({})), None),
        (LOANS, "Due date", "After", json!({}), Some("loan record with ID \"null\" cannot be found".to_owned())),
        (
            LOANS,
            "Due date",
            "After",
            with(json!({"user": null})),
            Some("user record with ID \"null\" cannot be found".into()),
        ),
        (
            LOANS,
            "Due date",
            "After",
            with(json!({"item": null})),
            Some(format!("item record with ID \"{ITEM}\" cannot be found")),
        ),
        (
            LOANS,
            "Due date",
            "After",
            with(json!({"user": {"id": Uuid::nil()}})),
            Some("Unable to apply circulation rules to a user with null value as patronGroupId".into()),
        ),
        (
            FEES,
            "Aged to lost - fine charged",
            "Upon At",
            with(json!({})),
            Some("feeFineAction record with ID \"null\" cannot be found".into()),
        ),
        (
            REQUESTS,
            "Request expiration",
            "Before",
            request(),
            Some(format!("item record with ID \"{ITEM}\" cannot be found")),
        ),
        (
            REQUESTS,
            "Hold expiration",
            "Before",
            json!({}),
            Some("request record with ID \"null\" cannot be found".into()),
        ),
    ] {
        let due = due(event, timing, about);
        let processed = process(&[due], kind, &configuration(), now);
        let failed: Vec<_> = processed.failures.into_iter().map(|failure| failure.error).collect();
        assert_eq!(
            (processed.letters.len(), failed),
            (usize::from(told.is_none()), told.clone().into_iter().collect())
        );
        assert_eq!(matches!(processed.fates[..], [Fate::Removed(_)]), told.is_some(), "{told:?}");
    }
}

#[test]
fn nothing_is_noted_that_no_policy_asks_for() {
    let noted = |configuration: &Configuration| {
        let mut happened = Happenings::new(configuration);
        happened.loan(Event::Renewed, Some(Uuid::nil())).loan(Event::DueDate, Some(Uuid::nil()));
        happened.into_value()
    };
    assert_eq!(noted(&configuration()), None);
    let notice = json!({"templateId": Uuid::nil(), "format": "Email", "sendOptions": {"sendWhen": "Renewed"}});
    let policies = json!([{"id": NOTICES, "loanNotices": [notice]}]);
    let asking = Configuration::read(1, &with(records(), json!({"noticePolicies": policies})));
    assert_eq!(noted(&asking), Some(json!([{"event": "Renewed", "loanId": Uuid::nil()}])));
}

#[test]
fn events_are_named_as_in_policies() {
    for event in [Event::CheckOut, Event::HoldExpiration, Event::AgedToLostReturned] {
        assert_eq!(Event::named(event.name()), Some(event));
    }
    assert_eq!(Event::named("Full moon"), None);
}

proptest! {
    #[test]
    fn what_recurs_comes_later_each_time(
        last in 0_i64..4_000_000_000, late in 0_i64..40_000_000, duration in 1_i64..400,
        unit in prop::sample::select(vec!["Minutes", "Hours", "Days", "Weeks", "Months"]),
    ) {
        let last = Timestamp::from_second(last).expect("a moment");
        let now = Timestamp::from_second(last.as_second() + late).expect("a moment");
        let next = next_run(last, &period(duration, unit), now).expect("a moment");
        prop_assert!(next > last && next >= now);
    }
}
