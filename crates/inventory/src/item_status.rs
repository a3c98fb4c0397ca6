//! The status of an item (docs/folio/inventory.md#item-statuses) and the changes that staff make with `mark-…`.

use refusals::Refusal;
use vocabulary::ItemStatus::{self, *};

use crate::refusal::{CLAIMED_ITEM_MISSING, NOT_TO_BE_MARKED, STATUS_MISSING, STATUS_UNKNOWN};

/// One `mark-…` operation.
pub struct Move {
    /// The last segment of `/inventory/items/{id}/mark-…`.
    pub path: &'static str,
    /// The status that the item gets.
    pub to: ItemStatus,
    /// The statuses in which an item is refused.
    pub refused_in: &'static [ItemStatus],
}

/// All of them (docs/folio/inventory-business.md#marking-items).
pub const MOVES: &[Move] = &[
    Move { path: "mark-in-process", to: InProcess, refused_in: &[InProcess] },
    Move {
        path: "mark-in-process-non-requestable",
        to: InProcessNonRequestable,
        refused_in: &[InProcess, InProcessNonRequestable],
    },
    Move { path: "mark-intellectual-item", to: IntellectualItem, refused_in: &[InProcess, IntellectualItem] },
    Move { path: "mark-long-missing", to: LongMissing, refused_in: &[InProcess, LongMissing] },
    Move { path: "mark-restricted", to: Restricted, refused_in: &[InProcess, Restricted] },
    Move { path: "mark-unavailable", to: Unavailable, refused_in: &[InProcess, Unavailable] },
    Move { path: "mark-unknown", to: Unknown, refused_in: &[InProcess, Unknown] },
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
        refused_in: &[AgedToLost, CheckedOut, ClaimedReturned, DeclaredLost, OnOrder, OrderClosed, Withdrawn],
    },
];

impl Move {
    /// Refuses an item whose current status does not allow the change.
    pub fn check(&self, current: &str) -> Result<(), Refusal> {
        if self.refused_in.iter().any(|status| status.name() == current) {
            let refusal = NOT_TO_BE_MARKED.with("marked", self.to.name());
            return Err(refusal.with("status.name", current));
        }
        Ok(())
    }
}

/// Checks the status of an item sent to `/inventory/items`: it must be present and known. A blank one counts as
/// absent.
pub fn check_sent_status(status: Option<&str>) -> Result<ItemStatus, Refusal> {
    let name = status.filter(|name| !name.trim().is_empty()).ok_or(STATUS_MISSING)?;
    ItemStatus::from_name(name).ok_or_else(|| STATUS_UNKNOWN.with("status.name", name))
}

/// Checks the change of status by a PUT to `/inventory/items/{id}`.
pub fn check_changed_status(stored: &str, sent: ItemStatus) -> Result<(), Refusal> {
    if stored == ClaimedReturned.name() && sent == Missing {
        return Err(CLAIMED_ITEM_MISSING.with("status.name", Missing.name()));
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
    fn moves_are_refused_in_exactly_the_listed_statuses() {
        let lost = ["Aged to lost", "Checked out", "Claimed returned", "Declared lost", "On order", "Order closed"];
        let refused = |path: &str, status: &str| match path {
            "mark-in-process" => status == "In process",
            "mark-missing" => lost.contains(&status) || status == "Missing" || status == "Lost and paid",
            "mark-withdrawn" => lost.contains(&status) || status == "Withdrawn",
            other => {
                let own = other.trim_start_matches("mark-").replace('-', " ");
                let plain = status.to_lowercase().replace(['(', ')'], "").replace("non-req", "non req");
                status == "In process" || plain == own
            }
        };
        for step in MOVES {
            for status in ItemStatus::ALL {
                let answer = step.check(status.name());
                assert_eq!(answer.is_err(), refused(step.path, status.name()), "{} from {status:?}", step.path);
            }
        }
    }

    #[test]
    fn a_refused_move_names_the_current_status() {
        let fault = MOVES[0].check("In process").unwrap_err();
        assert_eq!(fault.message(), "Item is not allowed to be marked as In process");
        let expected = [("status.name".to_owned(), Some("In process".to_owned()))];
        assert_eq!(fault.entry().parameters, expected);
    }

    #[test]
    fn a_sent_status_must_be_present_and_known() {
        assert_eq!(check_sent_status(Some("Paged")), Ok(Paged));
        for absent in [None, Some(""), Some(" ")] {
            assert_eq!(check_sent_status(absent).unwrap_err().message(), "Status is a required field");
        }
        let unknown = check_sent_status(Some("Gone")).unwrap_err();
        assert_eq!(unknown, STATUS_UNKNOWN.with("status.name", "Gone"));
    }

    #[test]
    fn a_claimed_returned_item_cannot_become_missing() {
        assert!(check_changed_status("Claimed returned", Missing).is_err());
        assert!(check_changed_status("Claimed returned", Available).is_ok());
        assert!(check_changed_status("Available", Missing).is_ok());
    }
}
