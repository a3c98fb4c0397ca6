//! Why a loan is due when it is: which event set the due date, and what the rules, policies and calendars of now give
//! for that event.

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use serde::Deserialize;
use uuid::Uuid;

use super::{Explanation, Facts, WhatIf};
use crate::{
    configuration::Configuration,
    dates::{Moment, parse_date_time},
    due_dates::{RenewedAt, Terms},
    policies::LoanPolicy,
    policy_choice::{Borrowing, choose_and_note},
    records::{Item, Loan, LoanAction, Patron},
    refusal::not_applicable,
    renewal,
    requests::recall::recall_and_note,
    rules::PolicyKind,
    trace::{Trace, traced},
};

/// The records behind a due date.
#[derive(Debug, Clone, Default)]
pub struct LoanRecords {
    /// The loan.
    pub loan: Loan,
    /// Its item; absent once deleted.
    pub item: Option<Item>,
    /// Its borrower; absent once anonymized.
    pub borrower: Option<Patron>,
    /// The versions of the loan that changed its due date, oldest first.
    pub changes: Vec<DueDateChange>,
}

/// A version of a loan with another due date than the one before it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct DueDateChange {
    /// The loan since then.
    pub loan: Loan,
    /// The loan until then; absent for a new one.
    pub before: Option<Loan>,
    /// The user who changed it.
    pub by: Option<Patron>,
}

/// What set a due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetBy {
    /// The check-out.
    CheckOut,
    /// A renewal.
    Renewal,
    /// A recall of the loan.
    Recall,
    /// Staff, or another client.
    Staff,
}

impl SetBy {
    /// A change by hand leaves the action of the loan as it was (docs/folio/loans.md), so the action alone does not tell.
    pub(super) fn of(change: &DueDateChange) -> SetBy {
        let loan = &change.loan;
        let Some(before) = &change.before else {
            return SetBy::CheckOut;
        };
        let recalled = loan.action() == Some(LoanAction::RecallRequested) && loan.is_due_by_recall();
        match (loan.renewals() > before.renewals(), recalled && !before.is_due_by_recall()) {
            (true, _) => SetBy::Renewal,
            (_, true) => SetBy::Recall,
            _ => SetBy::Staff,
        }
    }
}

/// Why a loan is due when it is.
#[derive(Debug, Clone)]
pub struct LoanExplanation {
    /// What set the due date.
    pub set_by: SetBy,
    /// When it was set, and by whom.
    pub change: DueDateChange,
    /// The earlier due dates, oldest first.
    pub earlier: Vec<DueDateChange>,
    /// The stored due date.
    pub stored: Option<Timestamp>,
    /// The stored loan policy.
    pub stored_policy: Option<Uuid>,
    /// What the rules give now for the event that set the due date; for a change by hand, for the check-out.
    pub by_rules: Explanation,
}

impl LoanExplanation {
    /// Whether the rules give the stored due date.
    pub(crate) fn agrees(&self) -> bool {
        let computed = self.by_rules.decided.as_ref().ok().copied().flatten();
        computed.map(Timestamp::as_millisecond) == self.stored.map(Timestamp::as_millisecond)
    }
}

impl DueDateChange {
    /// When the due date was set: the time that the decision used.
    pub(crate) fn at(&self) -> Option<Timestamp> {
        let metadata = self.loan.metadata()?;
        parse_date_time(metadata.get("updatedDate")?.as_str()?)
    }
}

/// Explains the due date of a loan.
pub fn loan(records: &LoanRecords, configuration: &Configuration, what_if: &WhatIf) -> LoanExplanation {
    let LoanRecords { loan, changes, .. } = records;
    let mut earlier = changes.clone();
    let change = earlier.pop().unwrap_or_else(|| DueDateChange { loan: loan.clone(), ..DueDateChange::default() });
    let set_by = SetBy::of(&change);
    let first = changes.first().unwrap_or(&change);
    let event = match set_by {
        SetBy::Staff => Event { set_by: SetBy::CheckOut, change: first },
        _ => Event { set_by, change: &change },
    };
    let mut item = records.item.clone().unwrap_or_default();
    let mut patron = records.borrower.clone().unwrap_or_default();
    if event.set_by == SetBy::CheckOut {
        item.effective_location_id = loan.location_at_check_out().or(item.effective_location_id);
        patron.patron_group = loan.patron_group_at_check_out().or(patron.patron_group);
    }
    what_if.change_item(&mut item);
    what_if.change_patron(&mut patron);
    let by_rules = event.explain(&item, &patron, configuration);
    let (stored, stored_policy) = (loan.due_date(), loan.loan_policy_id());
    LoanExplanation { set_by, change, earlier, stored, stored_policy, by_rules }
}

/// What set a due date, with the loan as it was then.
#[derive(Clone, Copy)]
struct Event<'r> {
    set_by: SetBy,
    change: &'r DueDateChange,
}

impl Event<'_> {
    /// Nothing stored says whether a hold waited then: the date for a loan without one, unless only that for a loan with
    /// one is the date that was set.
    fn explain(self, item: &Item, patron: &Patron, configuration: &Configuration) -> Explanation {
        let explained = |hold: bool| {
            let (decided, steps) = traced(|trace| self.decide(item, patron, hold, configuration, trace));
            let decided = decided.map_err(Refused::from);
            Explanation { facts: Facts::of(Some(item), Some(patron)), decided, steps }
        };
        let set = self.change.loan.due_date().map(Timestamp::as_millisecond);
        let is_set = |explanation: &Explanation| {
            let due = explanation.decided.as_ref().ok().copied().flatten();
            due.map(Timestamp::as_millisecond) == set
        };
        let usual = explained(false);
        match is_set(&usual) {
            true => usual,
            false => Some(explained(true)).filter(is_set).unwrap_or(usual),
        }
    }

    fn decide(
        self,
        item: &Item,
        patron: &Patron,
        hold: bool,
        configuration: &Configuration,
        trace: Trace<'_>,
    ) -> Result<Option<Timestamp>, Refusal> {
        let loan = &self.change.loan;
        let at = self.change.at().or(loan.loan_date().map(|date| date.timestamp)).unwrap_or_default();
        let before = self.change.before.as_ref();
        if let (SetBy::Recall, Some(before)) = (self.set_by, before) {
            let recalled = recall_and_note(before, item, patron, configuration, at, trace)?;
            return Ok(recalled.and_then(|loan| loan.due_date()));
        }
        let policy = policy_for(item, patron, configuration, trace)?;
        if self.set_by == SetBy::Renewal {
            let terms = renewal::terms(policy, loan, patron, configuration, at, trace);
            let due = before.and_then(Loan::due_date).unwrap_or(at);
            let date = terms.renewed(RenewedAt { due, now: at, hold_is_first: hold })?;
            // An override leaves the date where the policy puts it (docs/folio/renewals.md#overriding-a-renewal).
            return match loan.action() {
                Some(LoanAction::RenewedThroughOverride) => Ok(Some(date)),
                _ => Ok(Some(terms.renewed_in_open_time(date, at)?.0)),
            };
        }
        let begins = (loan.loan_date().unwrap_or(Moment::utc(at)), loan.check_out_point());
        let terms = Terms::of_loan(policy, begins, patron, configuration, trace);
        let due = Terms { hold_is_waiting: hold, ..terms }.due_date()?.at;
        match loan.is_due_by_recall() {
            true => Ok(Some(terms.recalled(due, at)?.0)),
            false => Ok(Some(due)),
        }
    }
}

fn policy_for<'c>(
    item: &Item,
    patron: &Patron,
    configuration: &'c Configuration,
    trace: Trace<'_>,
) -> Result<&'c LoanPolicy, Refusal> {
    let borrowing = Borrowing::new(item, Some(patron))?;
    let id = choose_and_note(PolicyKind::Loan, borrowing, configuration, trace)?.id;
    let policy = configuration.loan_policies.get(&id);
    policy.ok_or_else(|| not_applicable(format!("Loan policy {id} could not be found, please check circulation rules")))
}
