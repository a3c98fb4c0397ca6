//! What a recall does to the loan of the item (docs/folio/due-dates.md#recalls).

use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    configuration::{Configuration, NotApplicable},
    dates::{Moment, stored},
    due_dates::{NoDueDate, Terms},
    policies::{
        LoanPolicy,
        choice::{Borrowing, choose},
    },
    records::{Item, Loan, Patron},
    refusal::Told,
    rules::PolicyKind,
};

/// Why a loan cannot be recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotRecalled {
    /// The circulation rules could not be applied: FOLIO's text of a 500.
    RulesFailed(String),
    /// No new due date could be found.
    NoDueDate {
        /// Why.
        cause: NoDueDate,
        /// Loan policy.
        policy_id: Uuid,
        /// Its name.
        policy_name: String,
    },
}

impl From<NotApplicable> for NotRecalled {
    fn from(NotApplicable(text): NotApplicable) -> Self {
        NotRecalled::RulesFailed(text)
    }
}

impl NotRecalled {
    /// The refusal as clients see it; `None` for a 500.
    pub fn told(&self) -> Option<Told> {
        match self {
            NotRecalled::RulesFailed(_) => None,
            NotRecalled::NoDueDate {
                cause,
                policy_id,
                policy_name,
            } => Some(cause.told(*policy_id, policy_name)),
        }
    }
}

/// The open loan of an item after somebody has recalled it; `None` when an earlier recall has already
/// set its due date, and it stays as it is. The loan policy is the one that the rules name now. What is
/// returned is written by `change_loan` (`desk.sql`), which stamps its `metadata`.
///
/// # Errors
/// [`NotRecalled`].
pub fn recall(
    loan: &Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Loan>, NotRecalled> {
    if loan.is_due_by_recall() {
        return Ok(None);
    }
    let mut recalled = loan.clone();
    let due = due_date(loan, item, borrower, configuration, now, |terms, due| {
        terms.recalled_later(due, now)
    })?;
    recalled.set_if_known("dueDate", due.map(|due| stored(due).to_string()));
    recalled.set("dueDateChangedByRecall", true);
    recalled.set("action", "recallrequested");
    recalled.remove("actionComment");
    recalled.remove("reminders");
    recalled.set("itemStatus", item.status.name.clone());
    Ok(Some(recalled))
}

/// A new loan of an item that somebody has recalled already: it falls due as if it were recalled now.
///
/// # Errors
/// [`NotRecalled`].
pub fn lend_recalled(
    loan: &mut Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<(), NotRecalled> {
    if loan.is_due_by_recall() {
        return Ok(());
    }
    let due = due_date(loan, item, borrower, configuration, now, |terms, due| {
        terms.recalled(due, now)
    })?;
    loan.set_if_known("dueDate", due.map(|due| stored(due).to_string()));
    loan.set("dueDateChangedByRecall", true);
    Ok(())
}

/// When the loan falls due by the policy that the rules name now; `None` for a policy that is not there.
fn due_date(
    loan: &Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
    recalled: impl Fn(&Terms<'_>, Timestamp) -> Result<(Timestamp, bool), NoDueDate>,
) -> Result<Option<Timestamp>, NotRecalled> {
    let borrowing = Borrowing::new(item, Some(borrower))?;
    let policy_id = choose(PolicyKind::Loan, borrowing, configuration)?.id;
    let Some(policy) = configuration.loan_policies.get(&policy_id) else {
        return Ok(None);
    };
    let terms = terms(loan, borrower, policy, configuration, now);
    match recalled(&terms, loan.due_date().unwrap_or(now)) {
        Ok((due, _)) => Ok(Some(due)),
        Err(cause) => Err(NotRecalled::NoDueDate {
            cause,
            policy_id,
            policy_name: policy.name.clone(),
        }),
    }
}

fn terms<'a>(
    loan: &Loan,
    borrower: &Patron,
    policy: &'a LoanPolicy,
    configuration: &'a Configuration,
    now: Timestamp,
) -> Terms<'a> {
    let loans = policy.loans_policy.as_ref();
    let schedule = loans.and_then(|loans| loans.fixed_due_date_schedule_id);
    Terms {
        policy,
        schedule: schedule.and_then(|id| configuration.schedules.get(&id)),
        loan_date: loan.loan_date().unwrap_or(Moment::utc(now)),
        hold_is_waiting: false,
        openings: configuration.openings_of(loan.id_of("checkoutServicePointId")),
        zone: configuration.zone(),
        patron_expires: borrower.expires(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{
        DESK, READER, THREE_WEEKS, at, configuration, item, now, patron, records, with,
    };

    const DUE: &str = "2026-06-20T23:59:59.000+00:00";

    fn loan(members: Value) -> Loan {
        let record = json!({
            "id": "00000000-0000-4000-8000-0000000000c1", "userId": READER,
            "loanDate": "2026-05-30T10:00:00Z", "dueDate": DUE, "status": {"name": "Open"},
            "action": "checkedout", "actionComment": "a comment", "checkoutServicePointId": DESK,
            "reminders": {"lastFeeBilled": {"number": 1}}, "itemStatus": "Checked out",
        });
        Loan::new(with(record, members).as_object().expect("a record").clone())
    }

    fn library(policy: Value) -> Configuration {
        let three_weeks = json!({
            "id": THREE_WEEKS, "name": "Three weeks", "loanable": true,
            "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
                "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"},
            "requestManagement": {"recalls": policy},
        });
        Configuration::read(1, &with(records(), json!({"loanPolicies": [three_weeks]})))
    }

    fn recalled(
        loan: &Loan,
        reader: Value,
        configuration: &Configuration,
    ) -> Result<Option<Loan>, NotRecalled> {
        let out = with(item(), json!({"status": {"name": "Checked out"}}));
        let item: Item = serde_json::from_value(out).expect("an item");
        let borrower = with(patron(READER), reader);
        let borrower: Patron = serde_json::from_value(borrower).expect("a patron");
        recall(loan, &item, &borrower, configuration, now())
    }

    #[test]
    fn a_recall_changes_the_loan_once() {
        let configuration = library(json!({
            "recallReturnInterval": {"duration": 3, "intervalId": "Days"},
        }));
        let first = recalled(&loan(json!({})), json!({}), &configuration);
        let first = first.expect("a loan").expect("a change");
        for (member, value) in [
            ("dueDate", Some(json!("2026-06-04T23:59:59.000+00:00"))),
            ("dueDateChangedByRecall", Some(json!(true))),
            ("action", Some(json!("recallrequested"))),
            ("actionComment", None),
            ("reminders", None),
            ("itemStatus", Some(json!("Checked out"))),
        ] {
            assert_eq!(first.record.get(member), value.as_ref(), "{member}");
        }
        assert_eq!(recalled(&first, json!({}), &configuration), Ok(None));
    }

    #[test]
    fn the_date_follows_policy_patron_and_library() {
        let days = |n: i64| json!({"duration": n, "intervalId": "Days"});
        for (policy, reader, expected) in [
            (json!({}), json!({}), "2026-06-01T23:59:59Z"),
            (
                json!({"recallReturnInterval": days(1), "minimumGuaranteedLoanPeriod": days(7)}),
                json!({}),
                "2026-06-06T23:59:59Z",
            ),
            (json!({"recallReturnInterval": days(90)}), json!({}), DUE),
            (
                json!({"recallReturnInterval": days(5)}),
                json!({"expirationDate": "2026-06-03T12:00:00Z"}),
                "2026-06-03T12:00:00Z",
            ),
        ] {
            let changed = recalled(&loan(json!({})), reader, &library(policy.clone()));
            let changed = changed.expect("a loan").expect("a change");
            assert_eq!(changed.due_date(), Some(at(expected)), "{policy}");
            assert!(changed.is_due_by_recall(), "{policy}");
        }
    }

    #[test]
    fn a_broken_policy_is_named() {
        let broken = library(json!({
            "recallReturnInterval": {"duration": 2, "intervalId": "Eons"},
        }));
        let refused = recalled(&loan(json!({})), json!({}), &broken).expect_err("a refusal");
        let told = refused.told().expect("an answer");
        assert_eq!(
            told.message,
            "the interval \"Eons\" in \"recallReturnInterval\" is not recognized"
        );
        let no_group = recalled(
            &loan(json!({})),
            json!({"patronGroup": null}),
            &configuration(),
        );
        assert!(matches!(no_group, Err(NotRecalled::RulesFailed(_))));
    }
}
