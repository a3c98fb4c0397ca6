//! The variable fields: a code of two letters, a text, a delimiter.

use std::fmt;

/// The code of a field: two letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(pub [u8; 2]);

impl Code {
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("??")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! codes {
    ($( $(#[doc = $doc:literal])+ $name:ident = $code:literal; )+) => {
        $( $(#[doc = $doc])+ pub const $name: Code = Code(*$code); )+
    };
}

codes! {
    /// Patron identifier: a barcode.
    PATRON = b"AA";
    /// Item identifier: a barcode.
    ITEM = b"AB";
    /// Terminal password.
    TERMINAL_PASSWORD = b"AC";
    /// Patron password or PIN.
    PATRON_PASSWORD = b"AD";
    /// Name of the patron.
    PERSONAL_NAME = b"AE";
    /// Screen message, repeatable.
    SCREEN_MESSAGE = b"AF";
    /// Line for the printer, repeatable.
    PRINT_LINE = b"AG";
    /// Due date.
    DUE_DATE = b"AH";
    /// Title of an item.
    TITLE = b"AJ";
    /// Why a card is blocked.
    BLOCKED_CARD_MESSAGE = b"AL";
    /// Name of the library.
    LIBRARY_NAME = b"AM";
    /// Location of the terminal.
    TERMINAL_LOCATION = b"AN";
    /// Institution.
    INSTITUTION = b"AO";
    /// Current location of the terminal or the item.
    CURRENT_LOCATION = b"AP";
    /// Permanent location of an item.
    PERMANENT_LOCATION = b"AQ";
    /// An item on hold, repeatable.
    HOLD_ITEM = b"AS";
    /// An overdue item, repeatable.
    OVERDUE_ITEM = b"AT";
    /// A charged item, repeatable.
    CHARGED_ITEM = b"AU";
    /// A fee, repeatable.
    FINE_ITEM = b"AV";
    /// Home address.
    HOME_ADDRESS = b"BD";
    /// E-mail address.
    EMAIL = b"BE";
    /// Home phone number.
    PHONE = b"BF";
    /// Owner of an item.
    OWNER = b"BG";
    /// Currency, ISO 4217.
    CURRENCY = b"BH";
    /// `Y` undoes the transaction.
    CANCEL = b"BI";
    /// Transaction id.
    TRANSACTION = b"BK";
    /// Whether the patron is known: `Y` or `N`.
    VALID_PATRON = b"BL";
    /// A renewed item, repeatable.
    RENEWED_ITEM = b"BM";
    /// An item that was not renewed, repeatable.
    UNRENEWED_ITEM = b"BN";
    /// Whether the patron accepts the fee: `Y` or `N`.
    FEE_ACKNOWLEDGED = b"BO";
    /// First item of a list.
    START_ITEM = b"BP";
    /// Last item of a list.
    END_ITEM = b"BQ";
    /// Place in a queue.
    QUEUE_POSITION = b"BR";
    /// Pickup location.
    PICKUP_LOCATION = b"BS";
    /// Type of a fee.
    FEE_TYPE = b"BT";
    /// A recalled item, repeatable.
    RECALL_ITEM = b"BU";
    /// Amount of a fee.
    FEE_AMOUNT = b"BV";
    /// When a hold expires.
    EXPIRATION = b"BW";
    /// Messages that the library system supports.
    SUPPORTED_MESSAGES = b"BX";
    /// Which copies a hold is for: 1 other, 2 any copy of a title, 3 this copy, 4 any copy at a place.
    HOLD_TYPE = b"BY";
    /// Limit of holds.
    HOLD_LIMIT = b"BZ";
    /// Limit of overdue items.
    OVERDUE_LIMIT = b"CA";
    /// Limit of charged items.
    CHARGED_LIMIT = b"CB";
    /// Limit of fees.
    FEE_LIMIT = b"CC";
    /// A hold that is not yet available, repeatable.
    UNAVAILABLE_HOLD = b"CD";
    /// Length of the queue for an item.
    QUEUE_LENGTH = b"CF";
    /// Which fee to pay.
    FEE_ID = b"CG";
    /// Properties of an item.
    ITEM_PROPERTIES = b"CH";
    /// `Y`: do not deactivate the security of the item.
    SECURITY_INHIBIT = b"CI";
    /// When an item was recalled.
    RECALL_DATE = b"CJ";
    /// Media type of an item.
    MEDIA_TYPE = b"CK";
    /// Sort bin.
    SORT_BIN = b"CL";
    /// How long an item stays on the hold shelf.
    HOLD_PICKUP_DATE = b"CM";
    /// User name of the terminal.
    LOGIN_USER = b"CN";
    /// Password of the terminal.
    LOGIN_PASSWORD = b"CO";
    /// Location code of the terminal.
    LOCATION = b"CP";
    /// Whether the password was right: `Y` or `N`.
    VALID_PASSWORD = b"CQ";
    /// Call number (extension).
    CALL_NUMBER = b"CS";
    /// Where to send an item (extension).
    DESTINATION = b"CT";
    /// Why to set an item aside (extension).
    ALERT_TYPE = b"CV";
    /// Barcode of the patron who waits for an item (extension).
    HOLD_PATRON = b"CY";
    /// Name of the patron who waits for an item (extension).
    HOLD_PATRON_NAME = b"DA";
    /// Remaining amount of a fee (extension).
    FEE_REMAINING = b"FA";
    /// Item of a fee (extension).
    FEE_ITEM = b"FB";
    /// Date of a fee (extension).
    FEE_DATE = b"FC";
    /// Title of the item of a fee (extension).
    FEE_TITLE = b"FD";
    /// Fee type, by id (extension).
    FEE_KIND = b"FE";
    /// Fee type, by name (extension).
    FEE_KIND_NAME = b"FF";
    /// Paid amount of a fee (extension).
    FEE_PAID = b"FG";
    /// Patron group (extension).
    BORROWER_TYPE = b"FU";
    /// Description of the patron group (extension).
    BORROWER_TYPE_NAME = b"FV";
}

/// Sequence number of a message; part of error detection, never a field.
pub(crate) const SEQUENCE: Code = Code(*b"AY");
/// Checksum; part of error detection, never a field.
pub(crate) const CHECKSUM: Code = Code(*b"AZ");
