//! Use at location: refusals, hold periods, and what the loans record.

use refusals::ErrorEntry;
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::{records::ItemStatus, refusal::TIMETABLE_ABSENT, testing::*};

const LOAN: Uuid = Uuid::from_u128(7);

/// Loans by `policy` for use at location; the service point is open from 10:00 to 18:00, Monday to Friday.
fn library(policy: Value, closed: Option<&str>) -> Configuration {
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    let hours = days.map(|day| json!({"startDay": day, "startTime": "10:00", "endDay": day, "endTime": "18:00"}));
    let calendar = json!({"id": DESK, "startDate": "2026-01-01", "endDate": "2026-12-31",
        "assignments": [DESK], "normalHours": hours, "exceptions": []});
    let mut records = with(records(), json!({"calendars": [calendar]}));
    records["loanPolicies"][0]["loansPolicy"] = policy;
    records["servicePoints"][0]["holdShelfClosedLibraryDateManagement"] = json!(closed);
    Configuration { use_at_location: true, ..Configuration::read(1, &records) }
}

fn reading(duration: i64, interval: &str) -> Value {
    let period = json!({"duration": duration, "intervalId": interval});
    json!({"forUseAtLocation": true, "holdShelfExpiryPeriodForUseAtLocation": period})
}

/// A book on loan for use at location.
fn context(members: Value) -> UsageContext {
    let loan = json!({"id": LOAN, "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
        "forUseAtLocation": {"status": "In use", "statusDate": "2026-05-01T10:00:00.000+00:00"},
        "action": "checkedout", "actionComment": "Agreed", "itemStatus": "Available", "loanPolicyId": THREE_WEEKS,
        "checkoutServicePointId": DESK});
    UsageContext {
        item: serde_json::from_value(item()).expect("an item"),
        instance: serde_json::from_value(instance()).expect("an instance"),
        loan: with(loan, members).as_object().cloned().map(Loan::new),
        borrower: serde_json::from_value(patron(READER)).expect("a reader"),
    }
}

fn hold() -> UsageCommand {
    UsageCommand::hold(&json!({"itemBarcode": "i-1"})).expect("a command")
}

fn pick_up() -> UsageCommand {
    let body = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    UsageCommand::pick_up(&body).expect("a command")
}

fn changed(context: &UsageContext, library: &Configuration, command: &UsageCommand) -> Value {
    let change = decide(context, library, command, now()).expect("a change");
    assert_eq!(change.now_is.stored()["status"], change.now_is.computed()["status"]);
    Value::Object(change.loan.into_record())
}

#[test]
fn an_item_waits_for_its_reader_by_policy_and_calendar() {
    // The hold begins on Monday, 1 June, at 10:00.
    for (duration, interval, closed, expected) in [
        (3, "Days", None, "2026-06-04T23:59:59.000+00:00"),
        (5, "Days", None, "2026-06-06T23:59:59.000+00:00"),
        (5, "Days", Some("Keep_the_current_due_date"), "2026-06-06T23:59:59.000+00:00"),
        (5, "Days", Some("Keep_the_current_due_date_time"), "2026-06-06T10:00:00.000+00:00"),
        (5, "Days", Some("Move_to_the_end_of_the_previous_open_day"), "2026-06-05T23:59:59.000+00:00"),
        (5, "Days", Some("Move_to_the_end_of_the_next_open_day"), "2026-06-08T23:59:59.000+00:00"),
        (3, "Days", Some("Move_to_the_end_of_the_next_open_day"), "2026-06-04T23:59:59.000+00:00"),
        (9, "Hours", Some("Move_to_end_of_current_service_point_hours"), "2026-06-02T18:00:00.000+00:00"),
        (9, "Hours", Some("Keep_the_current_due_date"), "2026-06-01T23:59:59.000+00:00"),
        (1, "Months", Some("Keep_the_current_due_date_time"), "2026-07-01T10:00:00.000+00:00"),
    ] {
        let library = library(reading(duration, interval), closed);
        let loan = changed(&context(json!({})), &library, &hold());
        let expected = json!({"status": "Held", "statusDate": "2026-06-01T10:00:00.000+00:00",
            "holdShelfExpirationDate": expected});
        assert_eq!(loan["forUseAtLocation"], expected, "{duration} {interval} {closed:?}");
    }
}

#[test]
fn an_item_waits_without_end_when_nobody_says_how_long() {
    let home = json!({"forUseAtLocation": false,
        "holdShelfExpiryPeriodForUseAtLocation": {"duration": 3, "intervalId": "Days"}});
    let held = json!({"status": "Held", "statusDate": "2026-06-01T10:00:00.000+00:00"});
    let unknown = json!({"loanPolicyId": NOBODY});
    for (policy, members) in [
        (json!({"forUseAtLocation": true}), json!({})),
        (home, json!({})),
        (reading(0, "Days"), json!({})),
        (reading(3, "Centuries"), json!({})),
        (reading(i64::MAX, "Months"), json!({})),
        (reading(3, "Days"), unknown),
    ] {
        let library = library(policy.clone(), None);
        let loan = changed(&context(members), &library, &hold());
        assert_eq!(loan["forUseAtLocation"], held, "{policy}");
    }
    let nowhere = context(json!({"checkoutServicePointId": NOBODY}));
    let loan = changed(&nowhere, &library(reading(3, "Days"), None), &hold());
    let until = &loan["forUseAtLocation"]["holdShelfExpirationDate"];
    assert_eq!(until, "2026-06-04T23:59:59.000+00:00", "no calendar");
}

#[test]
fn a_loan_says_what_became_of_its_item_and_little_else_changes() {
    let library = library(reading(3, "Days"), None);
    let mut context = context(json!({}));
    let item = context.item.as_mut().expect("an item");
    item.status.name = Some(ItemStatus::CheckedOut);
    let before = Value::Object(context.loan.clone().expect("a loan").into_record());
    for (command, action, status) in [
        (hold(), "heldForUseAtLocation", "Held"),
        (pick_up(), "pickedUpForUseAtLocation", "In use"),
        (pick_up(), "pickedUpForUseAtLocation", "In use"),
        (hold(), "heldForUseAtLocation", "Held"),
        (hold(), "heldForUseAtLocation", "Held"),
    ] {
        let loan = changed(&context, &library, &command);
        let until = loan["forUseAtLocation"].get("holdShelfExpirationDate");
        assert_eq!(until.is_some(), status == "Held", "{action}");
        let told = json!({"forUseAtLocation": loan["forUseAtLocation"], "action": action,
            "itemStatus": "Checked out"});
        assert_eq!(loan["forUseAtLocation"]["status"], status);
        assert_eq!(loan, with(before.clone(), told));
        context.loan = loan.as_object().cloned().map(Loan::new);
    }
}

#[test]
fn dates_are_shown_as_computed_and_kept_as_stored() {
    let library = library(reading(3, "Days"), None);
    let change = decide(&context(json!({})), &library, &hold(), now()).expect("a change");
    assert_eq!(
        change.now_is.computed(),
        json!({"status": "Held", "statusDate": "2026-06-01T10:00:00.000Z",
            "holdShelfExpirationDate": "2026-06-04T23:59:59.000Z"})
    );
}

#[test]
fn what_speaks_against_it_is_told_in_order() {
    let on = library(reading(3, "Days"), None);
    let mut off = on.clone();
    off.use_at_location = false;
    let mut taken_home = context(json!({}));
    if let Some(loan) = &mut taken_home.loan {
        loan.set_use_at_location(None);
    }
    let no_loan = UsageContext { loan: None, ..context(json!({})) };
    let nobody = UsageContext { borrower: None, ..taken_home.clone() };
    let mut other = taken_home.clone();
    if let Some(borrower) = &mut other.borrower {
        borrower.barcode = Some("P-1".to_owned());
    }
    let disabled = "For-use-at-location is not enabled for this tenant.";
    let not_open = "No open loan found for the item barcode. (i-1)";
    let not_theirs = "No open loan found for item barcode and user  (i-1 and p-1).";
    let not_held = "The loan is open but is not for use at location., item barcode (i-1)";
    let not_read = "The loan is open but is not for use at location, item barcode (i-1)";
    for (context, configuration, command, text) in [
        (UsageContext::default(), &off, hold(), disabled),
        (UsageContext::default(), &off, pick_up(), disabled),
        (UsageContext::default(), &on, hold(), not_open),
        (UsageContext::default(), &on, pick_up(), not_theirs),
        (no_loan.clone(), &on, hold(), not_open),
        (no_loan, &on, pick_up(), not_theirs),
        (nobody.clone(), &on, pick_up(), not_theirs),
        (other, &on, pick_up(), not_theirs),
        (nobody, &on, hold(), not_held),
        (taken_home, &on, pick_up(), not_read),
    ] {
        let refusal = decide(&context, configuration, &command, now()).expect_err(text);
        assert_eq!((refusal.wording().status, refusal.message()), (400, text.to_owned()));
    }
}

#[test]
fn a_closed_library_without_a_calendar_keeps_nothing() {
    let management = "Move_to_the_end_of_the_next_open_day";
    let mut library = library(reading(3, "Days"), Some(management));
    library.openings.clear();
    let refusal = decide(&context(json!({})), &library, &hold(), now()).expect_err("a refusal");
    assert_eq!(refusal, TIMETABLE_ABSENT.into());
    let picked_up = decide(&context(json!({})), &library, &pick_up(), now());
    assert!(picked_up.is_ok(), "{picked_up:?}");
}

#[test]
fn a_request_names_the_item_and_who_fetches_it() {
    let hold = "Request to put item on hold shelf must have an item barcode";
    let no_item = "Request to pick up from hold shelf must have an item barcode";
    let nobody = "Request to pick up from hold shelf must have a user barcode";
    for (read, body, message, member) in [
        (UsageCommand::hold as fn(&Value) -> _, json!({}), hold, "itemBarcode"),
        (UsageCommand::hold, json!({"itemBarcode": " "}), hold, "itemBarcode"),
        (UsageCommand::hold, json!([]), hold, "itemBarcode"),
        (UsageCommand::pick_up, json!({"userBarcode": "p-1"}), no_item, "itemBarcode"),
        (UsageCommand::pick_up, json!({"itemBarcode": true, "userBarcode": true}), no_item, "itemBarcode"),
        (UsageCommand::pick_up, json!({"itemBarcode": "i-1"}), nobody, "userBarcode"),
    ] {
        let refusal = read(&body).expect_err(message);
        assert_eq!(refusal.entry(), ErrorEntry::plain(message, member, None));
    }
    let numbers = json!({"itemBarcode": 1, "userBarcode": 2});
    let command = UsageCommand::pick_up(&numbers).expect("a command");
    assert_eq!(command.item_barcode(), "1");
}
