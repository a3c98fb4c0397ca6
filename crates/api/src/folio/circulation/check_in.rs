//! `/circulation/check-in-by-barcode` (docs/folio/check-in.md).

use circulation::check_in::CheckInCommand;

use super::shown;
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/check-in-by-barcode", check_in)
        .summary("Check in an item")
        .at_the_desk()
        .takes(
            "itemBarcode*, servicePointId*:uuid, checkInDate*,
             claimedReturnedResolution:(Found by library|Returned by patron), sessionId:uuid",
        )
        .gives_body(shown::check_in())
        .refuses(&[422]);
}

/// POST. Two round trips.
async fn check_in(call: Call) -> Answer {
    let command = CheckInCommand::read(&call.json()?, call.user_id())?;
    let taken = desk::check_in(&call.tenant.desk, &call.session, &command, call.now).await?;
    match &taken.decided.afterwards {
        // The item is checked in all the same: a page of ours is told where it goes now, and the refusal among its facts.
        Some(refusal) if !shown::is_page(&call) => Err(refusal.clone().into()),
        _ => Ok(Reply::pretty(&shown::at_the_desk(&call, taken.representation(), || taken.item_facts()))),
    }
}
