//! Requests that are waiting for an item or a title.

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Patron;

/// How far a request is (docs/folio/requests.md#stored-requests).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestStatus {
    /// Waits for an item.
    NotYetFilled,
    /// The item is on the hold shelf.
    AwaitingPickup,
    /// The item is on its way to the hold shelf.
    InTransit,
    /// The item is to be delivered.
    AwaitingDelivery,
    /// The patron has the item.
    Filled,
    /// Nobody wants the item any more.
    Cancelled,
    /// Nothing came in time.
    Unfilled,
    /// Nobody fetched the item in time.
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

    /// The status of this name.
    pub fn named(name: &str) -> Option<RequestStatus> {
        RequestStatus::ALL
            .into_iter()
            .find(|status| status.name() == name)
    }

    /// The request is still to be filled.
    pub fn is_open(self) -> bool {
        self.name().starts_with("Open")
    }

    /// The name in a record.
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

/// The members of a request that decisions look at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestRecord {
    /// Id.
    pub id: Uuid,
    /// `Item` or `Title`.
    pub request_level: String,
    /// `Page`, `Hold` or `Recall`.
    pub request_type: String,
    /// Status.
    pub status: String,
    /// The item; `None` while any item of the title will do.
    pub item_id: Option<Uuid>,
    /// The title.
    pub instance_id: Option<Uuid>,
    /// Who asks.
    pub requester_id: Option<Uuid>,
    /// Place in the queue, from 1.
    pub position: Option<i64>,
    /// `Hold Shelf` or `Delivery`.
    pub fulfillment_preference: String,
    /// Where the patron wants to fetch it.
    pub pickup_service_point_id: Option<Uuid>,
    /// Until when it is kept on the shelf, as stored.
    pub hold_shelf_expiration_date: Option<String>,
    /// What kind of address it is to be delivered to.
    pub delivery_address_type_id: Option<Uuid>,
}

/// A request in a queue, with who asks.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(from = "Row")]
pub struct QueuedRequest {
    /// What decisions look at.
    pub request: RequestRecord,
    /// The whole record.
    pub record: Map<String, Value>,
    /// Who asks; `None` for a user that is gone.
    pub requester: Option<Patron>,
}

/// A row of the queue as the database gives it.
#[derive(Deserialize)]
struct Row {
    request: Map<String, Value>,
    requester: Option<Patron>,
}

impl From<Row> for QueuedRequest {
    fn from(row: Row) -> Self {
        // A stored record that cannot be read is one that no decision applies to.
        let read = serde_json::from_value(Value::Object(row.request.clone()));
        QueuedRequest {
            request: read.unwrap_or_default(),
            record: row.request,
            requester: row.requester,
        }
    }
}

impl RequestRecord {
    /// In that status.
    pub fn is(&self, status: RequestStatus) -> bool {
        self.status == status.name()
    }

    /// Still to be filled.
    pub fn is_open(&self) -> bool {
        self.status.starts_with("Open")
    }

    /// The item is reserved, on its way or on the shelf for it.
    pub fn is_being_filled(&self) -> bool {
        !self.is(RequestStatus::NotYetFilled)
    }

    /// A page.
    pub fn is_page(&self) -> bool {
        self.request_type == "Page"
    }

    /// A hold.
    pub fn is_hold(&self) -> bool {
        self.request_type == "Hold"
    }

    /// A recall.
    pub fn is_recall(&self) -> bool {
        self.request_type == "Recall"
    }

    /// For a title, not for one item.
    pub fn is_title_level(&self) -> bool {
        self.request_level == "Title"
    }

    /// To be delivered.
    pub fn is_delivery(&self) -> bool {
        self.fulfillment_preference == "Delivery"
    }
}
