//! `/circulation/renew-by-barcode` and `/circulation/renew-by-id` (docs/folio/renewals.md).

use circulation::{
    blocks::Granted,
    renewal::{NamedBy, NotRenewed, RenewalCommand},
};
use desk::{self, Failed, Operator};
use http::header::LOCATION;

use super::told::{IntoProblem, refused, rules_failed};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const OVERRIDES: &str =
    "servicePointId:uuid, overrideBlocks{comment, patronBlock:object, renewalBlock:object,
    renewalDueDateRequiredBlock{dueDate:datetime}}";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/renew-by-barcode", |call| {
            renew(call, NamedBy::Barcode)
        })
        .summary("Renew the loan of an item, by barcodes")
        .at_the_desk()
        .takes(&format!("itemBarcode*, userBarcode*, {OVERRIDES}"))
        .gives(desk::collections::LOAN_MEMBERS);
    routes
        .post("/circulation/renew-by-id", |call| renew(call, NamedBy::Id))
        .summary("Renew the loan of an item, by ids")
        .at_the_desk()
        .takes(&format!("itemId*:uuid, userId*:uuid, {OVERRIDES}"))
        .gives(desk::collections::LOAN_MEMBERS);
}

/// POST. Two round trips.
async fn renew(call: Call, named_by: NamedBy) -> Answer {
    let granted = Granted::by(|permission| call.may(permission));
    let command = RenewalCommand::read(&call.json()?, named_by, granted);
    let command = command.map_err(|refusal| refused(refusal.of_body()))?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let renewed = desk::renew(desk, session, &command, operator, call.now).await;
    let renewed = renewed.map_err(|failed| problem(failed, &command))?;
    let id = renewed.decided.loan.text("id").unwrap_or_default();
    let location = format!("/circulation/loans/{id}");
    Ok(Reply::pretty(&renewed.representation()).with_header(LOCATION, &location))
}

fn problem(failed: Failed<NotRenewed>, command: &RenewalCommand) -> Problem {
    failed.into_problem(|fault| match fault {
        NotRenewed::Failed(text) => rules_failed(text),
        NotRenewed::Refused(refusals) => {
            refused(refusals.iter().map(|refusal| refusal.told(command)))
        }
    })
}
