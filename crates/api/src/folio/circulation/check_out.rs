//! `/circulation/check-out-by-barcode` and its dry run (docs/folio/check-out.md).

use circulation::{
    blocks::Granted,
    check_out::{CheckOutCommand, Malformed, NotLent},
};
use desk::{self, Failed, Operator};
use serde_json::json;

use super::told::{IntoProblem, not_an_id, refused, rules_failed};
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
        .summary("Lend an item to a patron")
        .at_the_desk()
        .takes(&members)
        .gives(desk::collections::LOAN_MEMBERS);
    routes
        .post("/circulation/check-out-by-barcode-dry-run", dry_run)
        .summary("Check whether an item could be lent to a patron")
        .at_the_desk()
        .takes(&format!("itemBarcode*, userBarcode*, proxyUserBarcode, {OVERRIDES}"))
        .gives("loanPolicyId:uuid, overdueFinePolicyId:uuid, lostItemPolicyId:uuid, patronNoticePolicyId:uuid");
}

/// POST. Two round trips.
async fn check_out(call: Call) -> Answer {
    let command = command(&call, false)?;
    let (desk, session, operator) = (&call.tenant.desk, &call.session, Operator(call.user_id()));
    let lent = desk::check_out(desk, session, &command, operator, call.now).await;
    let lent = lent.map_err(|failed| problem(failed, &command))?;
    let location = format!(
        "/circulation/loans/{}",
        lent.loan.text("id").unwrap_or_default()
    );
    Ok(Reply::pretty(&lent.representation()).created(&location))
}

/// POST. One round trip.
async fn dry_run(call: Call) -> Answer {
    let command = command(&call, true)?;
    let admitted = desk::dry_run(&call.tenant.desk, &call.session, &command, call.now).await;
    let policies = admitted.map_err(|failed| problem(failed, &command))?;
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
    CheckOutCommand::read(&call.json()?, granted, dry_run, call.now).map_err(malformed)
}

fn malformed(fault: Malformed) -> Problem {
    match fault {
        Malformed::NotAnObject => Problem::bad_request("Json content error: not an object"),
        Malformed::LoanDate => {
            Problem::bad_request("loan date must be a date time (in RFC3339 format)")
        }
        Malformed::Id(member) => not_an_id(member),
    }
}

fn problem(failed: Failed<NotLent>, command: &CheckOutCommand) -> Problem {
    failed.into_problem(|fault| match fault {
        NotLent::RulesFailed(text) => rules_failed(text),
        NotLent::Refused(refusals) => refused(refusals.iter().map(|refusal| refusal.told(command))),
    })
}
