//! Common parts of the routes under /inventory: errors without type and code, and their own texts
//! (docs/folio/inventory-business.md#errors-of-the-business-routes).

use std::sync::Arc;

use ::refusals::{Refusal, Refused};
use inventory::write::NotWritten;
use store::{StoreError, collection::Collection, named_values};

use super::{
    kind::Kind,
    refusals::{
        self, BARCODE_TAKEN, HOLDINGS_NOT_FOUND, HRID_UPDATED, INSTANCE_NOT_FOUND, ITEM_NOT_FOUND, PAGE_NOT_NUMERIC,
        QUERY_MISSING,
    },
};
use crate::{
    answer::{ErrorEntry, Problem},
    call::Call,
    collections::{self, Channel},
    route::Answer,
};

/// GET of a list. Its `limit` and `offset` have only digits.
pub async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    if ["limit", "offset"].into_iter().any(|name| call.query.get(name).is_some_and(|text| !is_numeric(text))) {
        return Err(PAGE_NOT_NUMERIC.into());
    }
    collections::list(call, collection).await
}

/// Whether a text is a number to mod-inventory.
pub fn is_numeric(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// DELETE of the records a query finds. A blank query is refused in the storage's words.
pub async fn delete_found(call: Call, collection: Arc<Collection>) -> Answer {
    if call.query.get("query").is_none() {
        return Err(QUERY_MISSING.into());
    }
    collections::delete_found(call, collection).await
}

/// The refusal of a change. Errors that only the storage detects keep the storage's words.
pub fn problem(call: &Call, kind: Kind, channel: Channel, refused: NotWritten) -> Problem {
    match refused {
        NotWritten::Refused(refused) => fault(&refused),
        NotWritten::NotFound(_) => not_found(kind),
        NotWritten::HridChanged { new, .. } => HRID_UPDATED.with("hrid", new).into(),
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
