//! Items that are read in the library: put aside for a reader, handed out again (folio-circulation §1.1). FOLIO
//! offers this only where an operator has switched it on; it is off by default, and Carrel has no such switch yet.

use serde_json::Value;

use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    route::{Answer, Routes},
};

/// A member the request must have, and what is said when it has not.
type Required = (&'static str, &'static str);

const HOLD: &[Required] = &[(
    "itemBarcode",
    "Request to put item on hold shelf must have an item barcode",
)];

const PICK_UP: &[Required] = &[
    (
        "itemBarcode",
        "Request to pick up from hold shelf must have an item barcode",
    ),
    (
        "userBarcode",
        "Request to pick up from hold shelf must have a user barcode",
    ),
];

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/hold-by-barcode-for-use-at-location", |call| {
            refuse(call, HOLD)
        })
        .summary("Put an item aside that is read in the library")
        .takes("itemBarcode*");
    routes
        .post(
            "/circulation/pickup-by-barcode-for-use-at-location",
            |call| refuse(call, PICK_UP),
        )
        .summary("Hand out an item that is read in the library")
        .takes("itemBarcode*, userBarcode*");
}

async fn refuse(call: Call, required: &[Required]) -> Answer {
    let sent = call.json()?;
    let missing = |member: &str| {
        let text = sent.get(member).and_then(Value::as_str);
        text.is_none_or(|text| text.trim().is_empty())
    };
    Err(match required.iter().find(|(member, _)| missing(member)) {
        Some((member, message)) => Problem::circulation(&[ErrorItem {
            message: (*message).to_owned(),
            parameters: vec![((*member).to_owned(), None)],
            ..ErrorItem::default()
        }]),
        None => Problem::bad_request("For-use-at-location is not enabled for this tenant."),
    })
}
