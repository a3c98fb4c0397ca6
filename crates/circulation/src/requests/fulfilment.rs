//! Fulfilling a request with a returned item (docs/folio/check-in.md#where-the-item-goes).

use jiff::Timestamp;
use refusals::Refusal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{copies, hold_shelf, refusal::NO_PICKUP_SERVICE_POINT};
use crate::{
    configuration::Configuration,
    dates::stored,
    records::{Item, QueuedRequest, RequestStatus},
};

/// A request that receives an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Fulfilment {
    /// The updated request with its requester.
    pub queued: QueuedRequest,
    /// The members that change; `null` removes one.
    pub changes: Map<String, Value>,
}

/// Assigns the item to the request: on the hold shelf, in transit or awaiting delivery.
pub(crate) fn fulfil(
    mut queued: QueuedRequest,
    item: &Item,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Fulfilment, Refusal> {
    let request = &queued.request;
    let mut changes = Map::new();
    if request.item_id != Some(item.id) {
        changes.insert("itemId".into(), json!(item.id));
        changes.insert("holdingsRecordId".into(), json!(item.holdings_record_id));
    }
    let here = request.pickup_service_point_id == Some(service_point);
    let status = match (request.is_delivery(), here) {
        (true, _) => RequestStatus::AwaitingDelivery,
        (false, true) => RequestStatus::AwaitingPickup,
        (false, false) => RequestStatus::InTransit,
    };
    if status == RequestStatus::InTransit && request.pickup_service_point_id.is_none() {
        return Err(NO_PICKUP_SERVICE_POINT.into());
    }
    changes.insert("status".into(), status.name().into());
    if status != RequestStatus::AwaitingPickup {
        changes.insert("holdShelfExpirationDate".into(), Value::Null);
    } else if request.hold_shelf_expiration_date.is_none() {
        let expires = hold_shelf::expiration(service_point, configuration, now)?;
        if let Some(expires) = expires {
            changes.insert("holdShelfExpirationDate".into(), stored(expires).to_string().into());
        }
    }
    let pickup = configuration.service_point(request.pickup_service_point_id);
    let pickup = pickup.map(|point| point.name.as_str());
    changes.insert("item".into(), copies::item(item, configuration));
    changes.insert("searchIndex".into(), copies::search_index(item, pickup));
    apply(&mut queued, &changes);
    Ok(Fulfilment { queued, changes })
}

fn apply(queued: &mut QueuedRequest, changes: &Map<String, Value>) {
    for (member, value) in changes {
        match value {
            Value::Null => queued.record.shift_remove(member),
            value => queued.record.insert(member.clone(), value.clone()),
        };
    }
    let record = Value::Object(queued.record.clone());
    if let Ok(request) = serde_json::from_value(record) {
        queued.request = request;
    }
}
