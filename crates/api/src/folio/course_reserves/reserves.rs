//! Reserves, and what they change in their items. A reserve and its item are written in one transaction.

use std::sync::Arc;

use ::inventory::write::{Intent, NotWritten, Sent};
use serde_json::{Map, Value, json};
use store::{
    StoreError,
    collection::Collection,
    inventory::Together,
    statements::{
        course_reserves::{REMOVED_RESERVE, SURROUNDINGS},
        writes::WRITE_RESERVE,
    },
};
use uuid::Uuid;

use super::{
    declarations::EXPANDED_RESERVE,
    listings::{below, get, list, place, refuse_other},
    refusals::{BARCODE_UNKNOWN, ITEM_IN_USE, ITEM_UNKNOWN, NO_ITEM, RESERVE_UNKNOWN},
    shown,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    folio::inventory,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, reserves: &Arc<Collection>) {
    let expanded = shown(reserves, EXPANDED_RESERVE);
    let e = Arc::clone(&expanded);
    serve(routes, reserves, "list", move |call, plain| {
        let collection = chosen(&call, plain, &e);
        collections::list(call, collection)
    })
    .asks("expand");
    serve(routes, reserves, "post", create);
    serve(routes, reserves, "put", replace);
    serve(routes, reserves, "delete", delete);
    below(routes, reserves, "post", create_below);
    below(routes, reserves, "put", replace);
    below(routes, reserves, "delete", delete);
    below(routes, &expanded, "get", |call, c| get(call, c, RESERVE_UNKNOWN));
    let e = Arc::clone(&expanded);
    below(routes, reserves, "list", move |call, plain| {
        let collection = chosen(&call, plain, &e);
        list(call, collection)
    })
    .asks("expand");
}

/// What a list shows: with `expand=*` the records that a reserve names, too.
fn chosen(call: &Call, plain: Arc<Collection>, expanded: &Arc<Collection>) -> Arc<Collection> {
    match call.query.get("expand") {
        Some("*") => Arc::clone(expanded),
        _ => plain,
    }
}

async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    let added = write(&call, &collection, id, record, true).await?;
    Ok(Reply::json_text(added).created(&format!("{}/{id}", collection.path)))
}

async fn create_below(call: Call, collection: Arc<Collection>) -> Answer {
    let listing = call.id("listing")?;
    let (id, record) = collections::accepted(&call, &collection, None)?;
    refuse_other(listing, &record)?;
    let added = write(&call, &collection, id, record, true).await?;
    Ok(Reply::json_text(added).created(&place(&collection, listing, id)))
}

async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, record) = collections::accepted(&call, &collection, Some(id))?;
    write(&call, &collection, id, record, false).await?;
    Ok(Reply::no_content())
}

/// What a reserve depends on.
struct Surroundings {
    /// Whether the reserve to replace is there.
    is_there: bool,
    /// The location of the listing.
    location: Option<String>,
    item: Option<Item>,
}

/// The item of a reserve, with the members that a reserve may change.
struct Item {
    id: Uuid,
    location: Option<String>,
    loan_type: Option<String>,
}

/// Writes a reserve and what it changes in its item. Returns the reserve. Three round trips, two if the item stays as
/// it is.
async fn write(
    call: &Call,
    collection: &Collection,
    id: Uuid,
    mut record: Map<String, Value>,
    is_new: bool,
) -> Result<String, Problem> {
    let sent = record.shift_remove("copiedItem").unwrap_or_default();
    let barcode = sent.get("barcode").and_then(Value::as_str);
    let named = text(&record, "itemId").map(str::to_owned);
    if barcode.is_none() && named.is_none() {
        return Err(NO_ITEM.with("itemId", None::<&str>).into());
    }
    let around = surroundings(call, &record, barcode, id).await?;
    if !is_new && !around.is_there {
        return Err(collections::not_found(collection, id));
    }
    let Some(item) = around.item else {
        return Err(match barcode {
            Some(barcode) => BARCODE_UNKNOWN.with("barcode", barcode).into(),
            None => ITEM_UNKNOWN.with("item", named).into(),
        });
    };
    record.insert("itemId".into(), item.id.to_string().into());
    if let (None, Some(loan_type)) = (record.get("temporaryLoanTypeId"), &item.loan_type) {
        record.insert("temporaryLoanTypeId".into(), loan_type.clone().into());
    }
    for end in ["startDate", "endDate"] {
        if let Some(Value::String(date)) = record.get_mut(end) {
            *date = in_utc(std::mem::take(date));
        }
    }
    let location = sent.get("temporaryLocationId").and_then(Value::as_str);
    let changes = changes(&item, &record, location, around.location.as_deref(), is_new);
    let value = json!({"record": record, "operation": if is_new { "add" } else { "replace" }});
    let written = write_together(call, item.id, changes, &value).await;
    let channel = if is_new { Channel::Post } else { Channel::PutJson };
    let written = written.map_err(|refused| problem(call, collection, &record, refused, channel))?;
    Ok(written.unwrap_or_default())
}

async fn surroundings(
    call: &Call,
    record: &Map<String, Value>,
    barcode: Option<&str>,
    id: Uuid,
) -> Result<Surroundings, Problem> {
    let uuid = |name: &str| text(record, name).and_then(|id| id.parse::<Uuid>().ok());
    let (listing, item) = (uuid("courseListingId"), uuid("itemId"));
    let row = call.session.get(SURROUNDINGS, &[&listing, &barcode, &item, &id]).await?;
    let item = row.get::<_, Option<Uuid>>("item").map(|id| Item {
        id,
        location: row.get("temporary_location"),
        loan_type: row.get("temporary_loan_type"),
    });
    Ok(Surroundings { is_there: row.get("is_there"), location: row.get("location"), item })
}

fn text<'r>(record: &'r Map<String, Value>, name: &str) -> Option<&'r str> {
    record.get(name).and_then(Value::as_str)
}

/// A date without a time begins the day in UTC.
fn in_utc(date: String) -> String {
    let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    if shape == "0000-00-00" { date + "T00:00:00Z" } else { date }
}

/// The members of the item that a reserve changes: a new one moves it to the location of the listing, or else to the one
/// sent; a replaced one to the one sent, or back. A loan type is only set.
fn changes(
    item: &Item,
    record: &Map<String, Value>,
    sent: Option<&str>,
    listing: Option<&str>,
    is_new: bool,
) -> Map<String, Value> {
    let mut changes = Map::new();
    let location = if is_new { listing.or(sent) } else { sent };
    if location != item.location.as_deref() && (location.is_some() || !is_new) {
        changes.insert("temporaryLocationId".into(), location.into());
    }
    let loan_type = text(record, "temporaryLoanTypeId");
    if loan_type.is_some() && loan_type != item.loan_type.as_deref() {
        changes.insert("temporaryLoanTypeId".into(), loan_type.into());
    }
    changes
}

/// Changes an item, if there is something to change, and writes its reserve.
async fn write_together(
    call: &Call,
    item: Uuid,
    changes: Map<String, Value>,
    reserve: &Value,
) -> Result<Option<String>, NotWritten> {
    let together = Together { sql: WRITE_RESERVE, value: reserve };
    let sent = match changes.is_empty() {
        true => Vec::new(),
        false => vec![Sent { id: item, record: Value::Object(changes) }],
    };
    inventory::write_items_together(call, Intent::Patch, &sent, together).await
}

/// DELETE. The item's temporary location goes with the reserve. Three round trips, two if the item has none.
async fn delete(call: Call, _: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let row = call.session.find(REMOVED_RESERVE, &[&id]).await?;
    let Some(row) = row else {
        return Err(RESERVE_UNKNOWN.with("id", id).into());
    };
    let value = json!({"record": {"id": id}, "operation": "remove"});
    let item: Option<Uuid> = row.get("item");
    let changes = item.map(|_| Map::from_iter([("temporaryLocationId".to_owned(), Value::Null)]));
    let written = write_together(&call, item.unwrap_or_default(), changes.unwrap_or_default(), &value).await;
    match written {
        Ok(_) => Ok(Reply::no_content()),
        // An item that has gone meanwhile does not keep its reserve.
        Err(NotWritten::NotFound(_)) => {
            let alone = write_together(&call, Uuid::nil(), Map::new(), &value).await;
            alone.map_err(|refused| inventory::item_problem(&call, refused))?;
            Ok(Reply::no_content())
        }
        Err(refused) => Err(inventory::item_problem(&call, refused)),
    }
}

/// The refusal of a reserve, or of the change of its item.
fn problem(
    call: &Call,
    collection: &Collection,
    record: &Map<String, Value>,
    refused: NotWritten,
    channel: Channel,
) -> Problem {
    let of_reserve = |constraint: &str| constraint.starts_with(collection.table);
    match refused {
        NotWritten::Store(StoreError::Duplicate { constraint, .. }, _)
            if of_reserve(&constraint) && !constraint.ends_with("_pkey") =>
        {
            let (item, listing) = (text(record, "itemId"), text(record, "courseListingId"));
            ITEM_IN_USE.with("itemId", item).with("listing", listing).into()
        }
        NotWritten::Store(error @ (StoreError::Duplicate { .. } | StoreError::ForeignKey { .. }), _)
            if matches!(&error, StoreError::Duplicate { constraint, .. } | StoreError::ForeignKey { constraint, .. }
            if of_reserve(constraint)) =>
        {
            collections::refused(error, collection, record, channel)
        }
        refused => inventory::item_problem(call, refused),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_moves_its_item_and_sets_its_loan_type() {
        // new?, listing's location, sent location, item's location, sent loan type, item's loan type → changes
        let table = [
            (true, Some("l"), Some("s"), None, None, None, json!({"temporaryLocationId": "l"})),
            (true, None, Some("s"), None, None, None, json!({"temporaryLocationId": "s"})),
            (true, None, None, Some("i"), None, None, json!({})),
            (true, Some("l"), None, Some("l"), None, None, json!({})),
            (false, Some("l"), None, Some("i"), None, None, json!({"temporaryLocationId": null})),
            (false, Some("l"), Some("s"), Some("i"), None, None, json!({"temporaryLocationId": "s"})),
            (false, None, None, None, Some("t"), None, json!({"temporaryLoanTypeId": "t"})),
            (false, None, None, None, None, Some("t"), json!({})),
            (true, None, None, None, Some("t"), Some("t"), json!({})),
        ];
        for (is_new, listing, sent, location, loan_type, own, expected) in table {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let item = Item { id: Uuid::nil(), location: owned(location), loan_type: owned(own) };
            let mut record = Map::new();
            record.extend(loan_type.map(|loan_type| ("temporaryLoanTypeId".to_owned(), loan_type.into())));
            let changes = changes(&item, &record, sent, listing, is_new);
            assert_eq!(Value::Object(changes), expected);
        }
    }

    #[test]
    fn a_day_begins_in_utc() {
        for (sent, kept) in
            [("2026-01-02", "2026-01-02T00:00:00Z"), ("2026-01-02T10:00:00Z", "2026-01-02T10:00:00Z"), ("soon", "soon")]
        {
            assert_eq!(in_utc(sent.to_owned()), kept);
        }
    }
}
