//! `/circulation/check-out-by-barcode` and its dry run (docs/folio/check-out.md).

use circulation::{blocks::Granted, check_out::CheckOutCommand};
use desk::{self, Operator};
use http::StatusCode;
use serde_json::json;

use super::shown;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const OVERRIDES: &str = "overrideBlocks{comment, patronBlock:object, itemLimitBlock:object,
    itemNotLoanableBlock{dueDate:datetime}}";

pub(super) fn routes(routes: &mut Routes) {
    let members = format!(
        "itemBarcode*, userBarcode*, servicePointId*:uuid, proxyUserBarcode, loanDate,
         forceLoanPolicyId:uuid, {OVERRIDES}"
    );
    routes
        .post("/circulation/check-out-by-barcode", check_out)
        .summary("Check out an item to a patron")
        .at_the_desk()
        .takes(&members)
        .gives_body(shown::checked_out())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes
        .post("/circulation/check-out-by-barcode-dry-run", dry_run)
        .summary("Check whether an item can be checked out to a patron")
        .at_the_desk()
        .takes(&format!("itemBarcode*, userBarcode*, proxyUserBarcode, {OVERRIDES}"))
        .gives("loanPolicyId:uuid, overdueFinePolicyId:uuid, lostItemPolicyId:uuid, patronNoticePolicyId:uuid")
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
}

/// POST. Two round trips.
async fn check_out(call: Call) -> Answer {
    let command = command(&call, false)?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let checked_out = desk::check_out(desk, session, &command, operator, call.now).await?;
    let location = format!("/circulation/loans/{}", checked_out.loan.id().unwrap_or_default());
    let shown = shown::at_the_desk(&call, checked_out.representation(), || checked_out.item_facts());
    Ok(Reply::pretty(&shown).created(&location))
}

/// POST. One round trip.
async fn dry_run(call: Call) -> Answer {
    let command = command(&call, true)?;
    let policies = desk::dry_run(&call.tenant.desk, &call.session, &command, call.now).await?;
    let body = json!({
        "loanPolicyId": policies.loan,
        "overdueFinePolicyId": policies.overdue_fine,
        "lostItemPolicyId": policies.lost_item,
        "patronNoticePolicyId": policies.notice,
    });
    Ok(Reply::pretty(&body).with_status(http::StatusCode::CREATED))
}

fn command(call: &Call, dry_run: bool) -> Result<CheckOutCommand, Problem> {
    let granted = Granted::by(|permission| call.may(permission));
    let command = CheckOutCommand::read(&call.json()?, granted, dry_run, call.now)?;
    Ok(command)
}
