//! The status of an item.

use crate::named::named;

named! {
    /// What is going on with an item, one of FOLIO's 21 names (docs/folio/inventory.md#item-statuses), in the order in
    /// which FOLIO lists them.
    ItemStatus {
        AgedToLost = "Aged to lost",
        Available = "Available",
        AwaitingPickup = "Awaiting pickup",
        AwaitingDelivery = "Awaiting delivery",
        CheckedOut = "Checked out",
        ClaimedReturned = "Claimed returned",
        DeclaredLost = "Declared lost",
        InProcess = "In process",
        InProcessNonRequestable = "In process (non-requestable)",
        InTransit = "In transit",
        IntellectualItem = "Intellectual item",
        LongMissing = "Long missing",
        LostAndPaid = "Lost and paid",
        Missing = "Missing",
        OnOrder = "On order",
        OrderClosed = "Order closed",
        Paged = "Paged",
        Restricted = "Restricted",
        Unavailable = "Unavailable",
        Unknown = "Unknown",
        Withdrawn = "Withdrawn",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_exact() {
        assert_eq!(ItemStatus::ALL.len(), 21);
        for status in ItemStatus::ALL {
            assert_eq!(ItemStatus::from_name(status.name()), Some(*status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        assert_eq!(ItemStatus::from_name("available"), None);
    }
}
