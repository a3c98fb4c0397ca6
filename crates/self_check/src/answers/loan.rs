//! What check-out and renewal have in common: the answer with the loan.

use api::answer::Problem;
use serde_json::Value;
use sip2::{Message, Part, field};

use super::media;
use crate::{transaction::Transaction, why::reasons};

/// Whether one of the errors has this code.
pub(crate) fn has_code(problem: &Problem, code: &str) -> bool {
    reasons(problem).any(|reason| reason["code"] == code)
}

/// Answers with a loan; `renewed` tells a renewal from a check-out.
pub fn response(transaction: &Transaction<'_>, loan: &Value, renewed: bool) -> Message {
    let item = &loan["item"];
    let due = transaction.date(loan["dueDate"].as_str());
    let material = item["materialType"]["name"].as_str();
    transaction
        .begin()
        .with_part(Part::Ok, "1")
        .with_flag(Part::RenewalOk, renewed)
        .with_flag(Part::Desensitize, !renewed)
        .with(field::TITLE, item["title"].as_str().unwrap_or_default())
        .with(field::DUE_DATE, due.unwrap_or_default())
        .with(field::SECURITY_INHIBIT, "N")
        .with(field::MEDIA_TYPE, media::code(material))
        .with_some(field::TRANSACTION, loan["id"].as_str())
}
