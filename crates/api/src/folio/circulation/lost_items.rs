//! Lost items: `…/declare-item-lost`, `…/declare-claimed-returned-item-as-missing` and the job that ages overdue items
//! to lost (docs/folio/lost-items.md).

use circulation::lost_items::declared_lost::Declaration;
use desk::{self, Operator};
use store::fees;
use uuid::Uuid;

use super::loan_changes::{changed, loan_id};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const LOAN: &str = "/circulation/loans/{id}";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post(&format!("{LOAN}/declare-item-lost"), declare_lost)
        .summary("Declare the item of a loan lost")
        .refuses(&[422])
        .at_the_desk()
        .takes("servicePointId*:uuid, declaredLostDateTime:datetime, comment");
    let missing = format!("{LOAN}/declare-claimed-returned-item-as-missing");
    routes
        .post(&missing, mark_missing)
        .summary("Declare a claimed returned item missing")
        .refuses(&[422])
        .at_the_desk()
        .takes("comment*");
    routes
        .post("/circulation/scheduled-age-to-lost", age_to_lost)
        .summary("Age overdue items to lost by their policies")
        .timer_of("mod-circulation");
    routes
        .post("/circulation/scheduled-age-to-lost-fee-charging", charge_fees)
        .summary("Charge the fees/fines of items that aged to lost")
        .timer_of("mod-circulation");
    routes
        .post("/circulation/actual-cost-expiration-by-timeout", expire_costs)
        .summary("Expire actual cost records")
        .timer_of("mod-circulation");
    routes
        .post("/circulation/handlers/loan-related-fee-fine-closed", fee_closed)
        .summary("Close the loan of a lost item whose fees/fines are closed");
    routes
        .post("/circulation/handlers/fee-fine-balance-changed", balance_changed)
        .summary("Take note of a balance, which is kept with the account");
}

/// POST of a declaration. Two round trips.
async fn declare_lost(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    let declaration = Declaration {
        service_point: body["servicePointId"].as_str(),
        declared: body["declaredLostDateTime"].as_str(),
        comment: body["comment"].as_str(),
    };
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let lost = (id, declaration);
    changed(&call, desk::declare_lost(desk, &call.session, lost, operator, call.now).await)
}

/// POST of a claimed-returned item to declare missing. Two round trips.
async fn mark_missing(call: Call) -> Answer {
    let (id, body) = (loan_id(&call)?, call.json()?);
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let missing = (id, body["comment"].as_str());
    changed(&call, desk::mark_missing(desk, &call.session, missing, operator, call.now).await)
}

/// POST of the job: one round trip for each hundred items aged to lost.
async fn age_to_lost(call: Call) -> Answer {
    let aged = desk::age_to_lost(&call.session, Operator(call.user_id()), call.now).await?;
    tracing::info!(aged, "items aged to lost");
    Ok(Reply::no_content())
}

/// POST of the job: two round trips for each thousand loans.
async fn charge_fees(call: Call) -> Answer {
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let billed = desk::bill_lost_items(desk, &call.session, operator, call.now).await?;
    tracing::info!(billed, "lost items billed");
    Ok(Reply::no_content())
}

/// POST of the job. One round trip.
async fn expire_costs(call: Call) -> Answer {
    let operator = Operator(call.user_id());
    let expired = desk::expire_actual_costs(&call.session, operator, call.now).await?;
    tracing::info!(expired, "records of actual costs expired");
    Ok(Reply::no_content())
}

/// POST of an event. Carrel already acted when the fee was closed. At most one round trip.
async fn fee_closed(call: Call) -> Answer {
    let body = call.json().unwrap_or_default();
    let loan = body["loanId"].as_str();
    if let Some(loan) = loan.and_then(|id| Uuid::parse_str(id).ok()) {
        fees::close_lost_loan(&call.session, loan, call.now).await?;
    }
    Ok(Reply::no_content())
}

/// POST of an event that carries no news for Carrel.
async fn balance_changed(_: Call) -> Answer {
    Ok(Reply::no_content())
}
