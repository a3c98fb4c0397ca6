//! Loan records: refusals, and the effects of a change.

use serde_json::{Value, json};

use super::*;
use crate::testing::*;

const LOAN: Uuid = uuid::uuid!("00000000-0000-4000-8000-0000000000c1");

fn loan(members: Value) -> Loan {
    let record = json!({
        "id": LOAN, "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
        "loanDate": "2026-05-01T10:00:00Z", "dueDate": "2026-05-22T23:59:59.000+00:00",
        "action": "checkedout",
    });
    Loan::new(with(record, members).as_object().cloned().expect("an object"))
}

fn context(item_status: &str) -> LoanContext {
    LoanContext {
        item: serde_json::from_value(with(item(), json!({"status": {"name": item_status}}))).ok(),
        instance: serde_json::from_value(instance()).expect("an instance"),
        patron: serde_json::from_value(patron(READER)).ok(),
        ..LoanContext::default()
    }
}

/// An open loan.
fn lent() -> LoanContext {
    LoanContext { existing: Some(loan(json!({}))), ..context("Checked out") }
}

fn told(outcome: Result<LoanChange, Refused>) -> String {
    match outcome {
        Err(refused) => refused.0[0].message(),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn new_loans_are_checked_in_order() {
    let closed = json!({"status": {"name": "Closed"}, "userId": null});
    let cases = [
        ("Available", json!({"status": {"name": "Lost"}}), "Loan status must be \"Open\" or \"Closed\""),
        ("Available", json!({"status": null}), "Loan status must be \"Open\" or \"Closed\""),
        ("Available", json!({"userId": null}), "Open loan must have a user ID"),
        ("Available", json!({"checkoutServicePointId": LOAN}), "Check Out Service Point does not exist"),
        ("Available", json!({"checkinServicePointId": "x"}), "Check In Service Point does not exist"),
        ("Checked out", json!({}), "Item is already checked out"),
        ("Missing", closed, "A title (book) (Barcode: i-1) has the item status Missing, loan cannot be created"),
        ("Available", json!({"proxyUserId": OTHER_READER}), "proxyUserId is not valid"),
        ("Available", json!({"proxyUserId": READER}), "User cannot be proxy for themselves"),
    ];
    for (status, members, message) in cases {
        let outcome = create(&context(status), &configuration(), loan(members), now());
        assert_eq!(told(outcome), message);
    }
    let nowhere = LoanContext { item: None, ..context("Available") };
    let message = format!("No item with ID {ITEM} could be found");
    assert_eq!(told(create(&nowhere, &configuration(), loan(json!({})), now())), message);
    let nobody = LoanContext { patron: None, ..context("Available") };
    assert_eq!(told(create(&nobody, &configuration(), loan(json!({})), now())), "user is not found");
}

#[test]
fn a_new_open_loan_takes_the_item_and_fills_the_request() {
    let queued = |value| serde_json::from_value(value).expect("a request");
    let own = LoanContext { requests: vec![queued(request(1, READER, 1))], ..context("Available") };
    let change = create(&own, &configuration(), loan(json!({})), now()).expect("a change");
    assert_eq!(change.item_status.map(ItemStatus::name), Some("Checked out"));
    assert_eq!(change.filled, Some(Uuid::from_u128(1)));
    assert_eq!(change.loan.loan_policy_id(), Some(THREE_WEEKS));
    assert_eq!(change.loan.record()["itemStatus"], "Checked out");
    let others = vec![queued(request(1, OTHER_READER, 1))];
    let others = LoanContext { requests: others, ..context("Available") };
    let message = told(create(&others, &configuration(), loan(json!({})), now()));
    assert!(message.ends_with("because it has been requested by another patron"), "{message}");
}

#[test]
fn changed_loans_are_checked_in_order() {
    let unknown = LoanContext { existing: None, ..lent() };
    let outcome = replace(&unknown, &configuration(), loan(json!({})), now());
    assert_eq!(outcome, Err(refusal::NO_SUCH_LOAN.into()));
    let closed = loan(json!({"status": {"name": "Closed"}}));
    let message = "A Closed loan must have a Checkin Service Point";
    assert_eq!(told(replace(&lent(), &configuration(), closed, now())), message);
    let later = json!({"dueDate": "2026-06-22T23:59:59.000+00:00"});
    for status in ["Declared lost", "Claimed returned", "Aged to lost"] {
        let context = LoanContext { existing: Some(loan(json!({}))), ..context(status) };
        let outcome = replace(&context, &configuration(), loan(later.clone()), now());
        assert_eq!(told(outcome), format!("item is {status}"));
        let same = replace(&context, &configuration(), loan(json!({})), now()).expect("a change");
        assert_eq!(same.item_status, None, "the item stays {status}");
    }
}

#[test]
fn closing_a_loan_frees_the_item_or_hands_it_on() {
    let closed = || loan(json!({"status": {"name": "Closed"}, "checkinServicePointId": DESK}));
    let change = replace(&lent(), &configuration(), closed(), now()).expect("a change");
    assert_eq!(change.item_status.map(ItemStatus::name), Some("Available"));
    let requests = vec![serde_json::from_value(request(1, OTHER_READER, 1)).expect("a request")];
    let context = LoanContext { requests, ..lent() };
    let change = replace(&context, &configuration(), closed(), now()).expect("a change");
    assert_eq!(change.item_status.map(ItemStatus::name), Some("Awaiting pickup"));
    let fulfilled = change.fulfilled.expect("a request").request;
    assert_eq!(fulfilled.status_text(), Some("Open - Awaiting pickup"));
}

#[test]
fn a_closed_loan_that_changes_leaves_the_item_alone() {
    let existing = loan(json!({"status": {"name": "Closed"}, "agedToLostDelayedBilling": {"a": 1}}));
    let context = LoanContext { existing: Some(existing), ..context("Checked out") };
    let closed = loan(json!({"status": {"name": "Closed"}, "checkinServicePointId": DESK}));
    let change = replace(&context, &configuration(), closed, now()).expect("a change");
    assert_eq!(change.item_status, None);
    let kept = change.loan.record().get("agedToLostDelayedBilling");
    assert_eq!(kept, Some(&json!({"a": 1})), "hidden members are kept");
}

#[test]
fn notes_need_a_kind_and_a_text() {
    for (action, comment) in [
        (None, Some("text")),
        (Some("renewed"), Some("text")),
        (Some("staffInfoAdded"), None),
        (Some("staffInfoAdded"), Some(" ")),
    ] {
        let message = told(add_info(&lent(), action, comment));
        assert!(message.starts_with("An action of type patronInfoAdded or staffInfoAdded"));
    }
    let change = add_info(&lent(), Some("patronInfoAdded"), Some("text")).expect("a change");
    assert_eq!(change.loan.record()["action"], "patronInfoAdded");
    assert_eq!(change.loan.record()["actionComment"], "text");
}

#[test]
fn a_due_date_set_by_hand_ends_the_recall() {
    let recalled = json!({"dueDateChangedByRecall": true, "reminders": {"a": 1}});
    let context = LoanContext { existing: Some(loan(recalled)), ..context("Checked out") };
    let due = Some("2026-07-01T12:00:00+02:00");
    let change = change_due_date(&context, &configuration(), due).expect("a change");
    assert_eq!(change.loan.due_date_text(), Some("2026-07-01T10:00:00.000+00:00"));
    assert_eq!(change.loan.record()["action"], "checkedout", "the action stays");
    assert_eq!(change.loan.record().get("dueDateChangedByRecall"), Some(&json!(false)));
    assert_eq!(change.loan.record().get("reminders"), None);
    let mut row = request(1, OTHER_READER, 1);
    row["request"]["requestType"] = "Recall".into();
    let requests = vec![serde_json::from_value(row).expect("a request")];
    let context = LoanContext { requests, ..context };
    let change = change_due_date(&context, &configuration(), due).expect("a change");
    assert_eq!(change.loan.record().get("dueDateChangedByRecall"), Some(&json!(true)));
}

#[test]
fn due_dates_that_cannot_be_changed() {
    let missing = "A new due date is required in order to change the due date";
    for due in [None, Some("soon")] {
        assert_eq!(told(change_due_date(&lent(), &configuration(), due)), missing);
    }
    let due = Some("2026-07-01");
    let closed = Some(loan(json!({"status": {"name": "Closed"}})));
    let closed = LoanContext { existing: closed, ..lent() };
    assert_eq!(told(change_due_date(&closed, &configuration(), due)), "Loan is closed");
    let lost = LoanContext { existing: Some(loan(json!({}))), ..context("Declared lost") };
    assert_eq!(told(change_due_date(&lost, &configuration(), due)), "item is Declared lost");
}

#[test]
fn a_claim_to_have_returned_an_item_marks_loan_and_item() {
    let date = Some("2026-05-20T12:00:00+02:00");
    let change = claim_returned(&lent(), date, Some("It was raining")).expect("a change");
    assert_eq!(change.item_status.map(ItemStatus::name), Some("Claimed returned"));
    assert_eq!(change.loan.record()["action"], "claimedReturned");
    assert_eq!(change.loan.record()["actionComment"], "It was raining");
    assert_eq!(change.loan.record()["claimedReturnedDate"], "2026-05-20T10:00:00.000+00:00");
    assert_eq!(change.loan.record()["itemStatus"], "Claimed returned");
    let missing = "Item claimed returned date is a required field";
    assert_eq!(told(claim_returned(&lent(), None, None)), missing);
    let closed = Some(loan(json!({"status": {"name": "Closed"}})));
    let closed = LoanContext { existing: closed, ..lent() };
    assert_eq!(told(claim_returned(&closed, date, None)), "Loan is closed");
}
