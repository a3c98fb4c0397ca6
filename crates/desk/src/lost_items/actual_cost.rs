//! Billing what a lost item really costs, or not, from the read to the write. Two round trips.

use circulation::{
    fees::changes::{Cause, FeeChanges},
    lost_items::actual_cost::{self, Said},
    notices::Event,
    records::{Loan, Patron},
};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::circulation::{READ_ACTUAL_COST, WRITE_FEES},
};
use uuid::Uuid;

use crate::{Columns, Failed, Operator, at_rest::until_at_rest, fees};

/// What is decided about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostDecision {
    /// The patron pays so much; at that service point.
    Bill(Decimal, Option<Uuid>),
    /// The patron pays nothing.
    Cancel,
}

/// Decides about a record; the record as it is from now on. Two round trips.
///
/// # Errors
/// [`Failed`], with FOLIO's text of a 422.
pub async fn decide_actual_cost(
    session: &Session,
    id: Uuid,
    decision: CostDecision,
    said: &Said,
    operator: Operator,
    now: Timestamp,
) -> Result<Map<String, Value>, Failed<String>> {
    until_at_rest("the record", || async {
        let row = session.find(READ_ACTUAL_COST, &[&id, &operator.0]).await?;
        let unknown = || Failed::Refused(format!("ActualCostRecord {id} was not found"));
        let row = row.ok_or_else(unknown)?;
        let before: Map<String, Value> = row.record(0)?.ok_or_else(unknown)?;
        let loan = Loan::new(row.record(1)?.unwrap_or_default());
        let staff: Option<Patron> = row.record(2)?;
        let refused = |error: actual_cost::NotOpen| Failed::Refused(error.to_string());
        let (changes, after) = match decision {
            CostDecision::Cancel => {
                let after = actual_cost::cancel(&before, said).map_err(refused)?;
                let changes = FeeChanges {
                    costs: vec![(before, after.clone())],
                    ..FeeChanges::default()
                };
                (changes, after)
            }
            CostDecision::Bill(amount, service_point) => {
                let cause = Cause::at(staff.as_ref(), service_point);
                let bill = actual_cost::bill(&before, &loan, amount, said, &cause, now);
                let account = store::new_id().to_string();
                actual_cost::billed(before, bill.map_err(refused)?, &account)
            }
        };
        let changes = fees::written(&changes, operator, now);
        let events = charged(&after, changes.as_ref());
        session.query(WRITE_FEES, &[&changes, &events]).await?;
        Ok(after)
    })
    .await
}

/// The charge for an item that aged to lost, for the notices of it.
fn charged(record: &Map<String, Value>, fees: Option<&Value>) -> Option<Value> {
    let aged = record
        .get("lossType")
        .is_some_and(|loss| loss == "Aged to lost");
    let movements = fees.filter(|_| aged)?["movements"].as_array()?;
    let event = Event::AgedToLostFineCharged.name();
    let charged = movements.iter();
    Some(
        charged
            .map(|done| json!({"event": event, "feeFineActionId": done["id"]}))
            .collect(),
    )
}
