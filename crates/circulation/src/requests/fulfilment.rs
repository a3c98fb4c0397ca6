//! Fulfilling a request with a returned item (docs/folio/check-in.md#where-the-item-goes).

use jiff::Timestamp;
use refusals::Refusal;
use uuid::Uuid;

use super::{copies, hold_shelf, refusal::NO_PICKUP_SERVICE_POINT};
use crate::{
    configuration::Configuration,
    records::{Item, QueuedRequest, RequestStatus},
};

/// Assigns the item to the request: on the hold shelf, in transit or awaiting delivery.
pub(crate) fn fulfil(
    mut queued: QueuedRequest,
    item: &Item,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<QueuedRequest, Refusal> {
    let request = &mut queued.request;
    if request.item_id() != Some(item.id) {
        request.set_item_id(item.id);
        request.set_holdings_record_id(item.holdings_record_id);
    }
    let here = request.pickup_point() == Some(service_point);
    let status = match (request.is_delivery(), here) {
        (true, _) => RequestStatus::AwaitingDelivery,
        (false, true) => RequestStatus::AwaitingPickup,
        (false, false) => RequestStatus::InTransit,
    };
    if status == RequestStatus::InTransit && request.pickup_point().is_none() {
        return Err(NO_PICKUP_SERVICE_POINT.into());
    }
    request.set_status(status);
    if status != RequestStatus::AwaitingPickup {
        request.set_hold_shelf_expiration_date(None);
    } else if request.hold_shelf_expiration_date_text().is_none() {
        let expires = hold_shelf::expiration(service_point, configuration, now)?;
        request.set_hold_shelf_expiration_date(expires);
    }
    let pickup = configuration.service_point(request.pickup_point());
    let pickup = pickup.map(|point| point.name.as_str());
    request.set_item_copy(copies::item(item, configuration));
    request.set_search_index(copies::search_index(item, pickup));
    Ok(queued)
}
