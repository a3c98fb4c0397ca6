//! What the routes under /inventory have in common: errors without type and code, and texts of their own
//! (docs/folio/inventory-business.md#errors-of-the-business-routes).

use http::StatusCode;
use inventory::write::Refused;
use serde_json::json;
use store::{StoreError, collection::Fault};

use super::{kind::Kind, refusals};
use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    collections::Channel,
};

/// The refusal of a change; what only the storage knows is told in its words.
pub fn problem(call: &Call, kind: Kind, channel: Channel, refused: Refused) -> Problem {
    match refused {
        Refused::Fault(fault) => self::fault(fault),
        Refused::NotFound(_) => not_found(kind),
        Refused::HridChanged { new, old } => hrid_changed(kind, new, old),
        Refused::Store(
            StoreError::Duplicate {
                constraint, detail, ..
            },
            _,
        ) if constraint == "item_barcode_key" => {
            let value = detail
                .split_once(")=(")
                .and_then(|(_, rest)| rest.rsplit_once(") "));
            let barcode = value.map_or("", |(value, _)| value);
            let text =
                format!("Barcode must be unique, {barcode} is already assigned to another item");
            Problem::bad_request(text)
        }
        refused => refusals::problem(call, kind, channel, refused),
    }
}

/// A broken rule in this family's shape.
pub fn fault(fault: Fault) -> Problem {
    if fault.as_text {
        return Problem::bad_request(fault.message);
    }
    let item = ErrorItem {
        message: fault.message,
        parameters: fault.parameters,
        ..ErrorItem::default()
    };
    Problem::unprocessable(&[item])
}

/// The record that an operation is about does not exist.
pub fn not_found(kind: Kind) -> Problem {
    Problem::not_found(match kind {
        Kind::Items => "No item found",
        Kind::Instances => "Instance not found",
        Kind::Holdings => "Not Found",
    })
}

fn hrid_changed(kind: Kind, new: Option<String>, old: Option<String>) -> Problem {
    let message = match kind {
        Kind::Items => "HRID can not be updated".to_owned(),
        _ => {
            let [old, new] = [&old, &new].map(|hrid| hrid.as_deref().unwrap_or("null"));
            format!("HRID change detected: existing={old}, updated={new}")
        }
    };
    Problem::unprocessable(&[ErrorItem::plain(message, "hrid", new.as_deref())])
}

/// 422 with sentences alone, as the move operations give it.
pub fn sentences(sentence: &str) -> Problem {
    Problem::Json(
        StatusCode::UNPROCESSABLE_ENTITY,
        json!({"errors": [sentence]}),
    )
}
