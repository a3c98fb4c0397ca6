//! Billing or cancelling the actual cost of a lost item: read, decide, write. Two round trips.

use circulation::{
    fees::changes::{Cause, FeeChanges},
    lost_items::{
        actual_cost::{self, Said},
        refusal::NO_SUCH_RECORD,
    },
    notices::Event,
    records::{ItemStatus, Loan, Patron},
};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use store::{
    Session,
    statements::{circulation::READ_ACTUAL_COST, writes::WRITE_FEES},
};
use uuid::Uuid;

use crate::{Columns, Failed, Operator, at_rest::until_at_rest, fees};

/// Decision on an actual cost record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostDecision {
    /// Bill this amount, at this service point.
    Bill(Decimal, Option<Uuid>),
    /// Cancel the record without a bill.
    Cancel,
}

/// Bills or cancels an actual cost record and returns the updated record. Two round trips.
pub async fn decide_actual_cost(
    session: &Session,
    id: Uuid,
    decision: CostDecision,
    said: &Said,
    operator: Operator,
    now: Timestamp,
) -> Result<Map<String, Value>, Failed> {
    until_at_rest("the record", || async {
        let row = session.find(READ_ACTUAL_COST, &[&id, &operator.0]).await?;
        let unknown = || NO_SUCH_RECORD.with("id", id);
        let row = row.ok_or_else(unknown)?;
        let before: Map<String, Value> = row.record("record")?.ok_or_else(unknown)?;
        let loan: Option<Loan> = row.record("loan")?;
        let staff: Option<Patron> = row.record("operator")?;
        let (changes, after) = match decision {
            CostDecision::Cancel => {
                let after = actual_cost::cancel(&before, said)?;
                let changes = FeeChanges { costs: vec![(before, after.clone())], ..FeeChanges::default() };
                (changes, after)
            }
            CostDecision::Bill(amount, service_point) => {
                let cause = Cause::at(staff.as_ref(), service_point);
                let bill = actual_cost::bill(&before, loan.as_ref(), amount, said, &cause, now);
                actual_cost::billed(before, bill?, store::new_id())
            }
        };
        let changes = fees::written(&changes, operator, now);
        let events = charged(&after, changes.as_ref());
        session.query(WRITE_FEES, &[&changes, &events]).await?;
        Ok(after)
    })
    .await
}

/// The event for charging an aged to lost item, for its notices.
fn charged(record: &Map<String, Value>, fees: Option<&Value>) -> Option<Value> {
    let aged = record.get("lossType").is_some_and(|loss| loss == ItemStatus::AgedToLost.name());
    let movements = fees.filter(|_| aged)?["movements"].as_array()?;
    let event = Event::AgedToLostFineCharged.name();
    let charged = movements.iter();
    Some(charged.map(|done| json!({"event": event, "feeFineActionId": done["id"]})).collect())
}
