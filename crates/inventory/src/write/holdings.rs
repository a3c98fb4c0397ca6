//! Writes holdings records, and the effective values of the items of those that move.

use serde_json::{Map, Value};
use store::{
    Session, StoreError,
    inventory::{self, HoldingsContext, Recomputed, Record},
};
use uuid::Uuid;

use super::{
    ATTEMPTS, Change, Intent, NotWritten, Sent,
    draft::{Draft, changes_nothing, draft, writes},
    items::effective_values,
    text,
};
use crate::effective_location;

/// The members that affect the items: location, call number, instance.
const MOVING: &[&str] = &[
    "permanentLocationId",
    "temporaryLocationId",
    "callNumber",
    "callNumberPrefix",
    "callNumberSuffix",
    "callNumberTypeId",
    "instanceId",
];

/// Writes holdings records, all or none; a single added one is returned as JSON. Two round trips.
pub async fn write_holdings(
    session: &Session,
    change: Change<'_>,
    sent: &[Sent],
) -> Result<Option<String>, NotWritten> {
    let ids: Vec<_> = sent.iter().map(|sent| sent.id).collect();
    let bodies: Vec<_> = sent.iter().map(|sent| sent.record.clone()).collect();
    let partial = change.intent == Intent::Patch;
    for _ in 0..ATTEMPTS {
        let contexts = inventory::read_holdings(session, &ids, &bodies, partial, MOVING).await?;
        let drafts = sent
            .iter()
            .zip(&contexts)
            .map(|(sent, context)| judged(change, sent, context))
            .collect::<Result<Vec<_>, _>>()?;
        if changes_nothing(change, &drafts, contexts.first().and_then(|context| context.stored.as_ref())) {
            return Ok(None);
        }
        let items = recomputed(change, &drafts, &contexts);
        let writes = writes(drafts);
        let records = writes.records.clone();
        match inventory::write_holdings(session, writes, &items).await {
            Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(NotWritten::Store(error, records)),
            Ok(added) => return Ok(added.into_iter().next()),
        }
    }
    Err(StoreError::Conflict("the holdings change too often".into()).into())
}

/// A new holdings record in stored form, for loaders that write very many.
pub fn new_holdings(change: Change<'_>, sent: &Sent) -> Result<Record, NotWritten> {
    holdings(change, sent, None).map(|draft| draft.record)
}

/// The operation's own rule applies only to replaced records that a MARC record controls.
fn judged(change: Change<'_>, sent: &Sent, context: &HoldingsContext) -> Result<Draft, NotWritten> {
    let draft = holdings(change, sent, context.stored.as_ref())?;
    let controlled = context.source.as_deref() == Some("MARC") && draft.expected.is_some();
    change.check(context.stored.as_ref().filter(|_| controlled), &draft.record)?;
    Ok(draft)
}

fn holdings(change: Change<'_>, sent: &Sent, stored: Option<&Record>) -> Result<Draft, NotWritten> {
    let mut draft = draft(change, sent, stored)?;
    let location = effective_location::of_holdings(
        text(&draft.record, "temporaryLocationId"),
        text(&draft.record, "permanentLocationId").unwrap_or_default(),
    );
    let location = Value::from(location);
    draft.record.insert("effectiveLocationId".into(), location);
    Ok(draft)
}

/// The new effective values of all items of the holdings records that move.
fn recomputed(change: Change<'_>, drafts: &[Draft], contexts: &[HoldingsContext]) -> Recomputed {
    let mut all = Recomputed { stamp: stamp(change.metadata), ..Recomputed::default() };
    for (draft, context) in drafts.iter().zip(contexts) {
        if let (Some(_), Some(items)) = (draft.expected, &context.items) {
            recompute(&mut all, &draft.record, items);
        }
    }
    all
}

fn recompute(all: &mut Recomputed, holdings: &Record, items: &[(Uuid, Record)]) {
    all.moved.extend(text(holdings, "id").and_then(|id| id.parse::<Uuid>().ok()));
    for (id, inputs) in items {
        all.item_ids.push(*id);
        all.inputs.push(Value::Object(inputs.clone()));
        all.effective.push(Value::Object(effective_values(inputs, holdings)));
    }
}

/// The members of `metadata` that say who changed the items and when.
fn stamp(metadata: &Value) -> Value {
    let members = metadata.as_object().into_iter().flatten();
    let updated = members.filter(|(member, _)| member.starts_with("updated"));
    Value::Object(updated.map(|(member, value)| (member.clone(), value.clone())).collect::<Map<_, _>>())
}
