//! The status of an item (docs/folio/inventory.md#item-statuses) and the moves a librarian may make with `mark-…`.

use serde::{Deserialize, Serialize};

use store::collection::Fault;

macro_rules! item_statuses {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// What is going on with an item, one of FOLIO's 21 names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ItemStatus {
            $(
                #[doc = $name]
                #[serde(rename = $name)]
                $variant,
            )+
        }

        impl ItemStatus {
            /// Every status, in alphabetical order of the names as FOLIO lists them.
            pub const ALL: &'static [ItemStatus] = &[$(ItemStatus::$variant),+];

            /// The name in records and on screens.
            pub fn name(self) -> &'static str {
                match self {
                    $(ItemStatus::$variant => $name,)+
                }
            }
        }
    };
}

item_statuses! {
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

impl ItemStatus {
    /// The status of that name; names are exact, letter case included.
    pub fn from_name(name: &str) -> Option<ItemStatus> {
        Self::ALL
            .iter()
            .copied()
            .find(|status| status.name() == name)
    }
}

/// One `mark-…` operation: the path's last segment, the status it sets, the statuses it is refused in.
pub struct Move {
    /// The last segment of `/inventory/items/{id}/mark-…`.
    pub path: &'static str,
    /// The status the item gets.
    pub to: ItemStatus,
    /// The statuses the item must not have.
    pub refused_in: &'static [ItemStatus],
}

use ItemStatus::*;

/// The moves (docs/folio/inventory-business.md#marking-items).
pub const MOVES: &[Move] = &[
    Move {
        path: "mark-in-process",
        to: InProcess,
        refused_in: &[InProcess],
    },
    Move {
        path: "mark-in-process-non-requestable",
        to: InProcessNonRequestable,
        refused_in: &[InProcess, InProcessNonRequestable],
    },
    Move {
        path: "mark-intellectual-item",
        to: IntellectualItem,
        refused_in: &[InProcess, IntellectualItem],
    },
    Move {
        path: "mark-long-missing",
        to: LongMissing,
        refused_in: &[InProcess, LongMissing],
    },
    Move {
        path: "mark-restricted",
        to: Restricted,
        refused_in: &[InProcess, Restricted],
    },
    Move {
        path: "mark-unavailable",
        to: Unavailable,
        refused_in: &[InProcess, Unavailable],
    },
    Move {
        path: "mark-unknown",
        to: Unknown,
        refused_in: &[InProcess, Unknown],
    },
    Move {
        path: "mark-missing",
        to: Missing,
        refused_in: &[
            AgedToLost,
            CheckedOut,
            ClaimedReturned,
            DeclaredLost,
            LostAndPaid,
            Missing,
            OnOrder,
            OrderClosed,
        ],
    },
    Move {
        path: "mark-withdrawn",
        to: Withdrawn,
        refused_in: &[
            AgedToLost,
            CheckedOut,
            ClaimedReturned,
            DeclaredLost,
            OnOrder,
            OrderClosed,
            Withdrawn,
        ],
    },
];

impl Move {
    /// Whether an item whose status has the name `current` may make this move.
    pub fn check(&self, current: &str) -> Result<(), Fault> {
        if self
            .refused_in
            .iter()
            .any(|status| status.name() == current)
        {
            let message = format!("Item is not allowed to be marked as {}", self.to.name());
            return Err(Fault::of(message, "status.name", Some(current)));
        }
        Ok(())
    }
}

/// Checks the status of an item sent to `/inventory/items`: present, and one of the known names.
pub fn check_sent_status(status: Option<&str>) -> Result<ItemStatus, Fault> {
    let name = status.ok_or_else(|| Fault::of("Status is a required field", "status", None))?;
    ItemStatus::from_name(name)
        .ok_or_else(|| Fault::of("Undefined status specified", "status.name", Some(name)))
}

/// Checks the change of status by a PUT to `/inventory/items/{id}`.
pub fn check_changed_status(stored: &str, sent: ItemStatus) -> Result<(), Fault> {
    if stored == ClaimedReturned.name() && sent == Missing {
        let message = "Claimed returned item cannot be marked as missing";
        return Err(Fault::of(message, "status.name", Some(Missing.name())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_statuses_are_one_to_one() {
        assert_eq!(ItemStatus::ALL.len(), 21);
        for status in ItemStatus::ALL {
            assert_eq!(ItemStatus::from_name(status.name()), Some(*status));
        }
        assert_eq!(ItemStatus::from_name("available"), None);
    }

    #[test]
    fn moves_are_refused_exactly_where_the_table_says() {
        let lost = [
            "Aged to lost",
            "Checked out",
            "Claimed returned",
            "Declared lost",
            "On order",
            "Order closed",
        ];
        let refused = |path: &str, status: &str| match path {
            "mark-in-process" => status == "In process",
            "mark-missing" => {
                lost.contains(&status) || status == "Missing" || status == "Lost and paid"
            }
            "mark-withdrawn" => lost.contains(&status) || status == "Withdrawn",
            other => {
                let own = other.trim_start_matches("mark-").replace('-', " ");
                let plain = status
                    .to_lowercase()
                    .replace(['(', ')'], "")
                    .replace("non-req", "non req");
                status == "In process" || plain == own
            }
        };
        for step in MOVES {
            for status in ItemStatus::ALL {
                let answer = step.check(status.name());
                assert_eq!(
                    answer.is_err(),
                    refused(step.path, status.name()),
                    "{} from {status:?}",
                    step.path
                );
            }
        }
    }

    #[test]
    fn a_refused_move_names_the_current_status() {
        let fault = MOVES[0].check("In process").unwrap_err();
        let expected = Fault::of(
            "Item is not allowed to be marked as In process",
            "status.name",
            Some("In process"),
        );
        assert_eq!(fault, expected);
    }

    #[test]
    fn a_sent_status_must_be_present_and_known() {
        assert_eq!(check_sent_status(Some("Paged")), Ok(Paged));
        assert_eq!(
            check_sent_status(None).unwrap_err().message,
            "Status is a required field"
        );
        let unknown = check_sent_status(Some("Gone")).unwrap_err();
        assert_eq!(
            unknown,
            Fault::of("Undefined status specified", "status.name", Some("Gone"))
        );
    }

    #[test]
    fn a_claimed_returned_item_cannot_become_missing() {
        assert!(check_changed_status("Claimed returned", Missing).is_err());
        assert!(check_changed_status("Claimed returned", Available).is_ok());
        assert!(check_changed_status("Available", Missing).is_ok());
    }
}
