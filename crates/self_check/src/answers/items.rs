//! Answers an item information request (17). One round trip.

use circulation::{
    configuration::Configuration,
    records::{Item, ItemStatus, Loan, QueuedRequest, RequestStatus},
};
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use sip2::{Part, field};
use store::{StoreError, db::Row, self_check};
use uuid::Uuid;

use super::media;
use crate::{
    transaction::{Answered, Refusal, Transaction},
    words::Text,
};

/// An item with its title, loan and requests.
pub struct Found {
    pub item: Item,
    pub title_id: Uuid,
    pub title: String,
    /// The borrower's barcode.
    pub borrower: Option<String>,
    /// The open requests for it, in queue order.
    pub requests: Vec<QueuedRequest>,
    loan: Option<Loan>,
}

impl Found {
    /// Whether the patron with that barcode has it.
    pub(crate) fn is_with(&self, patron: &str) -> bool {
        let holder = self.borrower.as_deref();
        holder.is_some_and(|holder| holder.eq_ignore_ascii_case(patron))
    }

    /// When its open loan began.
    pub(crate) fn loaned_at(&self) -> Option<Timestamp> {
        Some(self.loan.as_ref()?.loan_date()?.timestamp)
    }

    /// Its open loan, shaped like the answer to a check-out.
    pub(crate) fn as_checked_out(&self, configuration: &Configuration) -> Value {
        let id = self.loan.as_ref().and_then(Loan::id);
        let material = configuration.material_type(self.item.material_type_id);
        json!({"id": id, "dueDate": self.due(),
            "item": {"title": self.title, "materialType": {"name": material}}})
    }

    fn due(&self) -> Option<&str> {
        self.loan.as_ref()?.due_date_text()
    }
}

/// The item that the request names, if it exists. One round trip.
pub async fn read(transaction: &Transaction<'_>) -> Result<Option<Found>, Refusal> {
    let barcode = transaction.required(field::ITEM)?;
    let row = self_check::item(&transaction.insider.session, barcode).await;
    let found = row.and_then(|row| row.as_ref().map(found).transpose());
    found.map_err(|error| transaction.failed(error))
}

fn found(row: &Row) -> Result<Found, StoreError> {
    let Json::<Item>(item) = row.try_get("item")?;
    let loan: Option<Json<Loan>> = row.try_get("loan")?;
    let requests: Option<Json<Vec<QueuedRequest>>> = row.try_get("requests")?;
    // The queue of a title also holds requests for its other copies.
    let mut requests = requests.map(|Json(requests)| requests).unwrap_or_default();
    requests.retain(|queued| queued.request.item_id().is_none_or(|id| id == item.id));
    Ok(Found {
        item,
        title_id: row.try_get("title_id")?,
        title: row.try_get::<_, Option<String>>("title")?.unwrap_or_default(),
        borrower: row.try_get("borrower")?,
        requests,
        loan: loan.map(|Json(loan)| loan),
    })
}

pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    let found = read(transaction).await?;
    let found = found.ok_or_else(|| transaction.refuse(Text::ItemUnknown))?;
    let configuration = &transaction.configuration;
    let recall = found.requests.iter().find(|queued| queued.request.is_recall());
    let recalled = recall.and_then(|queued| queued.request.request_date_text());
    let shelf = found.requests.iter().find(|q| q.request.is(RequestStatus::AwaitingPickup));
    let until = shelf.and_then(|queued| queued.request.hold_shelf_expiration_date_text());
    let location = configuration.location(found.item.effective_location_id);
    let place = location.map(|location| location.name.clone()).unwrap_or_default();
    let to = configuration.service_point(found.item.in_transit_destination_service_point_id);
    let status = &found.item.status;
    let code = status_code(status.name, recall.is_some());
    Ok(transaction
        .begin()
        .with_part(Part::CirculationStatus, code)
        .with(field::QUEUE_LENGTH, found.requests.len().to_string())
        .with_some(field::DUE_DATE, transaction.date(found.due()))
        .with_some(field::RECALL_DATE, transaction.date(recalled))
        .with_some(field::HOLD_PICKUP_DATE, transaction.date(until))
        .with(field::TITLE, found.title)
        .with_some(field::OWNER, location.and_then(|l| l.library_name.clone()))
        .with(field::MEDIA_TYPE, media::code(configuration.material_type(found.item.material_type_id)))
        .with(field::PERMANENT_LOCATION, place.clone())
        .with(field::CURRENT_LOCATION, place)
        .with_some(field::DESTINATION, to.map(|to| to.name.clone()))
        .with(field::SCREEN_MESSAGE, status.name()))
}

/// SIP2's circulation status: 01 other, 02 on order, 03 available, 04 charged, 06 in process, 07 recalled, 08 on the
/// hold shelf, 10 in transit, 11 claimed returned, 12 lost, 13 missing.
fn status_code(status: Option<ItemStatus>, recalled: bool) -> &'static str {
    let Some(status) = status else {
        return "01";
    };
    match status {
        ItemStatus::Available => "03",
        ItemStatus::CheckedOut if recalled => "07",
        ItemStatus::CheckedOut => "04",
        ItemStatus::OnOrder | ItemStatus::OrderClosed => "02",
        ItemStatus::InProcess | ItemStatus::InProcessNonRequestable => "06",
        ItemStatus::AwaitingPickup | ItemStatus::AwaitingDelivery => "08",
        ItemStatus::InTransit => "10",
        ItemStatus::ClaimedReturned => "11",
        ItemStatus::DeclaredLost | ItemStatus::AgedToLost | ItemStatus::LostAndPaid => "12",
        ItemStatus::Missing | ItemStatus::LongMissing => "13",
        _ => "01",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_statuses_map_to_sip2_codes() {
        for (status, recalled, code) in [
            (ItemStatus::Available, false, "03"),
            (ItemStatus::CheckedOut, false, "04"),
            (ItemStatus::CheckedOut, true, "07"),
            (ItemStatus::AwaitingPickup, true, "08"),
            (ItemStatus::Paged, false, "01"),
            (ItemStatus::Withdrawn, false, "01"),
            (ItemStatus::Missing, false, "13"),
            (ItemStatus::LostAndPaid, false, "12"),
        ] {
            assert_eq!(status_code(Some(status), recalled), code, "{status}");
        }
    }
}
