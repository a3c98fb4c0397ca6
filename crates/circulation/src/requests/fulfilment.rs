//! A request gets an item that came back (docs/folio/check-in.md#where-the-item-goes).

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{copies, hold_shelf};
use crate::{
    calendars::closed_library::TimetableAbsent,
    configuration::Configuration,
    dates::stored,
    records::{Item, QueuedRequest, RequestStatus},
    refusal::Told,
};

/// A request that gets an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Fulfilment {
    /// The request as it is from now on, with who asks.
    pub queued: QueuedRequest,
    /// Its members that change; `null` takes one away.
    pub changes: Map<String, Value>,
}

/// Why a request does not get an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFulfilled {
    /// The request does not say where the item is to be picked up.
    NoPickupServicePoint,
    /// The calendars say too little about the days on the hold shelf.
    TimetableAbsent,
}

impl From<TimetableAbsent> for NotFulfilled {
    fn from(_: TimetableAbsent) -> Self {
        NotFulfilled::TimetableAbsent
    }
}

impl NotFulfilled {
    /// The refusal in FOLIO's words.
    #[must_use]
    pub fn told(self) -> Told {
        match self {
            Self::NoPickupServicePoint => Told::new(
                "Failed to check in item due to the highest priority request \
                 missing a pickup service point",
            )
            .about("pickupServicePointId", None::<String>),
            Self::TimetableAbsent => TimetableAbsent.told(),
        }
    }
}

/// The item goes to the request: on the hold shelf, on its way there, or to be delivered.
///
/// # Errors
/// [`NotFulfilled`].
pub fn fulfil(
    mut queued: QueuedRequest,
    item: &Item,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Fulfilment, NotFulfilled> {
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
        return Err(NotFulfilled::NoPickupServicePoint);
    }
    changes.insert("status".into(), status.name().into());
    if status != RequestStatus::AwaitingPickup {
        changes.insert("holdShelfExpirationDate".into(), Value::Null);
    } else if request.hold_shelf_expiration_date.is_none() {
        let expires = hold_shelf::expiration(service_point, configuration, now)?;
        if let Some(expires) = expires {
            changes.insert(
                "holdShelfExpirationDate".into(),
                stored(expires).to_string().into(),
            );
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
