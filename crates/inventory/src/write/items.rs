//! Writes items with their effective values, shelving order and the date of their status.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use store::{
    Session, StoreError,
    inventory::{self, ItemContext, Record, Together, Writes},
};
use uuid::Uuid;

use super::{
    ATTEMPTS, Change, NotWritten, Sent,
    draft::{Draft, changes_nothing, draft, writes},
    text, version,
};
use crate::{
    call_number::CallNumber,
    effective_location,
    shelving::{Piece, shelving_order},
};

/// Writes items, all or none; a single added one is returned as JSON. Two round trips.
pub async fn write_items(session: &Session, change: Change<'_>, sent: &[Sent]) -> Result<Option<String>, NotWritten> {
    write_items_with(session, change, sent, None).await
}

/// Writes items, perhaps none, and what is written together with them; what that returns is returned. Two round trips,
/// one without items.
pub async fn write_items_together(
    session: &Session,
    change: Change<'_>,
    sent: &[Sent],
    together: Together<'_>,
) -> Result<Option<String>, NotWritten> {
    if sent.is_empty() {
        let written =
            inventory::write_items(session, Writes::default(), change.collection, &[], Some(together)).await?;
        return Ok(written.into_iter().next());
    }
    write_items_with(session, change, sent, Some(together)).await
}

async fn write_items_with(
    session: &Session,
    change: Change<'_>,
    sent: &[Sent],
    together: Option<Together<'_>>,
) -> Result<Option<String>, NotWritten> {
    let ids: Vec<_> = sent.iter().map(|sent| sent.id).collect();
    let holdings: Vec<_> = sent.iter().map(holdings_id).collect();
    for _ in 0..ATTEMPTS {
        let contexts = inventory::read_items(session, &ids, &holdings).await?;
        let drafts = sent
            .iter()
            .zip(&contexts)
            .map(|(sent, context)| {
                let (stored, holdings) = (context.stored.as_ref(), context.holdings.as_ref());
                item(change, sent, stored, holdings)
            })
            .collect::<Result<Vec<_>, _>>()?;
        if together.is_none()
            && changes_nothing(change, &drafts, contexts.first().and_then(|context| context.stored.as_ref()))
        {
            return Ok(None);
        }
        let writes = writes(drafts);
        let records = writes.records.clone();
        let seen = holdings_versions(&contexts);
        match inventory::write_items(session, writes, change.collection, &seen, together).await {
            Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(NotWritten::Store(error, records)),
            Ok(added) => return Ok(added.into_iter().next()),
        }
    }
    Err(StoreError::Conflict("the items change too often".into()).into())
}

fn holdings_id(sent: &Sent) -> Option<Uuid> {
    sent.record.get("holdingsRecordId")?.as_str()?.parse().ok()
}

/// The holdings records that the decisions depend on, without duplicates, with their versions.
fn holdings_versions(contexts: &[ItemContext]) -> Vec<(Uuid, i64)> {
    let holdings = contexts.iter().filter_map(|context| context.holdings.as_ref());
    let seen: BTreeMap<Uuid, i64> =
        holdings.filter_map(|holdings| Some((text(holdings, "id")?.parse().ok()?, version(holdings)?))).collect();
    seen.into_iter().collect()
}

/// A new item in stored form, for loaders that write very many.
pub fn new_item(change: Change<'_>, sent: &Sent, holdings: &Record) -> Result<Record, NotWritten> {
    item(change, sent, None, Some(holdings)).map(|draft| draft.record)
}

fn item(
    change: Change<'_>,
    sent: &Sent,
    stored: Option<&Record>,
    holdings: Option<&Record>,
) -> Result<Draft, NotWritten> {
    let mut draft = draft(change, sent, stored)?;
    let replaced = stored.filter(|_| draft.expected.is_some());
    let Some(holdings) = holdings else {
        let id = text(&draft.record, "holdingsRecordId").unwrap_or_default();
        return Err(NotWritten::NoHoldings(id.to_owned()));
    };
    change.check(replaced, &draft.record)?;
    let record = &mut draft.record;
    date_status(record, replaced, change.now);
    name_circulation_notes(record, sent.id, change.now);
    keep_order(record, replaced);
    let effective = effective_values(record, holdings);
    record.extend(effective);
    Ok(draft)
}

/// An item keeps its place in its holdings record, and becomes the last one when it moves to another.
fn keep_order(record: &mut Record, stored: Option<&Record>) {
    let same = |stored: &&Record| stored.get("holdingsRecordId") == record.get("holdingsRecordId");
    let order = stored.filter(same).and_then(|stored| stored.get("order"));
    if let (None, Some(order)) = (record.get("order"), order) {
        record.insert("order".into(), order.clone());
    }
}

/// `status.date` changes only with the name of the status.
fn date_status(record: &mut Record, stored: Option<&Record>, now: &str) {
    let stored = stored.and_then(|stored| stored.get("status"));
    let Some(status) = record.get_mut("status") else {
        return;
    };
    let unchanged = stored.filter(|stored| stored["name"] == status["name"]);
    let date = unchanged.and_then(|stored| stored["date"].as_str()).unwrap_or(now);
    status["date"] = date.into();
}

/// Gives circulation notes ids, so that a client can name the one it removes.
fn name_circulation_notes(record: &mut Record, item: Uuid, now: &str) {
    let notes = record.get_mut("circulationNotes").and_then(Value::as_array_mut);
    for (place, note) in notes.into_iter().flatten().enumerate() {
        if note.get("id").is_none() {
            let name = format!("circulation note {place} {now}");
            note["id"] = Uuid::new_v5(&item, name.as_bytes()).to_string().into();
        }
    }
}

/// The members that depend on the item and its holdings record: location, call number, shelving order.
pub(super) fn effective_values(item: &Record, holdings: &Record) -> Record {
    let call_number = CallNumber::effective(item_call_number(item), holdings_call_number(holdings));
    let piece = Piece {
        volume: text(item, "volume"),
        enumeration: text(item, "enumeration"),
        chronology: text(item, "chronology"),
        copy_number: text(item, "copyNumber"),
    };
    let location = effective_location::of_item(
        text(item, "temporaryLocationId"),
        text(item, "permanentLocationId"),
        text(holdings, "effectiveLocationId").unwrap_or_default(),
    );
    let mut values = Record::new();
    values.insert("effectiveLocationId".into(), location.into());
    values.insert("effectiveCallNumberComponents".into(), json!(call_number));
    if let Some(order) = shelving_order(call_number, piece) {
        values.insert("effectiveShelvingOrder".into(), order.into());
    }
    values
}

fn item_call_number(item: &Record) -> CallNumber<'_> {
    CallNumber {
        call_number: text(item, "itemLevelCallNumber"),
        prefix: text(item, "itemLevelCallNumberPrefix"),
        suffix: text(item, "itemLevelCallNumberSuffix"),
        type_id: text(item, "itemLevelCallNumberTypeId"),
    }
}

fn holdings_call_number(holdings: &Record) -> CallNumber<'_> {
    CallNumber {
        call_number: text(holdings, "callNumber"),
        prefix: text(holdings, "callNumberPrefix"),
        suffix: text(holdings, "callNumberSuffix"),
        type_id: text(holdings, "callNumberTypeId"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(value: Value) -> Record {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn effective_values_come_from_the_item_and_its_holdings() {
        let item = record(json!({"volume": "v. 3", "itemLevelCallNumberSuffix": "CD"}));
        let holdings = record(json!({"effectiveLocationId": "main", "callNumber": "PN2 .A6",
            "callNumberTypeId": crate::shelving::LIBRARY_OF_CONGRESS}));
        let expected = json!({"effectiveLocationId": "main",
            "effectiveCallNumberComponents": {"callNumber": "PN2 .A6", "suffix": "CD",
                "typeId": crate::shelving::LIBRARY_OF_CONGRESS},
            "effectiveShelvingOrder": "PN 12 A6 V 13 CD"});
        assert_eq!(Value::Object(effective_values(&item, &holdings)), expected);
        let bare = effective_values(&record(json!({})), &record(json!({"effectiveLocationId": "main"})));
        assert_eq!(Value::Object(bare), json!({"effectiveLocationId": "main", "effectiveCallNumberComponents": {}}));
    }

    #[test]
    fn the_status_date_changes_only_with_the_name() {
        let stored = record(json!({"status": {"name": "Available", "date": "then"}}));
        for (stored, name, expected) in
            [(None, "Available", "now"), (Some(&stored), "Available", "then"), (Some(&stored), "Missing", "now")]
        {
            let mut item = record(json!({"status": {"name": name}}));
            date_status(&mut item, stored, "now");
            assert_eq!(item["status"]["date"], expected);
        }
    }

    #[test]
    fn circulation_notes_get_distinct_ids_and_keep_their_own() {
        let mut item = record(json!({"circulationNotes": [{"note": "a"}, {"note": "a"}, {"id": "mine"}]}));
        name_circulation_notes(&mut item, Uuid::nil(), "now");
        let ids: Vec<_> = item["circulationNotes"].as_array().unwrap().iter().map(|note| note["id"].clone()).collect();
        assert!(ids[0] != ids[1] && ids[2] == "mine");
    }
}
