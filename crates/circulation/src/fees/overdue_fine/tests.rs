use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    records::{Instance, Item, Loan, Patron},
    testing::*,
};

const OWNER: Uuid = Uuid::from_u128(0xf0);
const DUE: &str = "2026-05-29T16:00:00Z";

/// A library that charges 0.25 per day, or 1.00 per hour after a recall; `policy` adds or replaces properties.
fn library(policy: Value) -> Configuration {
    let fines = json!({
        "id": FINES, "name": "Fines", "countClosed": true, "forgiveOverdueFine": false, "gracePeriodRecall": true,
        "overdueFine": {"quantity": 0.25, "intervalId": "day"}, "maxOverdueFine": 10,
        "overdueRecallFine": {"quantity": 1, "intervalId": "hour"}, "maxOverdueRecallFine": 0,
    });
    // Open from 10 to 18 on weekdays; 29 May 2026 is a Friday.
    let hours: Vec<_> = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
        .iter()
        .map(|day| json!({"startDay": day, "startTime": "10:00", "endDay": day, "endTime": "18:00"}))
        .collect();
    let calendar = json!({"id": DESK, "startDate": "2026-01-01", "endDate": "2026-12-31",
        "assignments": [DESK], "normalHours": hours, "exceptions": []});
    let mut records = with(
        records(),
        json!({
            "overdueFinePolicies": [with(fines, policy)],
            "feeOwners": [
                {"id": NOBODY, "owner": "Nowhere"},
                {"id": OWNER, "owner": "Main desk", "servicePointOwner": [{"value": DESK, "label": "Desk"}]},
            ],
            "calendars": [calendar],
            "lostItemPolicies": [{"id": LOST, "name": "Lost", "lostItemReturned": "Charge",
                "feesFinesShallRefunded": {"duration": 7, "intervalId": "Days"}}],
        }),
    );
    for policy in records["loanPolicies"].as_array_mut().expect("policies") {
        policy["loansPolicy"]["gracePeriod"] = json!({"duration": 2, "intervalId": "Hours"});
    }
    Configuration::read(1, &records)
}

struct Case {
    loan: Loan,
    item: Item,
}

impl Case {
    fn new(loan: Value, status: &str) -> Case {
        let record = json!({"id": NOBODY, "userId": READER, "itemId": ITEM, "dueDate": DUE,
            "overdueFinePolicyId": FINES, "lostItemPolicyId": LOST, "loanPolicyId": THREE_WEEKS});
        let record = with(record, loan);
        let item = with(item(), json!({"status": {"name": status}}));
        Case {
            loan: Loan::new(record.as_object().cloned().expect("an object")),
            item: serde_json::from_value(item).expect("an item"),
        }
    }

    fn charge(&self, library: &Configuration, returned: &str, renewed: bool) -> Option<Charge> {
        let instance: Instance = serde_json::from_value(instance()).expect("an instance");
        let borrower: Patron = serde_json::from_value(patron(READER)).expect("a patron");
        let subject = FeeSubject { loan: &self.loan, item: &self.item, instance: &instance, borrower: Some(&borrower) };
        let cause = Cause::at(Some(&borrower), Some(BRANCH));
        match renewed {
            true => at_renewal(subject, &cause, library, at(returned), Trace::OFF),
            false => at_return(subject, (at(returned), false), &cause, library, at(returned), Trace::OFF),
        }
    }

    fn fine(&self, library: &Configuration, returned: &str, renewed: bool) -> String {
        let charge = self.charge(library, returned, renewed);
        charge.map_or("none".into(), |c| crate::fees::money::printed(c.account.amount()))
    }
}

#[test]
fn being_late_costs_what_the_policy_says_to_the_cent() {
    let recalled = json!({"dueDateChangedByRecall": true});
    let none = json!({});
    for (policy, loan, returned, expected) in [
        // On time, within the grace period of two hours, and just beyond it.
        (none.clone(), none.clone(), "2026-05-29T16:00:00Z", "none"),
        (none.clone(), none.clone(), "2026-05-29T18:00:59Z", "none"),
        (none.clone(), none.clone(), "2026-05-29T18:01:00Z", "0.25"),
        // Each day or part of a day counts.
        (none.clone(), none.clone(), "2026-05-30T16:00:00Z", "0.25"),
        (none.clone(), none.clone(), "2026-05-30T16:01:00Z", "0.50"),
        (none.clone(), none.clone(), "2026-06-05T16:00:00Z", "1.75"),
        // The maximum: ten; no fine if it is missing, no limit if it is zero.
        (none.clone(), none.clone(), "2026-12-31T16:00:00Z", "10.00"),
        (json!({"maxOverdueFine": 0}), none.clone(), "2026-12-31T16:00:00Z", "54.00"),
        (json!({"maxOverdueFine": null}), none.clone(), "2026-12-31T16:00:00Z", "none"),
        // A missing quantity or interval, and an unknown interval.
        (json!({"overdueFine": null}), none.clone(), "2026-06-05T16:00:00Z", "none"),
        (json!({"overdueFine": {"quantity": 1}}), none.clone(), "2026-06-05T16:00:00Z", "none"),
        (json!({"overdueFine": {"quantity": 1, "intervalId": "eon"}}), none.clone(), "2026-06-05T16:00:00Z", "none"),
        (json!({"overdueFine": {"quantity": 0, "intervalId": "day"}}), none.clone(), "2026-06-05T16:00:00Z", "none"),
        (json!({"countClosed": null}), none.clone(), "2026-06-05T16:00:00Z", "0.50"),
        // Every interval.
        (
            json!({"overdueFine": {"quantity": 0.01, "intervalId": "minute"}}),
            none.clone(),
            "2026-05-29T19:00:00Z",
            "1.80",
        ),
        (json!({"overdueFine": {"quantity": 0.5, "intervalId": "hour"}}), none.clone(), "2026-05-29T19:01:00Z", "2.00"),
        (json!({"overdueFine": {"quantity": 2, "intervalId": "week"}}), none.clone(), "2026-06-05T16:01:00Z", "4.00"),
        (json!({"overdueFine": {"quantity": 3, "intervalId": "month"}}), none.clone(), "2026-06-29T16:00:00Z", "3.00"),
        (json!({"overdueFine": {"quantity": 9, "intervalId": "year"}}), none.clone(), "2026-06-29T16:00:00Z", "9.00"),
        // Half a cent is rounded up.
        (
            json!({"overdueFine": {"quantity": 0.125, "intervalId": "day"}}),
            none.clone(),
            "2026-05-30T16:00:00Z",
            "0.13",
        ),
        (
            json!({"overdueFine": {"quantity": 0.004, "intervalId": "day"}}),
            none.clone(),
            "2026-05-30T16:00:00Z",
            "none",
        ),
        // After a recall: other rates, and no grace period unless the policy grants it.
        (none.clone(), recalled.clone(), "2026-05-29T16:01:00Z", "1.00"),
        (none.clone(), recalled.clone(), "2026-05-30T16:00:00Z", "24.00"),
        (json!({"gracePeriodRecall": false}), recalled.clone(), "2026-05-29T18:00:00Z", "none"),
        (json!({"gracePeriodRecall": null}), recalled.clone(), "2026-05-29T18:00:00Z", "none"),
        (json!({"gracePeriodRecall": true}), recalled.clone(), "2026-05-29T18:00:00Z", "2.00"),
        (json!({"maxOverdueRecallFine": 5}), recalled, "2026-05-30T16:00:00Z", "5.00"),
        // Closed time: Friday from 16:00 to 18:00 counts, then Monday from 10:00.
        (json!({"countClosed": false}), none.clone(), "2026-05-29T23:00:00Z", "none"),
        (json!({"countClosed": false}), none.clone(), "2026-06-01T10:00:59Z", "none"),
        (json!({"countClosed": false}), none.clone(), "2026-06-01T10:01:00Z", "0.25"),
        (
            json!({"countClosed": false, "overdueFine": {"quantity": 1, "intervalId": "hour"}}),
            none,
            "2026-06-02T12:30:00Z",
            "10.00",
        ),
    ] {
        let library = library(policy.clone());
        let fine = Case::new(loan.clone(), "Checked out").fine(&library, returned, false);
        assert_eq!(fine, expected, "{policy} {loan} {returned}");
    }
}

#[test]
fn renewals_are_fined_unless_the_policy_forgives_them() {
    let case = Case::new(json!({}), "Checked out");
    for (forgives, expected) in [(json!(false), "0.50"), (json!(true), "none"), (Value::Null, "0.50")] {
        let library = library(json!({"forgiveOverdueFine": forgives}));
        assert_eq!(case.fine(&library, "2026-05-30T18:00:00Z", true), expected);
    }
}

#[test]
fn found_items_are_fined_while_their_fees_are_given_back() {
    let library = library(json!({}));
    for (loan, status, expected) in [
        (json!({"declaredLostDate": "2026-06-02T00:00:00Z"}), "Declared lost", "2.50"),
        (json!({"declaredLostDate": "2026-05-30T00:00:00Z"}), "Declared lost", "none"),
        (json!({"agedToLostDelayedBilling": {"agedToLostDate": "2026-06-02T00:00:00Z"}}), "Aged to lost", "2.50"),
        (json!({}), "Aged to lost", "none"),
        (json!({"lostItemPolicyId": NOBODY, "declaredLostDate": "2026-06-07T00:00:00Z"}), "Declared lost", "none"),
    ] {
        let case = Case::new(loan.clone(), status);
        assert_eq!(case.fine(&library, "2026-06-08T12:00:00Z", false), expected, "{loan}");
    }
}

#[test]
fn without_policy_owner_or_due_date_nothing_is_charged() {
    let library = library(json!({}));
    let late = "2026-06-08T12:00:00Z";
    for loan in [json!({"overdueFinePolicyId": NOBODY}), json!({"dueDate": null})] {
        assert_eq!(Case::new(loan, "Checked out").fine(&library, late, false), "none");
    }
    let mut elsewhere = Case::new(json!({}), "Checked out");
    elsewhere.item.effective_location_id = Some(NOBODY);
    assert_eq!(elsewhere.fine(&library, late, false), "none");
    let configuration = Configuration { fee_owners: Vec::new(), ..library };
    assert_eq!(Case::new(json!({}), "Checked out").fine(&configuration, late, false), "none");
}

#[test]
fn the_account_says_what_it_is_for_and_who_charges_it() {
    let case = Case::new(json!({"returnDate": "2026-05-30T18:00:00.000Z"}), "Checked out");
    let charge = case.charge(&library(json!({})), "2026-05-30T18:00:00Z", false).expect("a fine");
    assert_eq!(
        Value::Object(charge.account.into_record()),
        json!({
            "title": "A title", "barcode": "i-1", "callNumber": "QA 1", "location": "Stacks",
            "materialType": "book", "materialTypeId": BOOK, "loanId": NOBODY, "userId": READER, "itemId": ITEM,
            "dueDate": "2026-05-29T16:00:00.000+00:00", "returnedDate": "2026-05-30T18:00:00.000+00:00",
            "contributors": [{"name": "Author, First"}, {"name": "Author, Second"}],
            "loanPolicyId": THREE_WEEKS, "overdueFinePolicyId": FINES, "lostItemFeePolicyId": LOST,
            "amount": 0.5, "remaining": 0.5, "status": {"name": "Open"}, "paymentStatus": {"name": "Outstanding"},
            "feeFineId": crate::fees::types::OVERDUE_FINE, "feeFineType": "Overdue fine",
            "ownerId": OWNER, "feeFineOwner": "Main desk",
        })
    );
    assert_eq!(
        Value::Object(charge.movement),
        json!({
            "dateAction": "2026-05-30T18:00:00.000+00:00", "typeAction": "Overdue fine", "notify": false,
            "amountAction": 0.5, "balance": 0.5, "transactionInformation": "-", "createdAt": BRANCH,
            "source": "Reader, One", "userId": READER,
        })
    );
}

proptest! {
    /// The fine never falls with time or exceeds the maximum, and open hours never cost more than all hours.
    #[test]
    fn fines_grow_with_time_up_to_the_maximum(minutes in 0_i64..200_000, more in 0_i64..5_000, closed: bool) {
        let library = library(json!({"countClosed": closed}));
        let all = self::library(json!({"countClosed": true}));
        let case = Case::new(json!({}), "Checked out");
        let after = |minutes: i64| (at(DUE) + jiff::SignedDuration::from_mins(minutes)).to_string();
        let amount = |library: &Configuration, minutes| {
            let charge = case.charge(library, &after(minutes), false);
            charge.map_or(Decimal::ZERO, |charge| charge.account.amount())
        };
        let fine = amount(&library, minutes);
        prop_assert!(fine <= Decimal::TEN);
        prop_assert!(fine <= amount(&library, minutes + more));
        prop_assert!(fine <= amount(&all, minutes));
    }
}
