//! Effect of a recall on the item's loan (docs/folio/due-dates.md#recalls).

use jiff::Timestamp;
use refusals::Refusal;

use crate::{
    configuration::Configuration,
    dates::Moment,
    due_dates::Terms,
    policy_choice::{Borrowing, choose_and_note},
    records::{Item, Loan, LoanAction, Patron},
    rules::PolicyKind,
    trace::Trace,
};

/// The item's open loan after a recall; `None` if an earlier recall already set the due date. Uses the loan policy that
/// the circulation rules choose now. `change_loan` (`store/sql/replaceable/writes/guards.sql`) writes the result and
/// sets its `metadata`.
pub fn recall(
    loan: &Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Loan>, Refusal> {
    recall_and_note(loan, item, borrower, configuration, now, Trace::OFF)
}

/// The same, with notes of what decides.
pub(crate) fn recall_and_note(
    loan: &Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<Option<Loan>, Refusal> {
    if loan.is_due_by_recall() {
        return Ok(None);
    }
    let mut recalled = loan.clone();
    let at = (configuration, now, trace);
    let due = due_date(loan, item, borrower, at, |terms, due| terms.recalled_later(due, now))?;
    if let Some(due) = due {
        recalled.set_due_date(due);
    }
    recalled.set_due_by_recall(true);
    recalled.set_action(LoanAction::RecallRequested);
    recalled.set_action_comment(None);
    recalled.set_billed_reminders(None);
    recalled.set_item_status(item.status.name);
    Ok(Some(recalled))
}

/// Sets the due date of a new loan whose item is already recalled, as if it were recalled now.
pub(crate) fn shorten_recalled(
    loan: &mut Loan,
    item: &Item,
    borrower: &Patron,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<(), Refusal> {
    if loan.is_due_by_recall() {
        return Ok(());
    }
    let at = (configuration, now, Trace::OFF);
    let due = due_date(loan, item, borrower, at, |terms, due| terms.recalled(due, now))?;
    if let Some(due) = due {
        loan.set_due_date(due);
    }
    loan.set_due_by_recall(true);
    Ok(())
}

/// The due date by the loan policy that the circulation rules choose now; `None` if the policy does not exist.
fn due_date(
    loan: &Loan,
    item: &Item,
    borrower: &Patron,
    (configuration, now, trace): (&Configuration, Timestamp, Trace<'_>),
    recalled: impl Fn(&Terms<'_>, Timestamp) -> Result<(Timestamp, bool), Refusal>,
) -> Result<Option<Timestamp>, Refusal> {
    let borrowing = Borrowing::new(item, Some(borrower))?;
    let policy_id = choose_and_note(PolicyKind::Loan, borrowing, configuration, trace)?.id;
    let Some(policy) = configuration.loan_policies.get(&policy_id) else {
        return Ok(None);
    };
    let begins = (loan.loan_date().unwrap_or(Moment::utc(now)), loan.check_out_point());
    let terms = Terms::of_loan(policy, begins, borrower, configuration, trace);
    let (due, _) = recalled(&terms, loan.due_date().unwrap_or(now))?;
    Ok(Some(due))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::refusal::RULES_NOT_APPLICABLE;
    use crate::testing::{DESK, READER, THREE_WEEKS, at, configuration, item, now, patron, records, with};

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

    fn recalled(loan: &Loan, reader: Value, configuration: &Configuration) -> Result<Option<Loan>, Refusal> {
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
            assert_eq!(first.record().get(member), value.as_ref(), "{member}");
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
        assert_eq!(refused.message(), "the interval \"Eons\" in \"recallReturnInterval\" is not recognized");
        let no_group = recalled(&loan(json!({})), json!({"patronGroup": null}), &configuration());
        assert!(no_group.is_err_and(|refusal| refusal.is(RULES_NOT_APPLICABLE)));
    }
}
