//! Items that are read in the library: put aside for a reader, handed out again (docs/folio/use-at-location.md). FOLIO
//! offers this only where an operator has switched it on.

use circulation::{
    loans::use_at_location::{UsageCommand, Words},
    refusal::Told,
};
use desk::{self, Operator, UsageChanged};
use http::header::LOCATION;

use super::told::{IntoProblem, refused};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/hold-by-barcode-for-use-at-location", hold)
        .summary("Put an item aside that is read in the library")
        .at_the_desk()
        .takes("itemBarcode*")
        .gives("loan:object");
    routes
        .post(
            "/circulation/pickup-by-barcode-for-use-at-location",
            pick_up,
        )
        .summary("Hand out an item that is read in the library")
        .at_the_desk()
        .takes("itemBarcode*, userBarcode*")
        .gives(desk::collections::LOAN_MEMBERS);
}

/// POST. Two round trips.
async fn hold(call: Call) -> Answer {
    let command = UsageCommand::hold(&call.json()?);
    let held = change(&call, command).await?;
    Ok(Reply::pretty(&held.held()))
}

/// POST. Two round trips.
async fn pick_up(call: Call) -> Answer {
    let command = UsageCommand::pick_up(&call.json()?);
    let picked_up = change(&call, command).await?;
    let location = format!("/circulation/loans/{}", picked_up.loan_id());
    Ok(Reply::pretty(&picked_up.loan()).with_header(LOCATION, &location))
}

async fn change(call: &Call, command: Result<UsageCommand, Told>) -> Result<UsageChanged, Problem> {
    let command = command.map_err(|told| refused([told]))?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let changed = desk::change_usage(desk, session, &command, operator, call.now).await;
    changed.map_err(|failed| {
        failed.into_problem(|refusal| match refusal.told(&command) {
            Words::Text(text) => Problem::bad_request(text),
            Words::Error(told) => refused([told]),
        })
    })
}
