//! What a terminal did while it was off line and tells now (`no block` with `Y`). The item has left the library, or is back
//! in it, so this is recorded as of then wherever the desk can: blocks that staff may override are overridden, as far as
//! the terminal's user may do that, and a patron keeps a due date that the terminal has promised.

use api::answer::Problem;
use http::Method;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sip2::Part;

use crate::{
    transaction::{Refusal, Transaction},
    words::Text,
};

/// Why blocks were overridden; staff read it at the loan.
const COMMENT: &str = "Done at a self-check while it was off line";
/// Blocks that are overridden with a due date.
const DATED: [&str; 2] = ["itemNotLoanableBlock", "renewalDueDateRequiredBlock"];

impl Transaction<'_> {
    /// It was done while the terminal was off line.
    pub fn was_offline(&self) -> bool {
        self.request.flag(Part::NoBlock)
    }

    /// When it was done off line, by the terminal's clock; none for a date that is none or has not come yet.
    pub fn done_offline_at(&self) -> Option<Timestamp> {
        let done = self.moment(Part::Date).filter(|_| self.was_offline());
        done.filter(|done| *done < self.insider.now)
    }

    /// The refusal says that this happened and is not recorded.
    pub fn not_recorded(&self, mut refusal: Refusal) -> Refusal {
        if self.was_offline() {
            refusal.texts.push(self.words().say(Text::NotRecorded));
        }
        refusal
    }

    /// Makes or prolongs a loan. What was done off line is done against blocks, too: with another two round trips, and two
    /// more for a promised due date.
    ///
    /// # Errors
    /// The desk's refusal.
    pub async fn lend(&self, path: &str, mut body: Value) -> Result<Value, Problem> {
        let lent = self.send(Method::POST, path, &body).await;
        if !self.was_offline() {
            return lent;
        }
        let promised = self.moment(Part::NoBlockDueDate);
        let loan = match lent {
            Ok(loan) => loan,
            Err(problem) => {
                let blocks = overrides(&problem, promised);
                body["overrideBlocks"] = blocks.ok_or(problem)?;
                self.send(Method::POST, path, &body).await?
            }
        };
        Ok(self.keep_promise(loan, promised).await)
    }

    /// The terminal has told the patron a later due date than the desk gives: it counts, where the terminal's user may
    /// change due dates and nobody has recalled the item.
    async fn keep_promise(&self, mut loan: Value, promised: Option<Timestamp>) -> Value {
        let due = loan["dueDate"].as_str();
        let due = due.and_then(circulation::dates::parse_date_time);
        let recalled = loan["dueDateChangedByRecall"] == true;
        let Some(promised) = promised.filter(|at| !recalled && due.is_some_and(|due| *at > due))
        else {
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

/// The reasons of a refusal.
pub fn reasons(problem: &Problem) -> impl Iterator<Item = &Value> {
    let body = match problem {
        Problem::Json(_, body) | Problem::Pretty(_, body) => body["errors"].as_array(),
        _ => None,
    };
    body.into_iter().flatten()
}

/// What overrides every reason of a refusal; none when one of them is no block, or none that this user may override, or
/// when a due date is needed that nobody has promised.
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
    fn only_blocks_that_the_user_may_override_are_overridden_and_all_of_them() {
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
                Some(vec![
                    ("patronBlock", json!({})),
                    ("itemLimitBlock", json!({})),
                    comment.clone(),
                ]),
            ),
            (
                vec![&not_loanable],
                promised,
                Some(vec![("itemNotLoanableBlock", due), comment]),
            ),
        ] {
            let body = json!({"errors": errors});
            let problem = Problem::Pretty(StatusCode::UNPROCESSABLE_ENTITY, body.clone());
            let expected = expected.map(|blocks| {
                let blocks = blocks
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(blocks.collect())
            });
            assert_eq!(overrides(&problem, promised), expected, "{body}");
        }
        let failure = Problem::Internal("the database is gone".into());
        assert_eq!(overrides(&failure, promised), None);
    }
}
