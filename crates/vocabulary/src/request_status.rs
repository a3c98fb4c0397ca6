//! The status of a request.

use crate::named::named;

named! {
    /// Where a request stands (docs/folio/requests.md#stored-requests), open statuses first.
    RequestStatus {
        NotYetFilled = "Open - Not yet filled",
        AwaitingPickup = "Open - Awaiting pickup",
        InTransit = "Open - In transit",
        AwaitingDelivery = "Open - Awaiting delivery",
        Filled = "Closed - Filled",
        Cancelled = "Closed - Cancelled",
        Unfilled = "Closed - Unfilled",
        PickupExpired = "Closed - Pickup expired",
    }
}

impl RequestStatus {
    /// True until the request is filled, cancelled or expired.
    pub fn is_open(self) -> bool {
        self.name().starts_with("Open - ")
    }
}
