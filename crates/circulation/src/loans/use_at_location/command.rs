//! What a client asks for: an item is put aside or handed out again.

use serde_json::Value;

use crate::{refusal::Told, text::text};

/// What is to become of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsageCommand {
    /// It is put aside for its reader.
    Hold {
        /// The item's barcode.
        item_barcode: String,
    },
    /// Its reader gets it back.
    PickUp {
        /// The item's barcode.
        item_barcode: String,
        /// The reader's.
        user_barcode: String,
    },
}

impl UsageCommand {
    /// Reads the body of `/circulation/hold-by-barcode-for-use-at-location`.
    ///
    /// # Errors
    /// What is told when the item is not named.
    pub fn hold(body: &Value) -> Result<UsageCommand, Told> {
        let message = "Request to put item on hold shelf must have an item barcode";
        let item_barcode = named(body, "itemBarcode", message)?;
        Ok(UsageCommand::Hold { item_barcode })
    }

    /// Reads the body of `/circulation/pickup-by-barcode-for-use-at-location`.
    ///
    /// # Errors
    /// What is told when the item or the reader is not named.
    pub fn pick_up(body: &Value) -> Result<UsageCommand, Told> {
        let no_item = "Request to pick up from hold shelf must have an item barcode";
        let nobody = "Request to pick up from hold shelf must have a user barcode";
        Ok(UsageCommand::PickUp {
            item_barcode: named(body, "itemBarcode", no_item)?,
            user_barcode: named(body, "userBarcode", nobody)?,
        })
    }

    /// The item's barcode.
    pub fn item_barcode(&self) -> &str {
        match self {
            UsageCommand::Hold { item_barcode } | UsageCommand::PickUp { item_barcode, .. } => {
                item_barcode
            }
        }
    }
}

fn named(body: &Value, member: &'static str, message: &str) -> Result<String, Told> {
    text(&body[member]).ok_or_else(|| Told::new(message).about(member, None::<String>))
}
