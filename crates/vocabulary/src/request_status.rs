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
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(
            self,
            Self::NotYetFilled | Self::AwaitingPickup | Self::InTransit | Self::AwaitingDelivery
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_whether_it_is_open() {
        for status in RequestStatus::ALL {
            assert_eq!(status.is_open(), status.name().starts_with("Open - "), "{status}");
        }
    }
}
