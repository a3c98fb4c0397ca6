//! Request types, and which item statuses allow them (docs/folio/requests.md#types-and-item-statuses).

use crate::records::{Item, ItemStatus};

/// Request types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// Fetch an item from the shelf.
    Page,
    /// Keep the next returned copy.
    Hold,
    /// Ask the borrower to return the item early.
    Recall,
}

impl RequestKind {
    /// Every type, in the order in which they are tried for a title.
    pub const ALL: [RequestKind; 3] = [RequestKind::Page, RequestKind::Recall, RequestKind::Hold];

    /// The name as stored in records.
    pub fn name(self) -> &'static str {
        match self {
            RequestKind::Page => "Page",
            RequestKind::Hold => "Hold",
            RequestKind::Recall => "Recall",
        }
    }

    /// Finds a type by its name, in any case.
    pub fn named(name: &str) -> Option<RequestKind> {
        let same = |kind: &RequestKind| kind.name().eq_ignore_ascii_case(name);
        RequestKind::ALL.into_iter().find(same)
    }

    /// True if items with this status accept the request type.
    pub(crate) fn suits_status(self, status: ItemStatus) -> bool {
        match status {
            ItemStatus::Available => self == RequestKind::Page,
            ItemStatus::Restricted => true,
            ItemStatus::CheckedOut
            | ItemStatus::AwaitingPickup
            | ItemStatus::AwaitingDelivery
            | ItemStatus::InTransit
            | ItemStatus::Paged
            | ItemStatus::OnOrder
            | ItemStatus::InProcess => self != RequestKind::Page,
            ItemStatus::Missing => self == RequestKind::Hold,
            _ => false,
        }
    }

    /// True if the item's current status accepts the request type.
    pub(crate) fn suits(self, item: &Item) -> bool {
        item.status.name.is_some_and(|status| self.suits_status(status))
    }

    /// The item statuses that accept the request type.
    pub fn statuses(self) -> impl Iterator<Item = ItemStatus> {
        let statuses = ItemStatus::ALL.iter().copied();
        statuses.filter(move |status| self.suits_status(*status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Item statuses and the types each accepts (docs/folio/requests.md#types-and-item-statuses).
    const MATRIX: [(ItemStatus, &str); 20] = [
        (ItemStatus::Available, "P"),
        (ItemStatus::Restricted, "PHR"),
        (ItemStatus::CheckedOut, "HR"),
        (ItemStatus::AwaitingPickup, "HR"),
        (ItemStatus::AwaitingDelivery, "HR"),
        (ItemStatus::InTransit, "HR"),
        (ItemStatus::Paged, "HR"),
        (ItemStatus::OnOrder, "HR"),
        (ItemStatus::InProcess, "HR"),
        (ItemStatus::Missing, "H"),
        (ItemStatus::DeclaredLost, ""),
        (ItemStatus::ClaimedReturned, ""),
        (ItemStatus::AgedToLost, ""),
        (ItemStatus::LostAndPaid, ""),
        (ItemStatus::Withdrawn, ""),
        (ItemStatus::LongMissing, ""),
        (ItemStatus::Unavailable, ""),
        (ItemStatus::Unknown, ""),
        (ItemStatus::IntellectualItem, ""),
        (ItemStatus::InProcessNonRequestable, ""),
    ];

    #[test]
    fn the_matrix_of_types_and_statuses() {
        for (status, taken) in MATRIX {
            for kind in RequestKind::ALL {
                let expected = taken.contains(&kind.name()[..1]);
                assert_eq!(kind.suits_status(status), expected, "{kind:?} {status}");
            }
        }
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(RequestKind::named("hold"), Some(RequestKind::Hold));
        assert_eq!(RequestKind::named("Recall"), Some(RequestKind::Recall));
        assert_eq!(RequestKind::named("Steal"), None);
    }
}
