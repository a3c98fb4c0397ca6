//! Checks in an item (09). Two round trips, as for any client.

use circulation::records::ItemStatus;
use http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use sip2::{Message, Part, field};

use super::{
    items, media,
    sorting::{self, Returned},
};
use crate::{
    transaction::{Answered, Refusal, Transaction},
    words::Text,
};

const CHECK_IN: &str = "/circulation/check-in-by-barcode";

pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let barcode = transaction.required(field::ITEM)?;
    if transaction.request.field(field::CANCEL) == Some("Y") {
        return Err(transaction.refuse(Text::CannotUndo));
    }
    let returned_at = returned_at(transaction);
    match transaction.was_offline() {
        false => refuse_statuses(transaction).await?,
        true => refuse_if_loaned_since(transaction, returned_at).await?,
    }
    let body = json!({"itemBarcode": barcode, "checkInDate": returned_at.to_string(),
        "servicePointId": transaction.station.service_point});
    let checked_in = transaction.send(Method::POST, CHECK_IN, &body).await;
    let checked_in = checked_in.map_err(|problem| transaction.problem(problem))?;
    Ok(response(transaction, &checked_in))
}

/// When the item was returned; never in the future.
fn returned_at(transaction: &Transaction<'_>) -> Timestamp {
    let now = transaction.insider.now;
    let reported = transaction.moment(Part::ReturnDate);
    let reported = reported.or_else(|| transaction.done_offline_at());
    reported.map_or(now, |reported| reported.min(now))
}

/// Refuses the return of an item that was checked out again after it: while the terminal was offline, the desk may
/// have made a new loan, which must stay open. One round trip.
async fn refuse_if_loaned_since(transaction: &Transaction<'_>, returned_at: Timestamp) -> Result<(), Refusal> {
    let loaned_at = items::read(transaction).await?.and_then(|item| item.loaned_at());
    match loaned_at.is_some_and(|loaned_at| loaned_at > returned_at) {
        true => Err(transaction.refuse(Text::LentSince)),
        false => Ok(()),
    }
}

/// Refuses items in a status that the library wants its staff to check in. No round trip if it has named none.
async fn refuse_statuses(transaction: &Transaction<'_>) -> Result<(), Refusal> {
    let refused = &transaction.configuration.self_checks.rules.refused_statuses;
    if refused.is_empty() {
        return Ok(());
    }
    let item = items::read(transaction).await?;
    let status = item.map(|item| item.item.status.name());
    match status.filter(|status| refused.iter().any(|refused| refused == status)) {
        None => Ok(()),
        Some(status) => {
            let words = transaction.words();
            let text = words.say_with(Text::NotTakenBack, "status", status);
            Err(Refusal::with_text(text))
        }
    }
}

/// Alert types: 01 hold for a patron here, 02 hold for a patron elsewhere, 04 belongs elsewhere.
fn response(transaction: &Transaction<'_>, checked_in: &Value) -> Message {
    let item = &checked_in["item"];
    let request = &checked_in["staffSlipContext"]["request"];
    let destination = item["inTransitDestinationServicePoint"]["name"].as_str();
    let returned = Returned {
        on_hold: request.is_object(),
        in_transit: item["status"]["name"] == ItemStatus::InTransit.name(),
        destination: destination.or(request["servicePointPickup"].as_str()),
        location: item["location"]["name"].as_str(),
    };
    let alert = match (returned.on_hold, returned.in_transit) {
        (true, false) => Some("01"),
        (true, true) => Some("02"),
        (false, true) => Some("04"),
        (false, false) => None,
    };
    let here = transaction.here();
    let answer = transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_flag(Part::Resensitize, true)
        .with_flag(Part::Alert, alert.is_some())
        .with(field::PERMANENT_LOCATION, returned.location.unwrap_or_default())
        .with(field::TITLE, item["title"].as_str().unwrap_or_default())
        .with_some(field::SORT_BIN, sorting::bin(&here.sort_bins, returned))
        .with_some(field::PATRON, checked_in["loan"]["borrower"]["barcode"].as_str())
        .with(field::MEDIA_TYPE, media::code(item["materialType"]["name"].as_str()))
        .with_some(field::CALL_NUMBER, item["callNumber"].as_str())
        .with_some(field::ALERT_TYPE, alert)
        .with_some(field::DESTINATION, returned.destination);
    let answer = match here.hold_patron {
        true => with_hold_patron(answer, &checked_in["staffSlipContext"]["requester"]),
        false => answer,
    };
    answer.with_each(field::SCREEN_MESSAGE, texts(transaction, returned.on_hold, destination))
}

/// Barcode and name of the patron the item is held for, for sorting machines in staff areas.
fn with_hold_patron(answer: Message, requester: &Value) -> Message {
    let parts = ["firstName", "middleName", "lastName"].map(|part| requester[part].as_str());
    let name: Vec<&str> = parts.into_iter().flatten().collect();
    let name = (!name.is_empty()).then(|| name.join(" "));
    answer.with_some(field::HOLD_PATRON, requester["barcode"].as_str()).with_some(field::HOLD_PATRON_NAME, name)
}

fn texts(transaction: &Transaction<'_>, on_hold: bool, destination: Option<&str>) -> Vec<String> {
    let words = transaction.words();
    let on_hold = on_hold.then(|| words.say(Text::OnHold));
    let send_to = destination.map(|place| words.say_with(Text::SendTo, "place", place));
    on_hold.into_iter().chain(send_to).collect()
}
