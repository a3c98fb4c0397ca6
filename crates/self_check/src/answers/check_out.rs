//! Checks out an item (11). Two round trips, as for any client.

use api::answer::Problem;
use http::Method;
use serde_json::{Value, json};
use sip2::{Kind, Part, field};

use super::{
    items,
    loan::{has_code, response},
    renew,
};
use crate::{
    patron::{Account, verify_patron},
    transaction::{Answered, Transaction},
    why::reasons,
    words::Text,
};

const CHECK_OUT: &str = "/circulation/check-out-by-barcode";

/// Checks out an item, renews it if the patron already has it and the terminal allows that, or undoes a check-out.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    transaction.required(field::ITEM)?;
    let patron = transaction.required(field::PATRON)?;
    verify_patron(transaction).await?;
    if transaction.request.field(field::CANCEL) == Some("Y") {
        return undo(transaction).await;
    }
    match check_out(transaction, patron).await {
        Ok(loan) => Ok(response(transaction, &loan, false)),
        Err(problem) if has_code(&problem, "USER_BARCODE_NOT_FOUND") => by_another_name(transaction).await,
        Err(problem) => renew_instead(transaction, patron, problem).await,
    }
}

async fn check_out(transaction: &Transaction<'_>, patron: &str) -> Result<Value, Problem> {
    let item = transaction.request.field(field::ITEM).map(str::trim);
    let mut body = json!({"itemBarcode": item, "userBarcode": patron,
        "servicePointId": transaction.station.service_point});
    // What a terminal did offline happened then, not now.
    if let Some(began) = transaction.done_offline_at() {
        body["loanDate"] = began.to_string().into();
    }
    transaction.send_loan(CHECK_OUT, body).await
}

/// Retries with the patron's barcode: the terminal may have sent a user name or external system id.
async fn by_another_name(transaction: &Transaction<'_>) -> Answered {
    let account = Account::named(transaction, None).await?;
    let barcode = account.patron.barcode.as_deref();
    let barcode = barcode.ok_or_else(|| transaction.refuse(Text::PatronUnknown))?;
    match check_out(transaction, barcode).await {
        Ok(loan) => Ok(response(transaction, &loan, false)),
        Err(problem) => renew_instead(transaction, barcode, problem).await,
    }
}

/// Renews an item that the patron already has, if the terminal may. A terminal that was offline may also report the
/// same check-out twice.
async fn renew_instead(transaction: &Transaction<'_>, patron: &str, problem: Problem) -> Answered {
    if !is_on_loan(&problem) {
        return Err(transaction.problem(problem));
    }
    if let Some(began) = transaction.done_offline_at()
        && let Some(found) = items::read(transaction).await?
        && found.is_with(patron)
        && found.loaned_at() == Some(began)
    {
        return Ok(response(transaction, &found.as_checked_out(&transaction.configuration), false));
    }
    let allowed = transaction.request.flag(Part::RenewalPolicy) && transaction.permitted(Kind::Renew).is_ok();
    if !allowed {
        let found = items::read(transaction).await?;
        let text = match found.is_some_and(|found| found.is_with(patron)) {
            true => Text::OnLoanToPatron,
            false => Text::OnLoanToOther,
        };
        return Err(transaction.refuse(text));
    }
    match renew::renew(transaction, patron).await {
        Ok(loan) => Ok(response(transaction, &loan, true)),
        Err(problem) => Err(transaction.problem(problem)),
    }
}

fn is_on_loan(problem: &Problem) -> bool {
    reasons(problem)
        .any(|reason| reason["message"] == "Item is already checked out" || reason["code"] == "ITEM_HAS_OPEN_LOAN")
}

/// Undoes a check-out, because the terminal could not release the item: checks it in if the patron has it.
async fn undo(transaction: &Transaction<'_>) -> Answered {
    transaction.permitted(Kind::CheckIn)?;
    let account = Account::named(transaction, None).await?;
    let item = items::read(transaction).await?;
    let item = item.ok_or_else(|| transaction.refuse(Text::ItemUnknown))?;
    if item.borrower.is_none() || item.borrower != account.patron.barcode {
        return Err(transaction.refuse(Text::OnLoanToOther));
    }
    let body = json!({"itemBarcode": item.item.barcode, "checkInDate": transaction.insider.now.to_string(),
        "servicePointId": transaction.station.service_point});
    let path = "/circulation/check-in-by-barcode";
    let returned = transaction.send(Method::POST, path, &body).await;
    returned.map_err(|problem| transaction.problem(problem))?;
    Ok(transaction.begin().with_part(Part::Ok, "1").with(field::TITLE, item.title).with(field::DUE_DATE, ""))
}
