//! Writing holdings records, and with a move of one the effective values of its items.

use serde_json::{Map, Value};
use store::{
    Session, StoreError,
    catalogue::{self, HoldingsContext, Recomputed, Record},
};
use uuid::Uuid;

use super::{
    ATTEMPTS, Change, Intent, Refused, Sent,
    draft::{Draft, draft, writes},
    items::effective_values,
    text,
};
use crate::effective_location;

/// The members whose change concerns the items: place, call number, instance.
const MOVING: &[&str] = &[
    "permanentLocationId",
    "temporaryLocationId",
    "callNumber",
    "callNumberPrefix",
    "callNumberSuffix",
    "callNumberTypeId",
    "instanceId",
];

/// Writes holdings records; a single added one is returned as JSON. Two round trips.
///
/// # Errors
/// [`Refused`]; nothing is written then.
pub async fn write_holdings(
    session: &Session,
    change: Change<'_>,
    sent: &[Sent],
) -> Result<Option<String>, Refused> {
    let ids: Vec<_> = sent.iter().map(|sent| sent.id).collect();
    let bodies: Vec<_> = sent.iter().map(|sent| sent.record.clone()).collect();
    let partial = change.intent == Intent::Patch;
    for _ in 0..ATTEMPTS {
        let contexts = catalogue::read_holdings(session, &ids, &bodies, partial, MOVING).await?;
        let drafts = sent
            .iter()
            .zip(&contexts)
            .map(|(sent, context)| judged(change, sent, context))
            .collect::<Result<Vec<_>, _>>()?;
        let items = recomputed(change, &drafts, &contexts);
        let writes = writes(drafts);
        let records = writes.records.clone();
        match catalogue::write_holdings(session, writes, &items).await {
            Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(Refused::Store(error, records)),
            Ok(added) => return Ok(added.into_iter().next()),
        }
    }
    Err(StoreError::Conflict("the holdings change too often".into()).into())
}

/// A new holdings record in stored form, for a loader that writes very many.
///
/// # Errors
/// [`Refused`], when the record breaks its declaration.
pub fn new_holdings(change: Change<'_>, sent: &Sent) -> Result<Record, Refused> {
    holdings(change, sent, None).map(|draft| draft.record)
}

/// The one rule there is protects what a MARC record controls.
fn judged(change: Change<'_>, sent: &Sent, context: &HoldingsContext) -> Result<Draft, Refused> {
    let draft = holdings(change, sent, context.stored.as_ref())?;
    let controlled = context.source.as_deref() == Some("MARC") && draft.expected.is_some();
    change.check(
        context.stored.as_ref().filter(|_| controlled),
        &draft.record,
    )?;
    Ok(draft)
}

fn holdings(change: Change<'_>, sent: &Sent, stored: Option<&Record>) -> Result<Draft, Refused> {
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
    let mut all = Recomputed {
        stamp: stamp(change.metadata),
        ..Recomputed::default()
    };
    for (draft, context) in drafts.iter().zip(contexts) {
        if let (Some(_), Some(items)) = (draft.expected, &context.items) {
            recompute(&mut all, &draft.record, items);
        }
    }
    all
}

fn recompute(all: &mut Recomputed, holdings: &Record, items: &[(Uuid, Record)]) {
    all.moved
        .extend(text(holdings, "id").and_then(|id| id.parse::<Uuid>().ok()));
    for (id, inputs) in items {
        all.item_ids.push(*id);
        all.inputs.push(Value::Object(inputs.clone()));
        all.effective
            .push(Value::Object(effective_values(inputs, holdings)));
    }
}

/// Who changed the items and when.
fn stamp(metadata: &Value) -> Value {
    let members = metadata.as_object().into_iter().flatten();
    let updated = members.filter(|(member, _)| member.starts_with("updated"));
    Value::Object(
        updated
            .map(|(member, value)| (member.clone(), value.clone()))
            .collect::<Map<_, _>>(),
    )
}
