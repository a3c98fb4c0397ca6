//! Places, changes or cancels a request (15).

use circulation::records::{ItemStatus, RequestStatus};
use http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use sip2::{Message, Part, field};
use store::self_check;
use uuid::Uuid;

use super::items::{self, Found};
use crate::{
    patron::{Account, verify_patron},
    station,
    transaction::{Answered, Refusal, Transaction},
    words::Text,
};

const REQUESTS: &str = "/circulation/requests";
/// Hold type 2: any copy of the title.
const ANY_COPY: &str = "2";

/// What a request is for.
struct Wanted {
    item: Option<Found>,
    title: Uuid,
    any_copy: bool,
}

pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    verify_patron(transaction).await?;
    let account = Account::named(transaction, None).await?;
    let wanted = wanted(transaction).await?;
    let pickup = pickup(transaction)?;
    let expires = expires(transaction)?;
    let record = match transaction.request.part(Part::HoldMode) {
        "+" => place(transaction, &account, &wanted, pickup, expires).await?,
        "*" => change(transaction, &account, &wanted, pickup, expires).await?,
        "-" => cancel(transaction, &account, &wanted).await?,
        _ => return Err(transaction.refuse(Text::HoldUnknown)),
    };
    Ok(response(transaction, &wanted, &record))
}

async fn wanted(transaction: &Transaction<'_>) -> Result<Wanted, Refusal> {
    let any_copy = transaction.request.field(field::HOLD_TYPE) == Some(ANY_COPY);
    if transaction.request.field(field::ITEM).is_some() {
        let found = items::read(transaction).await?;
        let found = found.ok_or_else(|| transaction.refuse(Text::ItemUnknown))?;
        return Ok(Wanted { title: found.title_id, item: Some(found), any_copy });
    }
    let title = transaction.request.field(field::TITLE);
    let title = title.and_then(|text| Uuid::try_parse(text.trim()).ok());
    Ok(Wanted {
        item: None,
        title: title.ok_or_else(|| transaction.refuse(Text::ItemUnknown))?,
        any_copy: true,
    })
}

/// The pickup service point, if the request names one.
fn pickup(transaction: &Transaction<'_>) -> Result<Option<Uuid>, Refusal> {
    let Some(named) = transaction.request.field(field::PICKUP_LOCATION) else {
        return Ok(None);
    };
    let place = station::place(&transaction.configuration, named.trim());
    let unknown = || transaction.refuse(Text::PlaceUnknown);
    Ok(Some(place.ok_or_else(unknown)?.id))
}

fn expires(transaction: &Transaction<'_>) -> Result<Option<Timestamp>, Refusal> {
    let Some(text) = transaction.request.field(field::EXPIRATION) else {
        return Ok(None);
    };
    let moment = sip2::moment(text, transaction.configuration.zone());
    moment.map(Some).ok_or_else(|| transaction.refuse(Text::DateInvalid))
}

async fn place(
    transaction: &Transaction<'_>,
    account: &Account,
    wanted: &Wanted,
    pickup: Option<Uuid>,
    expires: Option<Timestamp>,
) -> Result<Value, Refusal> {
    let here = transaction.station.service_point;
    let mut body = json!({"requesterId": account.patron.id, "instanceId": wanted.title,
        "requestDate": transaction.insider.now.to_string(), "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": pickup.unwrap_or(here), "requestType": "Hold", "requestLevel": "Title"});
    if let Some(found) = wanted.item.as_ref().filter(|_| !wanted.any_copy) {
        body["requestLevel"] = "Item".into();
        body["itemId"] = json!(found.item.id);
        body["holdingsRecordId"] = json!(found.item.holdings_record_id);
    }
    let on_shelf = |found: &Found| found.item.is(ItemStatus::Available);
    if wanted.item.as_ref().is_some_and(on_shelf) {
        body["requestType"] = "Page".into();
    }
    if let Some(expires) = expires {
        body["requestExpirationDate"] = expires.to_string().into();
    }
    let placed = transaction.send(Method::POST, REQUESTS, &body).await;
    placed.map_err(|problem| transaction.problem(problem))
}

async fn change(
    transaction: &Transaction<'_>,
    account: &Account,
    wanted: &Wanted,
    pickup: Option<Uuid>,
    expires: Option<Timestamp>,
) -> Result<Value, Refusal> {
    let mut record = existing(transaction, account, wanted).await?;
    if let Some(pickup) = pickup {
        record["pickupServicePointId"] = json!(pickup);
    }
    if let Some(expires) = expires {
        record["requestExpirationDate"] = expires.to_string().into();
    }
    replace(transaction, record).await
}

async fn cancel(
    transaction: &Transaction<'_>,
    account: &Account,
    wanted: &Wanted,
) -> Result<Value, Refusal> {
    let mut record = existing(transaction, account, wanted).await?;
    record["status"] = "Closed - Cancelled".into();
    record["cancelledByUserId"] = json!(account.patron.id);
    record["cancelledDate"] = transaction.insider.now.to_string().into();
    record["cancellationAdditionalInformation"] = "By the patron at a self-check".into();
    replace(transaction, record).await
}

async fn existing(
    transaction: &Transaction<'_>,
    account: &Account,
    wanted: &Wanted,
) -> Result<Value, Refusal> {
    let item = wanted.item.as_ref().map(|found| found.item.id);
    let session = &transaction.insider.session;
    let found = self_check::hold(session, account.patron.id, item, Some(wanted.title)).await;
    let found = found.map_err(|error| transaction.failed(error))?;
    found.ok_or_else(|| transaction.refuse(Text::HoldUnknown))
}

async fn replace(transaction: &Transaction<'_>, record: Value) -> Result<Value, Refusal> {
    let id = record["id"].as_str().unwrap_or_default();
    let path = format!("{REQUESTS}/{id}");
    let replaced = transaction.send(Method::PUT, &path, &record).await;
    replaced.map_err(|problem| transaction.problem(problem))?;
    Ok(record)
}

fn response(transaction: &Transaction<'_>, wanted: &Wanted, record: &Value) -> Message {
    // A paged item is on the shelf.
    let open = record["status"].as_str().is_some_and(|status| status.starts_with("Open"));
    let at_hand = record["status"] == RequestStatus::AwaitingPickup.name()
        || (open && record["requestType"] == "Page");
    let pickup = record["pickupServicePointId"].as_str();
    let pickup = pickup.and_then(|id| Uuid::try_parse(id).ok());
    let pickup = transaction.configuration.service_point(pickup);
    let found = wanted.item.as_ref();
    let title = found.map(|found| found.title.clone());
    let title = title.or_else(|| record["instance"]["title"].as_str().map(str::to_owned));
    let position = record["position"].as_i64().map(|place| place.to_string());
    let expires = record["requestExpirationDate"].as_str();
    transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_flag(Part::Available, at_hand)
        .with_some(field::EXPIRATION, transaction.date(expires))
        .with_some(field::QUEUE_POSITION, position)
        .with_some(field::PICKUP_LOCATION, pickup.map(|place| place.name.clone()))
        .with_some(field::ITEM, transaction.request.field(field::ITEM))
        .with_some(field::TITLE, title)
}
