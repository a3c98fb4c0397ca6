//! An item is brought back (09). Two round trips, as for any client.

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

const TAKE_BACK: &str = "/circulation/check-in-by-barcode";

/// Takes an item back.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let barcode = transaction.required(field::ITEM)?;
    if transaction.request.field(field::CANCEL) == Some("Y") {
        return Err(transaction.refuse(Text::CannotUndo));
    }
    let brought = brought(transaction);
    match transaction.was_offline() {
        false => refuse_statuses(transaction).await?,
        true => refuse_lent_since(transaction, brought).await?,
    }
    let body = json!({"itemBarcode": barcode, "checkInDate": brought.to_string(),
        "servicePointId": transaction.station.service_point});
    let taken = transaction.send(Method::POST, TAKE_BACK, &body).await;
    let taken = taken.map_err(|problem| transaction.problem(problem))?;
    Ok(told(transaction, &taken))
}

/// When the item was brought back: never later than now.
fn brought(transaction: &Transaction<'_>) -> Timestamp {
    let now = transaction.insider.now;
    let told = transaction.moment(Part::ReturnDate);
    let told = told.or_else(|| transaction.done_offline_at());
    told.map_or(now, |told| told.min(now))
}

/// An item that came back while the terminal was off line may have been lent again at the desk meanwhile: that loan goes
/// on. One round trip.
async fn refuse_lent_since(
    transaction: &Transaction<'_>,
    brought: Timestamp,
) -> Result<(), Refusal> {
    let lent_at = items::read(transaction)
        .await?
        .and_then(|item| item.lent_at());
    match lent_at.is_some_and(|lent_at| lent_at > brought) {
        true => Err(transaction.refuse(Text::LentSince)),
        false => Ok(()),
    }
}

/// Statuses in which a library wants its staff to take items back. No round trip where there is none.
async fn refuse_statuses(transaction: &Transaction<'_>) -> Result<(), Refusal> {
    let refused = &transaction.configuration.self_checks.rules.refused_statuses;
    if refused.is_empty() {
        return Ok(());
    }
    let item = items::read(transaction).await?;
    let status = item.map(|item| item.item.status.name);
    match status.filter(|status| refused.contains(status)) {
        None => Ok(()),
        Some(status) => {
            let words = transaction.words();
            let text = words.say_with(Text::NotTakenBack, "status", &status);
            Err(Refusal::saying(text))
        }
    }
}

/// What becomes of the item: alert 01 stays here for a patron, 02 goes elsewhere for a patron, 04 goes elsewhere.
fn told(transaction: &Transaction<'_>, taken: &Value) -> Message {
    let item = &taken["item"];
    let request = &taken["staffSlipContext"]["request"];
    let destination = item["inTransitDestinationServicePoint"]["name"].as_str();
    let returned = Returned {
        wanted: request.is_object(),
        away: item["status"]["name"] == "In transit",
        destination: destination.or(request["servicePointPickup"].as_str()),
        location: item["location"]["name"].as_str(),
    };
    let alert = match (returned.wanted, returned.away) {
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
        .with(
            field::PERMANENT_LOCATION,
            returned.location.unwrap_or_default(),
        )
        .with(field::TITLE, item["title"].as_str().unwrap_or_default())
        .with_some(field::SORT_BIN, sorting::bin(&here.sort_bins, returned))
        .with_some(field::PATRON, taken["loan"]["borrower"]["barcode"].as_str())
        .with(
            field::MEDIA_TYPE,
            media::code(item["materialType"]["name"].as_str()),
        )
        .with_some(field::CALL_NUMBER, item["callNumber"].as_str())
        .with_some(field::ALERT_TYPE, alert)
        .with_some(field::DESTINATION, returned.destination);
    let answer = match here.hold_patron {
        true => who_waits(answer, &taken["staffSlipContext"]["requester"]),
        false => answer,
    };
    answer.with_each(
        field::SCREEN_MESSAGE,
        texts(transaction, returned.wanted, destination),
    )
}

/// Barcode and name of who waits for the item, for machines that only the staff see.
fn who_waits(answer: Message, requester: &Value) -> Message {
    let parts = ["firstName", "middleName", "lastName"].map(|part| requester[part].as_str());
    let name: Vec<&str> = parts.into_iter().flatten().collect();
    let name = (!name.is_empty()).then(|| name.join(" "));
    answer
        .with_some(field::HOLD_PATRON, requester["barcode"].as_str())
        .with_some(field::HOLD_PATRON_NAME, name)
}

fn texts(transaction: &Transaction<'_>, wanted: bool, destination: Option<&str>) -> Vec<String> {
    let words = transaction.words();
    let on_hold = wanted.then(|| words.say(Text::OnHold));
    let send_to = destination.map(|place| words.say_with(Text::SendTo, "place", place));
    on_hold.into_iter().chain(send_to).collect()
}
