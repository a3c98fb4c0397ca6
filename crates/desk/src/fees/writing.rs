//! Fee changes in the format the database expects, with IDs and metadata.

use circulation::fees::changes::FeeChanges;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::{Operator, created, updated};

/// The argument of `write_fees`; `None` if nothing changes.
pub(crate) fn written(changes: &FeeChanges, operator: Operator, now: Timestamp) -> Option<Value> {
    if changes.is_empty() {
        return None;
    }
    let mut charged = Vec::new();
    let mut movements = Vec::new();
    for charge in &changes.charges {
        let id = charge.account.known_id().map(str::to_owned);
        let id = id.unwrap_or_else(|| store::new_id().to_string());
        charged.push(with(charge.account.record(), json!({"id": id, "metadata": created(operator, now)})));
        let ids = json!({"id": store::new_id(), "accountId": id});
        movements.push(with(&charge.movement, ids));
    }
    let done = changes.movements.iter();
    movements.extend(done.map(|movement| with(movement, json!({"id": store::new_id()}))));
    let accounts = changes.accounts.iter();
    let accounts = accounts.map(|(before, after)| (before.record(), after.record()));
    let (before, after) = pairs(accounts, operator, now);
    let costs = changes.costs.iter().map(|(before, after)| (before, after));
    let (costs_before, costs_after) = pairs(costs, operator, now);
    let new_costs = changes.new_costs.iter();
    let new_costs: Vec<_> =
        new_costs.map(|cost| with(cost, json!({"id": store::new_id(), "metadata": created(operator, now)}))).collect();
    Some(json!({
        "charged": charged, "before": before, "after": after, "movements": movements,
        "newCosts": new_costs, "costsBefore": costs_before, "costsAfter": costs_after,
    }))
}

fn with(record: &Map<String, Value>, more: Value) -> Value {
    let mut record = record.clone();
    if let Value::Object(more) = more {
        record.extend(more);
    }
    Value::Object(record)
}

fn pairs<'r>(
    records: impl Iterator<Item = (&'r Map<String, Value>, &'r Map<String, Value>)>,
    operator: Operator,
    now: Timestamp,
) -> (Vec<Value>, Vec<Value>) {
    let stamped = |record: &Map<String, Value>| {
        let metadata = record.get("metadata").and_then(Value::as_object);
        let metadata = with(&metadata.cloned().unwrap_or_default(), updated(operator, now));
        with(record, json!({"metadata": metadata}))
    };
    records.map(|(before, after)| (Value::Object(before.clone()), stamped(after))).unzip()
}
