//! Renews one loan (29) or all loans of a patron (65).

use api::answer::Problem;
use http::Method;
use serde_json::{Value, json};
use sip2::{Part, field};
use store::self_check::{List, Piece};

use super::loan::{has_code, response};
use crate::{
    patron::{Account, verify_patron},
    transaction::{Answered, Transaction},
    words::Text,
};

/// The most loans that one message renews; a terminal does not wait for more.
const AT_ONCE: i64 = 100;

/// Two round trips.
pub async fn one(transaction: &Transaction<'_>) -> Answered {
    transaction.required(field::ITEM)?;
    let patron = transaction.required(field::PATRON)?;
    verify_patron(transaction).await?;
    let renewed = match renew(transaction, patron).await {
        Err(problem) if has_code(&problem, "ITEM_CHECKED_OUT_TO_DIFFERENT_USER") => {
            // The terminal may have sent a user name or external system id.
            let account = Account::named(transaction, None).await?;
            match account.patron.barcode.as_deref().filter(|b| *b != patron) {
                Some(barcode) => renew(transaction, barcode).await,
                None => Err(problem),
            }
        }
        renewed => renewed,
    };
    match renewed {
        Ok(loan) => Ok(response(transaction, &loan, true)),
        Err(problem) if has_code(&problem, "ITEM_HAS_NO_OPEN_LOAN") => Err(transaction.refuse(Text::NotOnLoan)),
        Err(problem) => Err(transaction.problem(problem)),
    }
}

/// Renews the loan of the item that the request names.
pub async fn renew(transaction: &Transaction<'_>, patron: &str) -> Result<Value, Problem> {
    let item = transaction.request.field(field::ITEM).map(str::trim);
    let body = json!({"itemBarcode": item, "userBarcode": patron,
        "servicePointId": transaction.station.service_point});
    let path = "/circulation/renew-by-barcode";
    transaction.send_loan(path, body).await
}

/// Renews every loan of a patron, one after the other, the earliest due date first. One round trip to find them and two
/// for each.
pub async fn all(transaction: &Transaction<'_>) -> Answered {
    let piece = Piece { list: List::Charged, skip: 0, most: AT_ONCE };
    verify_patron(transaction).await?;
    let account = Account::named(transaction, Some(piece)).await?;
    let (mut renewed, mut unrenewed) = (Vec::new(), Vec::new());
    let mut texts: Vec<String> = Vec::new();
    for loan in &account.listed {
        let body = json!({"itemId": loan["id"], "userId": account.patron.id,
            "servicePointId": transaction.station.service_point});
        let path = "/circulation/renew-by-id";
        let name = loan["barcode"].as_str().or(loan["id"].as_str());
        let name = name.unwrap_or_default();
        match transaction.send(Method::POST, path, &body).await {
            Ok(_) => renewed.push(name),
            Err(problem) => {
                unrenewed.push(name);
                let refusal = transaction.problem(problem);
                if refusal.failure.is_some() {
                    return Err(refusal);
                }
                for text in refusal.texts {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
            }
        }
    }
    let more = account.count("charged") > account.listed.len();
    if more {
        texts.push(transaction.words().say(Text::MoreLoans));
    }
    let left = account.count("charged").saturating_sub(renewed.len());
    Ok(transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_number(Part::RenewedCount, renewed.len())
        .with_number(Part::UnrenewedCount, left)
        .with_each(field::RENEWED_ITEM, renewed)
        .with_each(field::UNRENEWED_ITEM, unrenewed)
        .with_each(field::SCREEN_MESSAGE, texts))
}
