//! Items for use at their location: held for a patron and picked up again (docs/folio/use-at-location.md). As in FOLIO,
//! an operator must enable this.

use circulation::loans::use_at_location::UsageCommand;
use desk::{self, Operator, UsageChanged};
use http::header::LOCATION;

use super::shown;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/hold-by-barcode-for-use-at-location", hold)
        .summary("Hold an item for use at location")
        .at_the_desk()
        .takes("itemBarcode*")
        .gives_body(shown::held())
        .refuses(&[422]);
    routes
        .post("/circulation/pickup-by-barcode-for-use-at-location", pick_up)
        .summary("Pick up an item for use at location")
        .at_the_desk()
        .takes("itemBarcode*, userBarcode*")
        .gives_record(&desk::collections::loans())
        .refuses(&[422]);
}

/// POST. Two round trips.
async fn hold(call: Call) -> Answer {
    let command = UsageCommand::hold(&call.json()?)?;
    let held = change(&call, &command).await?;
    Ok(Reply::pretty(&held.held()))
}

/// POST. Two round trips.
async fn pick_up(call: Call) -> Answer {
    let command = UsageCommand::pick_up(&call.json()?)?;
    let picked_up = change(&call, &command).await?;
    let location = format!("/circulation/loans/{}", picked_up.loan_id());
    Ok(Reply::pretty(&picked_up.loan()).with_header(LOCATION, &location))
}

async fn change(call: &Call, command: &UsageCommand) -> Result<UsageChanged, Problem> {
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    Ok(desk::change_usage(desk, session, command, operator, call.now).await?)
}
