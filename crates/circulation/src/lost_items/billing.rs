//! Billing aged to lost items after the delay set by the policy (docs/folio/lost-items.md#billing-aged-items).

use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    fees::changes::{Cause, FeeChanges, FeeSubject},
    lost_items::{
        charges::{self, LostItem, policy_of},
        declared_lost::closed_as_paid,
    },
    policies::lost_item::Loss,
    records::Loan,
};

/// A billed loan.
#[derive(Debug, Clone, PartialEq)]
pub struct Billed {
    /// The updated loan.
    pub loan: Loan,
    /// True if nothing is charged: the loan closes, and the item becomes lost and paid.
    pub is_over: bool,
    /// The fees to charge.
    pub fees: FeeChanges,
}

/// Decides on a loan whose item aged to lost. `None` while the item's permanent location (its own, otherwise that of
/// its holdings) has no fee owner; the loan waits until it has one.
pub fn bill(
    subject: FeeSubject<'_>,
    permanent_location: Option<Uuid>,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Billed> {
    let mut loan = subject.loan.clone();
    loan.set_billed(true);
    if !policy_of(subject.loan, configuration).charges_anything(Loss::Aged) {
        return Some(Billed { loan: closed_as_paid(loan, now), is_over: true, fees: FeeChanges::default() });
    }
    let lost = LostItem {
        loss: Loss::Aged,
        since: subject.loan.lost_since().unwrap_or(now),
        subject,
        permanent_location,
        owner: configuration.fee_owner_at(permanent_location)?,
    };
    loan.empty_action();
    Some(Billed { loan, is_over: false, fees: charges::charge(lost, &Cause::system(), (configuration, now)) })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::*;

    fn billed(policy: Value, owners: Value) -> Option<Billed> {
        let policy = with(json!({"id": LOST, "name": "Lost"}), policy);
        let more = json!({"lostItemPolicies": [policy], "feeOwners": owners});
        let configuration = Configuration::read(1, &with(records(), more));
        let record = json!({"id": Uuid::from_u128(7), "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
            "action": "itemAgedToLost", "itemStatus": "Aged to lost", "lostItemPolicyId": LOST,
            "agedToLostDelayedBilling": {"lostItemHasBeenBilled": false,
                "agedToLostDate": "2026-05-01T00:00:00.000+00:00"}});
        let loan = Loan::new(record.as_object().cloned().expect("an object"));
        let item = serde_json::from_value(item()).expect("an item");
        let instance = serde_json::from_value(instance()).expect("an instance");
        let subject = FeeSubject { loan: &loan, item: &item, instance: &instance, borrower: None };
        bill(subject, Some(STACKS), &configuration, now())
    }

    #[test]
    fn what_the_policy_charges_decides_how_a_loan_goes_on() {
        let owners = json!([{"id": NOBODY, "owner": "Desk", "servicePointOwner": [{"value": DESK}]}]);
        let charging = json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10}});
        let waiting = json!({"chargeAmountItem": {"chargeType": "actualCost"}});
        for (policy, owners, expected) in [
            (charging.clone(), owners.clone(), Some(("", false, 1, 0))),
            (waiting, owners.clone(), Some(("", false, 0, 1))),
            (charging, json!([]), None),
            (json!({}), owners, Some(("closedLoan", true, 0, 0))),
            (json!({}), json!([]), Some(("closedLoan", true, 0, 0))),
        ] {
            let billed = billed(policy.clone(), owners);
            let found = billed.as_ref().map(|billed| {
                let action = billed.loan.record()["action"].as_str().unwrap_or("none");
                let (charges, costs) = (&billed.fees.charges, &billed.fees.new_costs);
                (action, billed.is_over, charges.len(), costs.len())
            });
            assert_eq!(found, expected, "{policy}");
            if let Some(billed) = &billed {
                let billing = &billed.loan.record()["agedToLostDelayedBilling"];
                assert_eq!(billing["lostItemHasBeenBilled"], true);
            }
        }
    }

    #[test]
    fn the_system_charges_as_of_the_day_of_the_loss() {
        let owners = json!([{"id": NOBODY, "owner": "Desk", "servicePointOwner": [{"value": DESK}]}]);
        let policy = json!({"chargeAmountItem": {"chargeType": "actualCost"}, "lostItemProcessingFee": 5,
            "chargeAmountItemSystem": true});
        let fees = billed(policy, owners).expect("a bill").fees;
        assert_eq!(fees.charges[0].movement["source"], "System");
        assert_eq!(fees.charges[0].movement.get("createdAt"), None);
        assert_eq!(fees.new_costs[0]["lossType"], "Aged to lost");
        assert_eq!(fees.new_costs[0]["lossDate"], "2026-05-01T00:00:00.000+00:00");
    }
}
