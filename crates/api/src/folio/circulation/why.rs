//! `/carrel/why`: what decided a due date, a fee or a refusal, and what would be decided for another patron group,
//! material type, loan type or location (docs/why.md). Carrel's own; FOLIO has nothing like it.

use ::refusals::Refusal;
use circulation::{
    blocks::Granted,
    check_in::CheckInCommand,
    check_out::CheckOutCommand,
    renewal::{NamedBy, RenewalCommand},
    requests::place::PlaceCommand,
    why::WhatIf,
};
use desk::{
    Operator,
    why::{
        explain_check_in, explain_check_out, explain_fee, explain_loan, explain_patron, explain_renewal,
        explain_request,
    },
};
use serde_json::Value;

use super::{refusals::NO_SUCH_RECORD, shown_why as shown};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

/// The product whose error format the routes have.
const MODULE: &str = "mod-circulation";
/// The values to try, as query parameters or in `whatIf`.
const WHAT_IF: &str = "patronGroupId:uuid, materialTypeId:uuid, loanTypeId:uuid, locationId:uuid";

/// Without a member, a check-out or request is explained as refused, so their bodies require none.
pub(super) fn routes(routes: &mut Routes) {
    let what_if = format!("whatIf{{{WHAT_IF}}}");
    routes
        .post("/carrel/why/check-out", check_out)
        .of_module(MODULE)
        .needs(&["circulation.check-out-by-barcode.post"])
        .summary("Why an item would be checked out until a date, or would not")
        .takes(&format!("itemBarcode, userBarcode, servicePointId:uuid, proxyUserBarcode, loanDate, {what_if}"))
        .gives_body(shown::explanation())
        .refuses(&[422]);
    routes
        .post("/carrel/why/renewal", renewal)
        .of_module(MODULE)
        .needs(&["circulation.renew-by-id.post"])
        .summary("Why a loan would be renewed until a date, or would not")
        .takes(&format!("itemId*:uuid, userId*:uuid, {what_if}"))
        .gives_body(shown::explanation())
        .refuses(&[422]);
    routes
        .post("/carrel/why/request", request)
        .of_module(MODULE)
        .needs(&["circulation.requests.item.post"])
        .summary("Why a request would be accepted or refused")
        .takes(&format!(
            "requestLevel, requestType, itemId:uuid, instanceId:uuid, holdingsRecordId:uuid, requesterId:uuid,
             proxyUserId:uuid, requestDate, fulfillmentPreference, pickupServicePointId:uuid, {what_if}, ..."
        ))
        .gives_body(shown::explanation())
        .refuses(&[422]);
    routes
        .get("/carrel/why/loans/{id}", loan)
        .of_module(MODULE)
        .needs(&["circulation.loans.item.get"])
        .summary("Why a loan is due when it is")
        .asks(WHAT_IF)
        .gives_body(shown::loan())
        .refuses(&[404, 422]);
    routes
        .get("/carrel/why/fees/{id}", fee)
        .of_module(MODULE)
        .needs(&["accounts.item.get"])
        .summary("Why a fee was charged")
        .asks(WHAT_IF)
        .gives_body(shown::fee())
        .refuses(&[404, 422]);
    routes
        .post("/carrel/why/check-in", check_in)
        .of_module(MODULE)
        .needs(&["circulation.check-in-by-barcode.post"])
        .summary("Why an item is not taken back")
        .takes(
            "itemBarcode, servicePointId:uuid, checkInDate,
             claimedReturnedResolution:(Found by library|Returned by patron)",
        )
        .gives_body(shown::explanation())
        .refuses(&[422]);
    routes
        .get("/carrel/why/patrons/{id}", patron)
        .of_module(MODULE)
        .needs(&["patron-blocks.automated-patron-blocks.collection.get"])
        .summary("Which limits block a patron")
        .asks("patronGroupId:uuid")
        .gives_body(shown::patron())
        .refuses(&[404, 422]);
}

/// POST. One round trip, two near an item limit.
async fn check_out(call: Call) -> Answer {
    let body: Value = call.json()?;
    let granted = Granted::by(|permission| call.may(permission));
    let command = CheckOutCommand::read(&body, granted, false, call.now)?;
    let what_if = in_body(&body)?;
    let asked = (&command, &what_if);
    let (explanation, configuration) = explain_check_out(&call.tenant.desk, &call.session, asked, call.now).await?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// POST. One round trip.
async fn renewal(call: Call) -> Answer {
    let body: Value = call.json()?;
    let granted = Granted::by(|permission| call.may(permission));
    let command = RenewalCommand::read(&body, NamedBy::Id, granted)?;
    let what_if = in_body(&body)?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let asked = (&command, &what_if);
    let (explanation, configuration) = explain_renewal(desk, session, asked, operator, call.now).await?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// POST. One round trip.
async fn request(call: Call) -> Answer {
    let body: Value = call.json()?;
    let what_if = in_body(&body)?;
    let granted = Granted::by(|permission| call.may(permission));
    let command = PlaceCommand::read(body, granted)?;
    let asked = (&command, &what_if);
    let (explanation, configuration) = explain_request(&call.tenant.desk, &call.session, asked, call.now).await?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// POST. Two round trips, one if there is no such item.
async fn check_in(call: Call) -> Answer {
    let command = CheckInCommand::read(&call.json()?, call.user_id())?;
    let (explanation, configuration) = explain_check_in(&call.tenant.desk, &call.session, &command, call.now).await?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// GET. One round trip. No item is asked about, so only the patron group can be another.
async fn patron(call: Call) -> Answer {
    let group = call.query.get("patronGroupId");
    let what_if = WhatIf::read(|member| group.filter(|_| member == "patronGroupId"))?;
    let unknown = || unknown("user", &call);
    let id = call.id("id").map_err(|_| unknown())?;
    let explained = explain_patron(&call.tenant.desk, &call.session, id, &what_if, call.now).await?;
    let (explanation, configuration) = explained.ok_or_else(unknown)?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// GET. One round trip.
async fn loan(call: Call) -> Answer {
    let what_if = WhatIf::read(|member| call.query.get(member))?;
    let unknown = || unknown("loan", &call);
    let id = call.id("id").map_err(|_| unknown())?;
    let explained = explain_loan(&call.tenant.desk, &call.session, id, &what_if).await?;
    let (explanation, configuration) = explained.ok_or_else(unknown)?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

/// GET. One round trip.
async fn fee(call: Call) -> Answer {
    let what_if = WhatIf::read(|member| call.query.get(member))?;
    let unknown = || unknown("account", &call);
    let id = call.id("id").map_err(|_| unknown())?;
    let explained = explain_fee(&call.tenant.desk, &call.session, id, &what_if).await?;
    let (explanation, configuration) = explained.ok_or_else(unknown)?;
    Ok(Reply::pretty(&explanation.shown(&configuration)))
}

fn in_body(body: &Value) -> Result<WhatIf, Refusal> {
    WhatIf::read(|member| body["whatIf"][member].as_str())
}

fn unknown(name: &str, call: &Call) -> Refusal {
    NO_SUCH_RECORD.with("name", name).with("id", call.param("id"))
}
