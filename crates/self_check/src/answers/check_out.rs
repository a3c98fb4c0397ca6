//! A patron borrows (11). Two round trips for a loan, as for any client.

use api::answer::Problem;
use http::Method;
use serde_json::{Value, json};
use sip2::{Kind, Message, Part, field};

use super::{items, media, renew};
use crate::{
    offline::reasons,
    patron::{Account, refuse_strangers},
    transaction::{Answered, Transaction},
    words::Text,
};

const LEND: &str = "/circulation/check-out-by-barcode";

/// Lends; prolongs the loan of a patron who has the item already, where the terminal allows it; or undoes a loan.
pub async fn answer(transaction: &Transaction<'_>) -> Answered {
    transaction.required(field::ITEM)?;
    let patron = transaction.required(field::PATRON)?;
    refuse_strangers(transaction).await?;
    if transaction.request.field(field::CANCEL) == Some("Y") {
        return undo(transaction).await;
    }
    match lend(transaction, patron).await {
        Ok(loan) => Ok(lent(transaction, &loan, false)),
        Err(problem) if is(&problem, "USER_BARCODE_NOT_FOUND") => {
            by_another_name(transaction).await
        }
        Err(problem) => lent_already(transaction, patron, problem).await,
    }
}

async fn lend(transaction: &Transaction<'_>, patron: &str) -> Result<Value, Problem> {
    let item = transaction.request.field(field::ITEM).map(str::trim);
    let mut body = json!({"itemBarcode": item, "userBarcode": patron,
        "servicePointId": transaction.station.service_point});
    // A loan made while the terminal was off line began then.
    if let Some(began) = transaction.done_offline_at() {
        body["loanDate"] = began.to_string().into();
    }
    transaction.lend(LEND, body).await
}

/// The patron may have been named by user name or external system id.
async fn by_another_name(transaction: &Transaction<'_>) -> Answered {
    let account = Account::named(transaction, None).await?;
    let barcode = account.patron.barcode.as_deref();
    let barcode = barcode.ok_or_else(|| transaction.refuse(Text::PatronUnknown))?;
    match lend(transaction, barcode).await {
        Ok(loan) => Ok(lent(transaction, &loan, false)),
        Err(problem) => lent_already(transaction, barcode, problem).await,
    }
}

/// An item that is out already is prolonged, if the patron has it and the terminal may. A terminal that was off line may
/// tell of the same loan twice.
async fn lent_already(transaction: &Transaction<'_>, patron: &str, problem: Problem) -> Answered {
    if !is_out(&problem) {
        return Err(transaction.problem(problem));
    }
    if let Some(began) = transaction.done_offline_at()
        && let Some(found) = items::read(transaction).await?
        && found.is_with(patron)
        && found.lent_at() == Some(began)
    {
        return Ok(lent(
            transaction,
            &found.as_lent(&transaction.configuration),
            false,
        ));
    }
    let allowed =
        transaction.request.flag(Part::RenewalPolicy) && transaction.permitted(Kind::Renew).is_ok();
    if !allowed {
        let found = items::read(transaction).await?;
        let text = match found.is_some_and(|found| found.is_with(patron)) {
            true => Text::OnLoanToPatron,
            false => Text::OnLoanToOther,
        };
        return Err(transaction.refuse(text));
    }
    match renew::prolong(transaction, patron).await {
        Ok(loan) => Ok(lent(transaction, &loan, true)),
        Err(problem) => Err(transaction.problem(problem)),
    }
}

/// One of the reasons has that code.
pub fn is(problem: &Problem, code: &str) -> bool {
    reasons(problem).any(|reason| reason["code"] == code)
}

fn is_out(problem: &Problem) -> bool {
    reasons(problem).any(|reason| {
        reason["message"] == "Item is already checked out" || reason["code"] == "ITEM_HAS_OPEN_LOAN"
    })
}

/// The answer about a loan, `again` when it was prolonged.
pub fn lent(transaction: &Transaction<'_>, loan: &Value, again: bool) -> Message {
    let item = &loan["item"];
    let due = transaction.date(loan["dueDate"].as_str());
    let material = item["materialType"]["name"].as_str();
    transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_flag(Part::RenewalOk, again)
        .with_flag(Part::Desensitize, !again)
        .with(field::TITLE, item["title"].as_str().unwrap_or_default())
        .with(field::DUE_DATE, due.unwrap_or_default())
        .with(field::SECURITY_INHIBIT, "N")
        .with(field::MEDIA_TYPE, media::code(material))
        .with_some(field::TRANSACTION, loan["id"].as_str())
}

/// The terminal could not hand the item out: it comes back at once, if the patron has it.
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
    Ok(transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with(field::TITLE, item.title)
        .with(field::DUE_DATE, ""))
}
