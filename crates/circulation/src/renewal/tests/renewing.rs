//! Changes made by a renewal.

use super::*;

#[test]
fn a_plain_renewal_changes_these_members_only() {
    let context = with_loan(json!({
        "renewalCount": 1, "reminders": {"lastFeeBilled": {"number": 0}}, "kept": "as it is",
    }));
    let renewal = renewed(&context, &usual());
    let expected = loan(json!({
        "renewalCount": 2, "kept": "as it is", "action": "renewed",
        "dueDate": "2026-06-26T23:59:59.000+00:00", "loanPolicyId": THREE_WEEKS,
    }));
    let mut expected = expected;
    expected.set_action_comment(None);
    assert_eq!(renewal.loan, expected);
    assert!(renewal.fees.is_empty());
    assert!(!renewal.item_comes_back);
}

#[test]
fn a_recall_that_is_over_no_longer_sets_the_due_date() {
    let context = with_loan(json!({"dueDateChangedByRecall": true}));
    let renewal = renewed(&context, &usual());
    assert!(!renewal.loan.is_due_by_recall());
}

#[test]
fn an_overdue_loan_is_fined() {
    let due = "2026-05-30T23:59:59.000+00:00";
    let from_now = json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "SYSTEM_DATE"}});
    let context = with_loan(json!({"dueDate": due}));
    let fines = json!({
        "overdueFinePolicies": [{"id": FINES, "name": "Fines", "countClosed": true, "forgiveOverdueFine": false,
            "overdueFine": {"quantity": 1, "intervalId": "day"}, "maxOverdueFine": 0}],
        "feeOwners": [{"id": NOBODY, "owner": "Desk", "servicePointOwner": [{"value": DESK}]}],
    });
    let renewal = renewed(&context, &library(from_now, fines));
    assert_eq!(renewal.fees.charges[0].account.record()["amount"], 2.0);
    assert_eq!(renewal.fees.charges[0].account.record()["dueDate"], due);
    assert_eq!(renewal.due, at("2026-06-22T23:59:59Z"));
}

#[test]
fn a_renewal_ends_before_the_registration_of_the_patron() {
    let soon = json!({"expirationDate": "2026-06-20T12:00:00Z"});
    let context =
        RenewalContext { borrower: serde_json::from_value(with(patron(READER), soon)).expect("a patron"), ..context() };
    let renewal = renewed(&context, &usual());
    assert_eq!(renewal.due, at("2026-06-20T12:00:00Z"));
    assert!(renewal.due_date_changed_by_near_expire_user);
}
