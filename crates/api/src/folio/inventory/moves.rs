//! Moves items to another holdings record and holdings records to another instance
//! (docs/folio/inventory-business.md#moving-records).

use inventory::write::{Intent, NotWritten, Sent};
use serde_json::{Value, json};
use store::record::is_uuid;
use uuid::Uuid;

use super::refusals::{FIELD_REQUIRED, IDS_REQUIRED, TARGET_UNKNOWN};
use super::{
    business,
    kind::{self, Kind},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::Channel,
    route::{Answer, Form, Routes},
};

/// One kind of move, with its member names and wording.
struct Move {
    path: &'static str,
    moved: Kind,
    table: &'static str,
    target_table: &'static str,
    target: &'static str,
    ids: &'static str,
    none_given: &'static str,
    target_name: &'static str,
    reference: &'static str,
}

const MOVES: [Move; 2] = [
    Move {
        path: "/inventory/items/move",
        moved: Kind::Items,
        table: "item",
        target_table: "holdings_record",
        target: "toHoldingsRecordId",
        ids: "itemIds",
        none_given: "Item ids aren't specified",
        target_name: "Holding",
        reference: "holdingsRecordId",
    },
    Move {
        path: "/inventory/holdings/move",
        moved: Kind::Holdings,
        table: "holdings_record",
        target_table: "instance",
        target: "toInstanceId",
        ids: "holdingsRecordIds",
        none_given: "Holdings record ids aren't specified",
        target_name: "Instance",
        reference: "instanceId",
    },
];

pub fn routes(routes: &mut Routes) {
    for step in &MOVES {
        let takes = format!("{}*, {}*[]", step.target, step.ids);
        let route = routes.post(step.path, move |call| carry_out(call, step));
        route
            .summary("Move records")
            .takes(&takes)
            .gives("nonUpdatedIds*[]")
            .refuses(&[422])
            .refuses_as(422, Form::Sentences);
    }
}

async fn carry_out(call: Call, step: &'static Move) -> Answer {
    let (target, asked) = step.read(&call.json()?)?;
    let ids: Vec<Uuid> = asked.iter().filter_map(|id| id.parse().ok()).collect();
    let to = Uuid::parse_str(&target).unwrap_or_default();
    let (exists, known) = store::inventory::movable(&call.session, (step.target_table, to), (step.table, &ids)).await?;
    if !exists {
        return Err(step.unknown_target(&target));
    }
    let sent: Vec<_> = known.iter().map(|id| step.change(*id, to)).collect();
    let moved = kind::write(&call, step.moved, Intent::Patch, false, &sent).await;
    moved.map_err(|refused| match refused {
        NotWritten::NoHoldings(id) => step.unknown_target(&id),
        refused => business::problem(&call, step.moved, Channel::Put, refused),
    })?;
    let left: Vec<_> = asked.into_iter().filter(|id| !id.parse().is_ok_and(|id| known.contains(&id))).collect();
    Ok(Reply::json(&json!({"nonUpdatedIds": left})))
}

impl Move {
    fn read(&self, body: &Value) -> Result<(String, Vec<String>), Problem> {
        let target = body.get(self.target).and_then(Value::as_str).filter(|target| !target.trim().is_empty());
        let target = target.ok_or_else(|| FIELD_REQUIRED.with("member", self.target))?;
        let ids = body.get(self.ids).and_then(Value::as_array).filter(|ids| !ids.is_empty());
        let missing = || IDS_REQUIRED.with("member", self.ids);
        let ids = ids.ok_or_else(|| missing().with("message", self.none_given))?;
        if !is_uuid(target) {
            return Err(self.unknown_target(target));
        }
        let ids = ids.iter().map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        Ok((target.to_owned(), ids.collect()))
    }

    fn unknown_target(&self, id: &str) -> Problem {
        TARGET_UNKNOWN.with("target", self.target_name).with("id", id).into()
    }

    fn change(&self, id: Uuid, to: Uuid) -> Sent {
        let mut record = json!({self.reference: to});
        if self.moved == Kind::Items {
            // The item becomes the last one in its new holdings record.
            record["order"] = Value::Null;
        }
        Sent { id, record }
    }
}
