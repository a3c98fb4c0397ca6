use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::{
    records::{Instance, Item, Patron},
    testing::*,
};

const OWNER: Uuid = Uuid::from_u128(0xf0);
const LOAN: Uuid = Uuid::from_u128(0xf1);

/// Lost items cost 100 plus a processing fee of 10; both are refundable for a week.
fn policy(more: Value) -> Configuration {
    let policy = json!({"id": LOST, "name": "Lost", "chargeAmountItem": {"chargeType": "anotherCost", "amount": 100},
        "lostItemProcessingFee": 10, "chargeAmountItemPatron": true, "chargeAmountItemSystem": true,
        "returnedLostItemProcessingFee": true,
        "lostItemChargeFeeFine": {"duration": 6, "intervalId": "Months"},
        "feesFinesShallRefunded": {"duration": 7, "intervalId": "Days"}});
    let lost = json!({"lostItemPolicies": [with(policy, more)]});
    Configuration::read(1, &with(records(), lost))
}

fn actual_cost() -> Value {
    json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 0}})
}

fn loan() -> Loan {
    let record = json!({"id": LOAN, "userId": READER, "itemId": ITEM, "lostItemPolicyId": LOST,
        "declaredLostDate": "2026-05-30T10:00:00.000+00:00"});
    Loan::new(record.as_object().cloned().expect("an object"))
}

fn charged(loss: Loss, configuration: &Configuration) -> FeeChanges {
    let item: Item = serde_json::from_value(item()).expect("an item");
    let instance: Instance = serde_json::from_value(instance()).expect("an instance");
    let borrower: Patron = serde_json::from_value(patron(READER)).expect("a patron");
    let subject = FeeSubject { loan: &loan(), item: &item, instance: &instance, borrower: Some(&borrower) };
    let owner = FeeOwner { id: OWNER, owner: "Main desk".into(), ..FeeOwner::default() };
    let lost = LostItem { loss, since: now(), subject, permanent_location: Some(STACKS), owner: &owner };
    charge(lost, &Cause::system(), (configuration, now()))
}

#[test]
fn a_loss_costs_the_item_and_the_work() {
    let (item_fee, work) = ("Lost item fee 100.00", "Lost item processing fee 10.00");
    for (more, loss, expected, costs) in [
        (json!({}), Loss::Declared, vec![item_fee, work], 0),
        (json!({}), Loss::Aged, vec![item_fee, work], 0),
        (json!({"chargeAmountItemPatron": false}), Loss::Declared, vec![item_fee], 0),
        (json!({"chargeAmountItemPatron": false}), Loss::Aged, vec![item_fee, work], 0),
        (json!({"chargeAmountItemSystem": false}), Loss::Aged, vec![item_fee], 0),
        (json!({"chargeAmountItem": null}), Loss::Aged, vec![work], 0),
        (json!({"lostItemProcessingFee": 0}), Loss::Aged, vec![item_fee], 0),
        (actual_cost(), Loss::Declared, vec![work], 1),
    ] {
        let changes = charged(loss, &policy(more.clone()));
        let told = changes.charges.iter().map(|charge| {
            let kind = charge.account.fee_type().expect("a type");
            format!("{kind} {}", money::printed(charge.account.amount()))
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{more} {loss:?}");
        assert_eq!(changes.new_costs.len(), costs, "{more} {loss:?}");
        let policy = policy_of(&loan(), &policy(more));
        assert!(policy.charges_anything(loss));
    }
}

#[test]
fn the_record_of_a_cost_to_be_found_out_says_what_is_lost() {
    let changes = charged(Loss::Declared, &policy(actual_cost()));
    let record = &changes.new_costs[0];
    assert_eq!(record["status"], "Open");
    assert_eq!(record["lossType"], "Declared lost");
    assert_eq!(record["lossDate"], "2026-06-01T10:00:00.000+00:00");
    assert_eq!(record["expirationDate"], "2026-12-01T10:00:00.000+00:00");
    assert_eq!(record["loan"], json!({"id": LOAN}));
    assert_eq!(record["user"]["patronGroup"], "staff");
    assert_eq!(record["item"]["effectiveLocation"], "Stacks");
    assert_eq!(record["item"]["permanentLocationId"], json!(STACKS));
    assert_eq!(record["item"]["permanentLocation"], "Stacks");
    assert_eq!(record["instance"]["title"], "A title");
    assert_eq!(record["instance"]["identifiers"], json!([]));
    assert_eq!(record["feeFine"]["owner"], "Main desk");
    assert_eq!(record["feeFine"]["type"], "Lost item fee (actual cost)");
}

fn account(id: u128, kind: &str, owed: [i64; 2], created: &str) -> ChargedAccount {
    let [amount, remaining] = owed.map(|cents| money::stored(Decimal::new(cents, 2)));
    let record = json!({"id": Uuid::from_u128(id), "userId": READER, "loanId": LOAN, "feeFineType": kind,
        "amount": amount, "remaining": remaining, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "metadata": {"createdDate": created}});
    let paid = money::stored(Decimal::new(owed[0] - owed[1], 2));
    let movement = json!({"typeAction": "Paid partially", "amountAction": paid});
    ChargedAccount {
        account: Account::new(record.as_object().cloned().expect("an object")),
        movements: [movement].iter().filter(|_| owed[0] > owed[1]).filter_map(|m| m.as_object().cloned()).collect(),
    }
}

fn given_back(more: Value, fees: &LostFees, now: &str) -> FeeChanges {
    let cause = Cause { source: Some("Librarian".into()), service_point: Some(DESK) };
    refund(Comeback::Returned, fees, &loan(), &cause, &policy(more), at(now))
}

const CHARGED: &str = "2026-05-30T10:00:00.000+00:00";
const SOON: &str = "2026-06-01T10:00:00Z";

#[test]
fn what_was_paid_goes_back_and_the_rest_is_cancelled() {
    let fees = LostFees {
        accounts: vec![
            account(1, "Lost item fee", [10_000, 4_000], CHARGED),
            account(2, "Lost item processing fee", [1_000, 1_000], "2026-05-30T10:01:00.000+00:00"),
        ],
        costs: Vec::new(),
    };
    let changes = given_back(json!({}), &fees, SOON);
    let told: Vec<_> = changes
        .movements
        .iter()
        .map(|m| format!("{} {}", m["typeAction"].as_str().expect("a type"), m["amountAction"]))
        .collect();
    assert_eq!(
        told,
        ["Cancelled item returned 10.0", "Credited fully 60.0", "Refunded fully 60.0", "Cancelled item returned 100.0",]
    );
    assert_eq!(changes.movements[1]["paymentMethod"], "Lost item found");
    assert_eq!(changes.movements[1]["source"], "Librarian");
    for (_, after) in &changes.accounts {
        assert!(after.is_settled());
        assert_eq!(after.payment_status_text(), Some("Cancelled item returned"));
    }
}

#[test]
fn fees_are_given_back_for_as_long_as_the_policy_says() {
    let accounts = |second: &str| LostFees {
        accounts: vec![
            account(1, "Lost item fee", [10_000, 10_000], CHARGED),
            account(2, "Lost item processing fee", [1_000, 1_000], second),
        ],
        costs: Vec::new(),
    };
    let (together, apart) = (CHARGED, "2026-05-30T10:02:00.000+00:00");
    for (more, second, now, expected) in [
        (json!({}), together, SOON, vec![2, 1]),
        (json!({}), together, "2026-06-06T10:00:00Z", vec![2, 1]),
        (json!({}), together, "2026-06-06T10:00:01Z", vec![]),
        (json!({"feesFinesShallRefunded": null}), together, "2027-06-06T10:00:01Z", vec![2, 1]),
        (
            json!({"feesFinesShallRefunded": {"duration": 0, "intervalId": "Days"}}),
            together,
            "2027-06-06T10:00:01Z",
            vec![2, 1],
        ),
        (json!({"returnedLostItemProcessingFee": false}), together, SOON, vec![1]),
        (json!({}), apart, SOON, vec![2]),
    ] {
        let changes = given_back(more.clone(), &accounts(second), now);
        let ids = changes.accounts.iter().map(|(before, _)| before.id().to_owned());
        let expected = expected.into_iter().map(|id| Uuid::from_u128(id).to_string());
        assert_eq!(ids.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{more} {now}");
    }
}

#[test]
fn nobody_finds_out_any_more_what_a_returned_item_costs() {
    let cost = |status: &str| json!({"id": NOBODY, "status": status, "metadata": {"createdDate": CHARGED}});
    let fees = |status: &str| LostFees {
        accounts: Vec::new(),
        costs: cost(status).as_object().cloned().into_iter().collect(),
    };
    let changes = given_back(actual_cost(), &fees("Open"), SOON);
    let (_, after) = &changes.costs[0];
    assert_eq!(after["status"], "Cancelled");
    assert_eq!(after["additionalInfoForStaff"], "Lost item was returned");
    assert!(given_back(actual_cost(), &fees("Billed"), SOON).is_empty());
    assert!(given_back(json!({}), &fees("Open"), SOON).is_empty());
}
