//! `/automated-patron-blocks/handlers/…`: where FOLIO's pubsub delivers events to mod-patron-blocks
//! (docs/folio/patron-blocks.md#block-event-handlers).
//!
//! FOLIO learns from these events what a patron has on loan and owes. Carrel updates the counters in the transaction
//! that changes the loan, fee or due date, so it needs no events: it validates them as mod-patron-blocks does, so that
//! senders learn of malformed ones, and acknowledges them.

use std::sync::Arc;

use store::record::Schema;

use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

/// Each event and its members. Senders may add others.
const EVENTS: [(&str, &str); 8] = [
    (
        "fee-fine-balance-changed",
        "id:uuid, feeFineId*:uuid, userId:uuid, feeFineTypeId:uuid, loanId:uuid, balance*:number, metadata:Metadata",
    ),
    (
        "item-checked-out",
        "id:uuid, userId*:uuid, loanId*:uuid, dueDate*:datetime, metadata:Metadata,
         gracePeriod{duration*:int, intervalId*:(Minutes|Hours|Days|Weeks|Months)}",
    ),
    ("item-checked-in", "id:uuid, userId*:uuid, loanId*:uuid, returnDate:datetime, metadata:Metadata"),
    ("item-declared-lost", LOAN),
    ("item-aged-to-lost", LOAN),
    ("item-claimed-returned", LOAN),
    (
        "loan-due-date-changed",
        "id:uuid, userId*:uuid, loanId*:uuid, dueDate*:datetime, dueDateChangedByRecall*:bool, metadata:Metadata",
    ),
    ("loan-closed", LOAN),
];

/// The members most of the events share.
const LOAN: &str = "id:uuid, userId*:uuid, loanId*:uuid, metadata:Metadata";

pub(super) fn routes(routes: &mut Routes) {
    for (event, members) in EVENTS {
        let schema = Arc::new(Schema::declare(members));
        routes
            .post(&format!("/automated-patron-blocks/handlers/{event}"), move |call| {
                acknowledge(call, Arc::clone(&schema))
            })
            .summary("Take note of what patron blocks know already")
            .refuses(&[422])
            .takes(members);
    }
}

/// POST of an event. No round trip.
async fn acknowledge(call: Call, schema: Arc<Schema>) -> Answer {
    schema.accept(schema.without_unknown(call.json()?))?;
    Ok(Reply::no_content())
}
