//! The types of request, and which of them an item in a given status can take
//! (docs/folio/requests.md#types-and-item-statuses).

use crate::records::Item;

/// What a patron asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// An item on the shelf is fetched.
    Page,
    /// The next copy that comes back is kept.
    Hold,
    /// The borrower is asked to bring it back sooner.
    Recall,
}

impl RequestKind {
    /// Every type, in the order in which a title is tried.
    pub const ALL: [RequestKind; 3] = [RequestKind::Page, RequestKind::Recall, RequestKind::Hold];

    /// The name in a record.
    pub fn name(self) -> &'static str {
        match self {
            RequestKind::Page => "Page",
            RequestKind::Hold => "Hold",
            RequestKind::Recall => "Recall",
        }
    }

    /// The type of that name, in any case.
    pub fn named(name: &str) -> Option<RequestKind> {
        let same = |kind: &RequestKind| kind.name().eq_ignore_ascii_case(name);
        RequestKind::ALL.into_iter().find(same)
    }

    /// The type may be asked of an item in that status.
    pub fn suits_status(self, status: &str) -> bool {
        match status {
            "Available" => self == RequestKind::Page,
            "Restricted" => true,
            "Checked out" | "Awaiting pickup" | "Awaiting delivery" | "In transit" | "Paged"
            | "On order" | "In process" => self != RequestKind::Page,
            "Missing" => self == RequestKind::Hold,
            _ => false,
        }
    }

    /// The type may be asked of this item as it is now.
    pub fn suits(self, item: &Item) -> bool {
        self.suits_status(&item.status.name)
    }

    /// The statuses of items that a hold waits for.
    pub const HELD_STATUSES: [&'static str; 9] = [
        "Checked out",
        "Awaiting pickup",
        "Awaiting delivery",
        "In transit",
        "Missing",
        "Paged",
        "On order",
        "In process",
        "Restricted",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix: status, and the types it takes (docs/folio/requests.md#types-and-item-statuses).
    const MATRIX: [(&str, &str); 21] = [
        ("Available", "P"),
        ("Restricted", "PHR"),
        ("Checked out", "HR"),
        ("Awaiting pickup", "HR"),
        ("Awaiting delivery", "HR"),
        ("In transit", "HR"),
        ("Paged", "HR"),
        ("On order", "HR"),
        ("In process", "HR"),
        ("Missing", "H"),
        ("Declared lost", ""),
        ("Claimed returned", ""),
        ("Aged to lost", ""),
        ("Lost and paid", ""),
        ("Withdrawn", ""),
        ("Long missing", ""),
        ("Unavailable", ""),
        ("Unknown", ""),
        ("Intellectual item", ""),
        ("In process (non-requestable)", ""),
        ("", ""),
    ];

    #[test]
    fn the_matrix_of_types_and_statuses() {
        for (status, taken) in MATRIX {
            for kind in RequestKind::ALL {
                let expected = taken.contains(&kind.name()[..1]);
                assert_eq!(kind.suits_status(status), expected, "{kind:?} {status}");
            }
            let held = RequestKind::HELD_STATUSES.contains(&status);
            assert_eq!(held, taken.contains('H'), "{status}");
        }
    }

    #[test]
    fn names_are_read_in_any_case() {
        assert_eq!(RequestKind::named("hold"), Some(RequestKind::Hold));
        assert_eq!(RequestKind::named("Recall"), Some(RequestKind::Recall));
        assert_eq!(RequestKind::named("Steal"), None);
    }
}
