//! What a terminal did while it was offline and reports now (`no block` is `Y`). The item has already left the library
//! or come back, so the desk records it as of then wherever it can: blocks that staff may override are overridden if
//! the terminal's user may do so, and a due date that the terminal promised the patron is kept.

use api::answer::Problem;
use http::Method;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sip2::Part;

use crate::{
    transaction::{Refusal, Transaction},
    why::reasons,
    words::Text,
};

/// The comment of the override, which staff see with the loan.
const COMMENT: &str = "Done at a self-check while it was off line";
/// Blocks whose override needs a due date.
const DATED: [&str; 2] = ["itemNotLoanableBlock", "renewalDueDateRequiredBlock"];

impl Transaction<'_> {
    /// Whether it was done while the terminal was offline.
    pub(crate) fn was_offline(&self) -> bool {
        self.request.flag(Part::NoBlock)
    }

    /// When it was done offline, by the terminal's clock, if the date is valid and past.
    pub(crate) fn done_offline_at(&self) -> Option<Timestamp> {
        let done = self.moment(Part::Date).filter(|_| self.was_offline());
        done.filter(|done| *done < self.insider.now)
    }

    /// Adds to a refusal that what happened offline was not recorded.
    pub(crate) fn not_recorded(&self, mut refusal: Refusal) -> Refusal {
        if self.was_offline() {
            refusal.texts.push(self.words().say(Text::NotRecorded));
        }
        refusal
    }

    /// Checks out or renews. What was done offline overrides blocks, with two more round trips, and two more for a
    /// promised due date.
    pub(crate) async fn send_loan(&self, path: &str, mut body: Value) -> Result<Value, Problem> {
        let answered = self.send(Method::POST, path, &body).await;
        if !self.was_offline() {
            return answered;
        }
        let promised = self.moment(Part::NoBlockDueDate);
        let loan = match answered {
            Ok(loan) => loan,
            Err(problem) => {
                let blocks = overrides(&problem, promised);
                body["overrideBlocks"] = blocks.ok_or(problem)?;
                self.send(Method::POST, path, &body).await?
            }
        };
        Ok(self.keep_promised_due_date(loan, promised).await)
    }

    /// Keeps a due date later than the desk's that the terminal promised the patron, if its user may change due dates
    /// and the item is not recalled.
    async fn keep_promised_due_date(&self, mut loan: Value, promised: Option<Timestamp>) -> Value {
        let due = loan["dueDate"].as_str();
        let due = due.and_then(circulation::dates::parse_date_time);
        let recalled = loan["dueDateChangedByRecall"] == true;
        let Some(promised) = promised.filter(|at| !recalled && due.is_some_and(|due| *at > due)) else {
            return loan;
        };
        let id = loan["id"].as_str().unwrap_or_default();
        let path = format!("/circulation/loans/{id}/change-due-date");
        let change = json!({"dueDate": promised.to_string()});
        if self.send(Method::POST, &path, &change).await.is_ok() {
            loan["dueDate"] = promised.to_string().into();
        }
        loan
    }
}

/// The overrides for all errors of a refusal; none if one of them is not a block, if this user may not override it, or
/// if it needs a due date and none was promised.
fn overrides(problem: &Problem, promised: Option<Timestamp>) -> Option<Value> {
    let mut blocks = Map::new();
    for reason in reasons(problem) {
        let block = &reason["overridableBlock"];
        let name = block["name"].as_str()?;
        let missing = block["missingPermissions"].as_array();
        if missing.is_none_or(|missing| !missing.is_empty()) {
            return None;
        }
        let with = match DATED.contains(&name) {
            true => json!({"dueDate": promised?.to_string()}),
            false => json!({}),
        };
        blocks.insert(name.to_owned(), with);
    }
    if blocks.is_empty() {
        return None;
    }
    blocks.insert("comment".to_owned(), COMMENT.into());
    Some(blocks.into())
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    fn reason(block: &str, missing: &[&str]) -> Value {
        json!({"message": "no", "overridableBlock": {"name": block, "missingPermissions": missing}})
    }

    #[test]
    fn all_blocks_are_overridden_if_the_user_may_override_each() {
        let promised = Some("2026-12-24T10:00:00Z".parse().unwrap());
        let (patron, limit) = (reason("patronBlock", &[]), reason("itemLimitBlock", &[]));
        let forbidden = reason("itemLimitBlock", &["circulation.override"]);
        let not_loanable = reason("itemNotLoanableBlock", &[]);
        let other = json!({"message": "Item is already checked out"});
        let comment = ("comment", json!(COMMENT));
        let due = json!({"dueDate": "2026-12-24T10:00:00Z"});
        for (errors, promised, expected) in [
            (vec![], promised, None),
            (vec![&other], promised, None),
            (vec![&patron, &other], promised, None),
            (vec![&patron, &forbidden], promised, None),
            (vec![&not_loanable], None, None),
            (
                vec![&patron, &patron, &limit],
                None,
                Some(vec![("patronBlock", json!({})), ("itemLimitBlock", json!({})), comment.clone()]),
            ),
            (vec![&not_loanable], promised, Some(vec![("itemNotLoanableBlock", due), comment])),
        ] {
            let body = json!({"errors": errors});
            let problem = Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, body.clone());
            let expected = expected.map(|blocks| {
                let blocks = blocks.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(blocks.collect())
            });
            assert_eq!(overrides(&problem, promised), expected, "{body}");
        }
        let failure = Problem::Internal("the database is gone".into());
        assert_eq!(overrides(&failure, promised), None);
    }
}
