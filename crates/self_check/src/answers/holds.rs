//! Places, changes or cancels a request (15).

use circulation::records::{ItemStatus, Request, RequestStatus};
use http::Method;
use jiff::Timestamp;
use serde_json::json;
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
    let request = match transaction.request.part(Part::HoldMode) {
        "+" => place(transaction, &account, &wanted, pickup, expires).await?,
        "*" => change(transaction, &account, &wanted, pickup, expires).await?,
        "-" => cancel(transaction, &account, &wanted).await?,
        _ => return Err(transaction.refuse(Text::HoldUnknown)),
    };
    Ok(response(transaction, &wanted, &request))
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
    Ok(Wanted { item: None, title: title.ok_or_else(|| transaction.refuse(Text::ItemUnknown))?, any_copy: true })
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
) -> Result<Request, Refusal> {
    let here = transaction.station.service_point;
    let on_shelf = wanted.item.as_ref().is_some_and(|found| found.item.is(ItemStatus::Available));
    let mut request = Request::default();
    request.set_requester_id(account.patron.id);
    request.set_instance_id(wanted.title);
    request.set_request_date(transaction.insider.now);
    request.set_fulfillment_preference("Hold Shelf");
    request.set_pickup_point(pickup.unwrap_or(here));
    request.set_expiration_date(expires);
    request.set_kind(if on_shelf { "Page" } else { "Hold" });
    request.set_level("Title");
    if let Some(found) = wanted.item.as_ref().filter(|_| !wanted.any_copy) {
        request.set_level("Item");
        request.set_item_id(found.item.id);
        request.set_holdings_record_id(found.item.holdings_record_id);
    }
    let placed = transaction.send(Method::POST, REQUESTS, &json!(request)).await;
    let placed = placed.map_err(|problem| transaction.problem(problem))?;
    Ok(serde_json::from_value(placed).unwrap_or_default())
}

async fn change(
    transaction: &Transaction<'_>,
    account: &Account,
    wanted: &Wanted,
    pickup: Option<Uuid>,
    expires: Option<Timestamp>,
) -> Result<Request, Refusal> {
    let mut request = existing(transaction, account, wanted).await?;
    if let Some(pickup) = pickup {
        request.set_pickup_point(pickup);
    }
    if let Some(expires) = expires {
        request.set_expiration_date(expires);
    }
    replace(transaction, request).await
}

async fn cancel(transaction: &Transaction<'_>, account: &Account, wanted: &Wanted) -> Result<Request, Refusal> {
    let mut request = existing(transaction, account, wanted).await?;
    request.set_status(RequestStatus::Cancelled);
    request.set_cancelled_by(account.patron.id);
    request.set_cancelled_date(transaction.insider.now);
    request.set_cancellation_comment("By the patron at a self-check");
    replace(transaction, request).await
}

async fn existing(transaction: &Transaction<'_>, account: &Account, wanted: &Wanted) -> Result<Request, Refusal> {
    let item = wanted.item.as_ref().map(|found| found.item.id);
    let session = &transaction.insider.session;
    let found = self_check::hold(session, account.patron.id, item, Some(wanted.title)).await;
    let found = found.map_err(|error| transaction.failed(error))?;
    let found = found.ok_or_else(|| transaction.refuse(Text::HoldUnknown))?;
    Ok(serde_json::from_value(found).unwrap_or_default())
}

async fn replace(transaction: &Transaction<'_>, request: Request) -> Result<Request, Refusal> {
    let path = format!("{REQUESTS}/{}", request.id());
    let replaced = transaction.send(Method::PUT, &path, &json!(request)).await;
    replaced.map_err(|problem| transaction.problem(problem))?;
    Ok(request)
}

fn response(transaction: &Transaction<'_>, wanted: &Wanted, request: &Request) -> Message {
    // A paged item is on the shelf.
    let at_hand = request.is(RequestStatus::AwaitingPickup) || (request.is_open() && request.is_page());
    let pickup = transaction.configuration.service_point(request.pickup_point());
    let found = wanted.item.as_ref();
    let title = found.map(|found| found.title.clone());
    let title = title.or_else(|| request.title().map(str::to_owned));
    let position = request.position().map(|place| place.to_string());
    transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_flag(Part::Available, at_hand)
        .with_some(field::EXPIRATION, transaction.date(request.expiration_date_text()))
        .with_some(field::QUEUE_POSITION, position)
        .with_some(field::PICKUP_LOCATION, pickup.map(|place| place.name.clone()))
        .with_some(field::ITEM, transaction.request.field(field::ITEM))
        .with_some(field::TITLE, title)
}
