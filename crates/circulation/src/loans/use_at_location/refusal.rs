//! What speaks against putting an item aside or handing it out again, in FOLIO's words.

use super::UsageCommand;
use crate::{calendars::closed_library::TimetableAbsent, refusal::Told};

/// A reason to leave an item as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageRefusal {
    /// The library has no items that are read there.
    NotEnabled,
    /// Nobody has the item, or somebody else.
    NoOpenLoan,
    /// The item was lent to be taken home.
    NotForUseAtLocation,
    /// The calendars say too little about how long it can wait.
    TimetableAbsent,
}

impl From<TimetableAbsent> for UsageRefusal {
    fn from(_: TimetableAbsent) -> Self {
        UsageRefusal::TimetableAbsent
    }
}

/// How FOLIO tells a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// As the text of a 400.
    Text(String),
    /// As an error of a 422.
    Error(Told),
}

impl UsageRefusal {
    /// The refusal in FOLIO's words, which are punctuated differently for each command.
    pub fn told(self, command: &UsageCommand) -> Words {
        use UsageCommand::{Hold, PickUp};
        Words::Text(match (self, command) {
            (Self::NotEnabled, _) => {
                "For-use-at-location is not enabled for this tenant.".to_owned()
            }
            (Self::NoOpenLoan, Hold { item_barcode }) => {
                format!("No open loan found for the item barcode. ({item_barcode})")
            }
            (
                Self::NoOpenLoan,
                PickUp {
                    item_barcode,
                    user_barcode,
                },
            ) => format!(
                "No open loan found for item barcode and user  ({item_barcode} and {user_barcode})."
            ),
            (Self::NotForUseAtLocation, Hold { item_barcode }) => format!(
                "The loan is open but is not for use at location., item barcode ({item_barcode})"
            ),
            (Self::NotForUseAtLocation, PickUp { item_barcode, .. }) => format!(
                "The loan is open but is not for use at location, item barcode ({item_barcode})"
            ),
            (Self::TimetableAbsent, _) => return Words::Error(TimetableAbsent.told()),
        })
    }
}
