//! Requests for an item or a title.

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Patron;

/// Status of a request (docs/folio/requests.md#stored-requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestStatus {
    /// Waiting for an item.
    NotYetFilled,
    /// The item is on the hold shelf.
    AwaitingPickup,
    /// The item is in transit to the pickup service point.
    InTransit,
    /// The item is waiting for delivery.
    AwaitingDelivery,
    /// The item was checked out to the requester.
    Filled,
    /// The request was cancelled.
    Cancelled,
    /// The request expired before an item became available.
    Unfilled,
    /// The requester did not pick up the item in time.
    PickupExpired,
}

impl RequestStatus {
    /// Every status, open ones first.
    pub const ALL: [RequestStatus; 8] = [
        RequestStatus::NotYetFilled,
        RequestStatus::AwaitingPickup,
        RequestStatus::InTransit,
        RequestStatus::AwaitingDelivery,
        RequestStatus::Filled,
        RequestStatus::Cancelled,
        RequestStatus::Unfilled,
        RequestStatus::PickupExpired,
    ];

    /// Finds a status by its stored name.
    pub fn named(name: &str) -> Option<RequestStatus> {
        RequestStatus::ALL.into_iter().find(|status| status.name() == name)
    }

    /// True until the request is filled, cancelled or expired.
    pub fn is_open(self) -> bool {
        self.name().starts_with("Open")
    }

    /// The name as stored in records.
    pub fn name(self) -> &'static str {
        match self {
            RequestStatus::NotYetFilled => "Open - Not yet filled",
            RequestStatus::AwaitingPickup => "Open - Awaiting pickup",
            RequestStatus::InTransit => "Open - In transit",
            RequestStatus::AwaitingDelivery => "Open - Awaiting delivery",
            RequestStatus::Filled => "Closed - Filled",
            RequestStatus::Cancelled => "Closed - Cancelled",
            RequestStatus::Unfilled => "Closed - Unfilled",
            RequestStatus::PickupExpired => "Closed - Pickup expired",
        }
    }
}

/// The members of a request that decisions use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestRecord {
    /// ID of the request.
    pub id: Uuid,
    /// `Item` or `Title`.
    pub request_level: String,
    /// `Page`, `Hold` or `Recall`.
    pub request_type: String,
    /// Name of the [`RequestStatus`].
    pub status: String,
    /// `None` for a title-level request that has no item yet.
    pub item_id: Option<Uuid>,
    /// ID of the instance.
    pub instance_id: Option<Uuid>,
    /// ID of the requester; absent once the request is anonymized.
    pub requester_id: Option<Uuid>,
    /// Position in the queue, from 1; only open requests have one.
    pub position: Option<i64>,
    /// `Hold Shelf` or `Delivery`.
    pub fulfillment_preference: String,
    /// Pickup service point; absent for deliveries.
    pub pickup_service_point_id: Option<Uuid>,
    /// When the hold shelf period ends, as stored.
    pub hold_shelf_expiration_date: Option<String>,
    /// Type of the requester's delivery address.
    pub delivery_address_type_id: Option<Uuid>,
}

/// A request in a queue, with its requester.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(from = "Row")]
pub struct QueuedRequest {
    /// The members that decisions use.
    pub request: RequestRecord,
    /// The whole stored record.
    pub record: Map<String, Value>,
    /// `None` if the user no longer exists.
    pub requester: Option<Patron>,
}

/// A row of the queue, as the database returns it.
#[derive(Deserialize)]
struct Row {
    request: Map<String, Value>,
    requester: Option<Patron>,
}

impl From<Row> for QueuedRequest {
    fn from(row: Row) -> Self {
        // Decisions ignore stored records that do not parse.
        let read = serde_json::from_value(Value::Object(row.request.clone()));
        QueuedRequest {
            request: read.unwrap_or_default(),
            record: row.request,
            requester: row.requester,
        }
    }
}

impl RequestRecord {
    /// True if the request has this status.
    pub fn is(&self, status: RequestStatus) -> bool {
        self.status == status.name()
    }

    /// True until the request is filled, cancelled or expired.
    pub fn is_open(&self) -> bool {
        self.status.starts_with("Open")
    }

    /// True unless the status is not yet filled.
    pub(crate) fn is_being_filled(&self) -> bool {
        !self.is(RequestStatus::NotYetFilled)
    }

    /// True for a page.
    pub fn is_page(&self) -> bool {
        self.request_type == "Page"
    }

    /// True for a hold.
    pub(crate) fn is_hold(&self) -> bool {
        self.request_type == "Hold"
    }

    /// True for a recall.
    pub fn is_recall(&self) -> bool {
        self.request_type == "Recall"
    }

    /// True for a title-level request.
    pub fn is_title_level(&self) -> bool {
        self.request_level == "Title"
    }

    /// True if the item is to be delivered.
    pub(crate) fn is_delivery(&self) -> bool {
        self.fulfillment_preference == "Delivery"
    }
}
