//! The body of a request to hold an item or to pick it up again.

use refusals::{Refusal, Wording};
use serde_json::Value;

use super::refusal::{HOLD_WITHOUT_ITEM, PICK_UP_WITHOUT_ITEM, PICK_UP_WITHOUT_USER};
use crate::text::text;

/// A requested change in the use of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsageCommand {
    /// Holds the item for its patron.
    Hold {
        /// The item's barcode.
        item_barcode: String,
    },
    /// Returns the held item to its patron.
    PickUp {
        /// The item's barcode.
        item_barcode: String,
        /// The patron's barcode.
        user_barcode: String,
    },
}

impl UsageCommand {
    /// Reads the body of `/circulation/hold-by-barcode-for-use-at-location`.
    ///
    /// # Errors
    /// When the item's barcode is missing.
    pub fn hold(body: &Value) -> Result<UsageCommand, Refusal> {
        let item_barcode = text(&body["itemBarcode"]).ok_or(HOLD_WITHOUT_ITEM)?;
        Ok(UsageCommand::Hold { item_barcode })
    }

    /// Reads the body of `/circulation/pickup-by-barcode-for-use-at-location`.
    ///
    /// # Errors
    /// When the barcode of the item or the patron is missing.
    pub fn pick_up(body: &Value) -> Result<UsageCommand, Refusal> {
        Ok(UsageCommand::PickUp {
            item_barcode: text(&body["itemBarcode"]).ok_or(PICK_UP_WITHOUT_ITEM)?,
            user_barcode: text(&body["userBarcode"]).ok_or(PICK_UP_WITHOUT_USER)?,
        })
    }

    /// A refusal that names the barcodes.
    pub(super) fn refusal(&self, wording: &'static Wording) -> Refusal {
        let refusal = wording.with("itemBarcode", self.item_barcode());
        match self {
            UsageCommand::Hold { .. } => refusal,
            UsageCommand::PickUp { user_barcode, .. } => refusal.with("userBarcode", user_barcode),
        }
    }

    /// The item's barcode.
    pub fn item_barcode(&self) -> &str {
        match self {
            UsageCommand::Hold { item_barcode } | UsageCommand::PickUp { item_barcode, .. } => item_barcode,
        }
    }
}
