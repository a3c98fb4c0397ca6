//! Common parts of the routes under /inventory: errors without type and code, and their own texts
//! (docs/folio/inventory-business.md#errors-of-the-business-routes).

use ::refusals::{Refusal, Refused};
use inventory::write::NotWritten;
use store::{StoreError, named_values};

use super::{
    kind::Kind,
    refusals::{
        self, BARCODE_TAKEN, HOLDINGS_NOT_FOUND, INSTANCE_NOT_FOUND, ITEM_HRID_CHANGED, ITEM_NOT_FOUND,
        RECORD_HRID_CHANGED,
    },
};
use crate::{
    answer::{ErrorEntry, Problem},
    call::Call,
    collections::Channel,
};

/// The refusal of a change. Errors that only the storage detects keep the storage's words.
pub fn problem(call: &Call, kind: Kind, channel: Channel, refused: NotWritten) -> Problem {
    match refused {
        NotWritten::Refused(refused) => fault(&refused),
        NotWritten::NotFound(_) => not_found(kind),
        NotWritten::HridChanged { new, old } => {
            let wording = match kind {
                Kind::Items => ITEM_HRID_CHANGED,
                _ => RECORD_HRID_CHANGED,
            };
            wording.with("hrid", new).with("old", old).into()
        }
        NotWritten::Store(StoreError::Duplicate { constraint, detail, .. }, _) if constraint == "item_barcode_key" => {
            BARCODE_TAKEN.with("barcode", named_values(&detail).unwrap_or_default()).into()
        }
        refused => refusals::problem(call, kind, channel, refused),
    }
}

/// A broken rule as these routes report it: without type and code.
pub fn fault(refused: &Refused) -> Problem {
    let is_text = |refusal: &Refusal| refusal.wording().status != 422;
    if refused.0.iter().any(is_text) {
        return refused.clone().into();
    }
    let entries = refused.entries().into_iter();
    let plain = |entry| ErrorEntry { kind: None, code: None, ..entry };
    Problem::unprocessable(&entries.map(plain).collect::<Vec<_>>())
}

/// 404: the record the operation applies to does not exist.
pub fn not_found(kind: Kind) -> Problem {
    let wording = match kind {
        Kind::Items => ITEM_NOT_FOUND,
        Kind::Instances => INSTANCE_NOT_FOUND,
        Kind::Holdings => HOLDINGS_NOT_FOUND,
    };
    Refused::from(wording).into()
}
