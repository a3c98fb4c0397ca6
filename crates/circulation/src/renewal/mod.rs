//! Renewing a loan (docs/folio/renewals.md).
//!
//! First finds the item, its loan and its borrower; the renewal ends if one of them is missing. Then runs every check
//! and reports all refusals together. An override of the renewal blocks ([`overriding`]) replaces the loan policy
//! checks. The new due date is decided in `due_dates/renewal`.

mod command;
mod overriding;
pub(crate) mod refusal;

use jiff::Timestamp;
use refusals::{Refusal, Refused, Wording};
use uuid::Uuid;

pub use command::{NamedBy, RenewalCommand, RenewalOverrides};

use crate::{
    blocks::{Action, BlockKind, Blocks, ManualBlock, automated::Standing},
    configuration::Configuration,
    dates::Moment,
    due_dates::{RenewedAt, Terms},
    fees::{
        changes::{Cause, FeeChanges, FeeSubject},
        lost_item::LostFees,
        overdue_fine,
    },
    lost_items::charges::{self, Comeback},
    policies::{LoanPolicy, OverdueFinePolicy},
    policy_choice::{Borrowing, choose_and_note},
    records::{Instance, Item, ItemStatus, Loan, LoanAction, Patron, QueuedRequest},
    refusal::{ITEM_BARCODE_NOT_FOUND, not_applicable},
    requests::queue::Queue,
    rules::PolicyKind,
    trace::{Blocker, Step, Trace},
};

/// The records read for a renewal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RenewalContext {
    /// The item record; absent if the item does not exist.
    pub item: Option<Item>,
    /// The item's instance.
    pub instance: Instance,
    /// The item's open loan.
    pub loan: Option<Loan>,
    /// The borrower of the loan.
    pub borrower: Option<Patron>,
    /// Manual blocks on the borrower.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loan and fee totals of the borrower, for automated blocks.
    pub standing: Standing,
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// The user who performs the renewal.
    pub operator: Option<Patron>,
    /// Lost item fees of the loan.
    pub lost_fees: LostFees,
}

/// A decided renewal: everything to write.
#[derive(Debug, Clone, PartialEq)]
pub struct Renewal {
    /// The renewed loan.
    pub loan: Loan,
    /// The new due date.
    pub due: Timestamp,
    /// True if the borrower's account expiration shortened the loan.
    pub due_date_changed_by_near_expire_user: bool,
    /// True if the item was lost or claimed returned and becomes checked out again.
    pub item_comes_back: bool,
    /// Fee changes: the overdue fine (docs/folio/overdue-fines.md) and refunded lost item fees
    /// (docs/folio/lost-items.md#giving-fees-back).
    pub fees: FeeChanges,
}

/// The item, its open loan and its borrower.
#[derive(Clone, Copy)]
struct Subject<'c> {
    item: &'c Item,
    loan: &'c Loan,
    borrower: &'c Patron,
}

/// Decides on a renewal.
pub fn decide(
    context: &RenewalContext,
    configuration: &Configuration,
    command: &RenewalCommand,
    now: Timestamp,
) -> Result<Renewal, Refused> {
    decide_and_note(context, configuration, command, now, Trace::OFF)
}

/// The same, with notes of what decides.
pub(crate) fn decide_and_note<'c>(
    context: &'c RenewalContext,
    configuration: &'c Configuration,
    command: &RenewalCommand,
    now: Timestamp,
    trace: Trace<'c>,
) -> Result<Renewal, Refused> {
    let subject = find(context, command)?;
    let borrowing = Borrowing::new(subject.item, Some(subject.borrower))?;
    let policy_id = choose_and_note(PolicyKind::Loan, borrowing, configuration, trace)?.id;
    let policy = configuration.loan_policies.get(&policy_id).ok_or_else(|| {
        not_applicable(format!("Loan policy {policy_id} could not be found, please check circulation rules"))
    })?;
    let titles = configuration.title_level_requests;
    let mut checks = Checks {
        context,
        configuration,
        command,
        subject,
        policy,
        queue: Queue::new(context.requests.clone(), subject.item.id, titles),
        now,
        trace,
        refused: Refused::default(),
    };
    checks.borrower();
    checks.blocks();
    checks.reminders();
    let due = match command.overrides.renewal {
        true => checks.overridden_due_date().map(|due| (due, false)),
        false => checks.due_date()?,
    };
    match due {
        Some((due, expires)) if checks.refused.0.is_empty() => Ok(checks.renew(due, expires)),
        _ => Err(checks.refused),
    }
}

fn find<'c>(context: &'c RenewalContext, command: &RenewalCommand) -> Result<Subject<'c>, Refused> {
    let named = |barcode: &'static Wording, id| match command.named_by {
        NamedBy::Barcode => barcode.with("itemBarcode", &command.item),
        NamedBy::Id => Refusal::from(id).with("itemId", &command.item),
    };
    let item = context.item.as_ref();
    let item = item.ok_or_else(|| named(ITEM_BARCODE_NOT_FOUND, refusal::ITEM_ID_NOT_FOUND))?;
    // FOLIO fails with 500 here; Carrel refuses so that staff see the cause
    // (docs/decisions/0027-each-module-refuses-in-its-own-manner.md).
    let loan = context.loan.as_ref().ok_or_else(|| {
        let member = command.named_by.item_member();
        let refusal = named(refusal::NO_OPEN_LOAN, refusal::NO_OPEN_LOAN).with("member", member);
        let refusal = refusal.with("item", &command.item);
        refusal.with("named", command.named_by.noun())
    })?;
    let borrower = context.borrower.as_ref();
    let borrower = borrower.ok_or_else(|| refusal::USER_NOT_FOUND.with("userId", loan.user_id()))?;
    let different = borrower.barcode.as_deref() != Some(&command.user);
    match command.named_by {
        NamedBy::Barcode if different => Err(different_user(command).into()),
        _ => Ok(Subject { item, loan, borrower }),
    }
}

/// What determines the due date of a loan that is renewed now.
pub(crate) fn terms<'a>(
    policy: &'a LoanPolicy,
    loan: &Loan,
    borrower: &Patron,
    configuration: &'a Configuration,
    now: Timestamp,
    trace: Trace<'a>,
) -> Terms<'a> {
    let schedules = &configuration.schedules;
    Terms {
        policy,
        schedule: policy.renewal_schedule(|id| schedules.get(&id)),
        loan_date: Moment::utc(now),
        hold_is_waiting: false,
        openings: configuration.openings_of(loan.check_out_point()),
        zone: configuration.zone(),
        patron_expires: borrower.expires(),
        trace,
    }
}

fn different_user(command: &RenewalCommand) -> Refusal {
    let member = command.named_by.user_member();
    refusal::DIFFERENT_USER.about(member, &command.user)
}

/// Runs the checks in order (docs/folio/renewals.md) and collects their refusals.
struct Checks<'c, 'k> {
    context: &'c RenewalContext,
    configuration: &'c Configuration,
    command: &'k RenewalCommand,
    subject: Subject<'c>,
    policy: &'c LoanPolicy,
    queue: Queue,
    now: Timestamp,
    trace: Trace<'c>,
    refused: Refused,
}

impl<'c> Checks<'c, '_> {
    fn refuse(&mut self, refusal: impl Into<Refusal>) {
        self.refused.0.push(refusal.into());
    }

    /// Adds a refusal that staff may override.
    fn refuse_but(&mut self, kind: BlockKind, refusal: impl Into<Refusal>) {
        let refusal: Refusal = refusal.into();
        self.refuse(refusal.overridable(self.command.granted.block(kind)));
    }

    /// The same, with a note of the cause.
    fn refuse_but_by(&mut self, kind: BlockKind, refusal: impl Into<Refusal>, by: impl FnOnce() -> Blocker) {
        let refusal: Refusal = refusal.into();
        let refusal = refusal.overridable(self.command.granted.block(kind));
        self.trace.note(|| Step::Refused { refusal: refusal.clone(), by: by() });
        self.refuse(refusal);
    }

    /// Adds a refusal by the loan policy if `condition` holds.
    fn refuse_by_policy(&mut self, condition: bool, wording: &'static Wording) {
        if condition {
            let kind = BlockKind::RenewalDueDateRequired;
            let policy = self.policy;
            self.refuse_but_by(kind, policy.named_in(wording), || Blocker::LoanPolicy(policy.id));
        }
    }

    fn borrower(&mut self) {
        let borrower = self.subject.borrower;
        let named = Uuid::try_parse(&self.command.user).ok();
        if self.command.named_by == NamedBy::Id && named != Some(borrower.id) {
            self.refuse(different_user(self.command));
        }
        match borrower.is_active(self.now) {
            None => self.refuse(refusal::USER_STATUS_UNKNOWN.with("reason", "Cannot determine if user active.")),
            Some(false) => self.refuse(refusal::USER_INACTIVE.with("reason", "User is inactive.")),
            Some(true) => {}
        }
    }

    fn blocks(&mut self) {
        let (overrides, granted) = (&self.command.overrides, &self.command.granted);
        if !overrides.patron {
            let blocks = Blocks {
                patron: self.subject.borrower,
                manual: &self.context.manual_blocks,
                standing: &self.context.standing,
                trace: self.trace,
            };
            let blocks = blocks.against(Action::Renewing, granted, self.configuration, self.now);
            self.refused.0.extend(blocks);
        }
        for (kind, requested) in [(BlockKind::Patron, overrides.patron), (BlockKind::Renewal, overrides.renewal)] {
            self.refused.0.extend(granted.refusal(kind).filter(|_| requested));
        }
    }

    fn reminders(&mut self) {
        let loan = self.subject.loan;
        let policy = loan.overdue_fine_policy_id();
        let policy = policy.and_then(|id| self.configuration.overdue_fine_policies.get(&id));
        let blocked = policy.and_then(OverdueFinePolicy::reminders_block_renewal);
        if !self.command.overrides.renewal && blocked == Some(true) && loan.reminders() > 0 {
            let refusal = refusal::REMINDERS.with("reason", refusal::REMINDERS.text);
            let id = policy.map(|policy| policy.id).unwrap_or_default();
            self.refuse_but_by(BlockKind::Renewal, refusal, || Blocker::OverdueFinePolicy(id));
        }
    }

    /// Checks policy, requests and item status, and computes the due date; true if the borrower's account expires
    /// first. `None` if a check fails.
    fn due_date(&mut self) -> Result<Option<(Timestamp, bool)>, Refused> {
        self.policy_and_state();
        let hold_is_first = self.queue.begins_with_hold_of(self.subject.item.id);
        let due = self.subject.loan.due_date().unwrap_or(self.now);
        let terms = self.terms();
        let renewed = terms.renewed(RenewedAt { due, now: self.now, hold_is_first });
        if self.policy.loanable {
            match &renewed {
                Err(cause) => {
                    let policy = self.policy.id;
                    let by = || Blocker::LoanPolicy(policy);
                    self.refuse_but_by(BlockKind::RenewalDueDateRequired, cause.clone(), by);
                }
                Ok(date) if *date <= due => {
                    let (policy, by_policy) = (self.policy, *date);
                    let by = || Blocker::NotLater { policy: policy.id, due, by_policy };
                    let refusal = policy.named_in(refusal::SAME_DUE_DATE);
                    self.refuse_but_by(BlockKind::RenewalDueDateRequired, refusal, by);
                }
                Ok(_) => {}
            }
        }
        let Some(date) = renewed.ok().filter(|_| self.refused.0.is_empty()) else {
            return Ok(None);
        };
        Ok(Some(terms.renewed_in_open_time(date, self.now)?))
    }

    fn policy_and_state(&mut self) {
        let item = self.subject.item;
        self.refuse_by_policy(!self.policy.loanable, refusal::NOT_LOANABLE);
        if let Some(recall) = self.queue.recall_of(item.id) {
            let refusal = refusal::RECALLED.with("requestId", recall);
            self.refuse_but_by(BlockKind::Renewal, refusal, || Blocker::Request(recall));
        }
        if item.is_lost() {
            let wording = match item.is(ItemStatus::AgedToLost) {
                true => refusal::AGED_TO_LOST,
                false => refusal::DECLARED_LOST,
            };
            let refusal = wording.with("itemId", item.id);
            let refusal = refusal.with("status", item.status.name());
            self.refuse_but(BlockKind::Renewal, refusal);
        }
        if self.limit_is_reached() {
            let policy = self.policy;
            let limit = policy.renewals_policy.number_allowed.unwrap_or(0);
            let has = self.subject.loan.renewals();
            let by = || Blocker::RenewalLimit { policy: policy.id, limit, has };
            self.refuse_but_by(BlockKind::Renewal, policy.named_in(refusal::LIMIT_REACHED), by);
        }
        self.refuse_by_policy(!self.policy.renewable, refusal::NOT_RENEWABLE);
        if self.queue.begins_with_hold_of(item.id) {
            let holds = &self.policy.request_management.holds;
            let fixed = self.policy.is_fixed();
            let period = fixed && self.policy.has_renewal_period();
            let for_holds = fixed && holds.alternate_renewal_loan_period.is_some();
            self.refuse_by_policy(!holds.renew_items_with_request, refusal::HOLD_WAITS);
            self.refuse_by_policy(for_holds, refusal::FIXED_WITH_PERIOD_FOR_HOLDS);
            self.refuse_by_policy(period, refusal::FIXED_WITH_PERIOD);
        }
        if item.is(ItemStatus::ClaimedReturned) {
            self.refuse(refusal::CLAIMED_RETURNED.with("itemId", item.id));
        }
    }

    fn limit_is_reached(&self) -> bool {
        let renewals = &self.policy.renewals_policy;
        let allowed = renewals.number_allowed.unwrap_or(0);
        self.policy.renewable && !renewals.unlimited && self.subject.loan.renewals() >= allowed
    }

    fn terms(&self) -> Terms<'c> {
        let Subject { loan, borrower, .. } = self.subject;
        terms(self.policy, loan, borrower, self.configuration, self.now, self.trace)
    }

    fn renew(&self, due: Timestamp, expires: bool) -> Renewal {
        let Subject { item, loan, .. } = self.subject;
        let overrides = &self.command.overrides;
        let mut renewed = loan.clone();
        renewed.set_due_date(due);
        renewed.set_loan_policy_id(self.policy.id);
        renewed.set_renewal_count(loan.renewals() + 1);
        renewed.set_billed_reminders(None);
        renewed.set_action_comment(None);
        match overrides.patron || overrides.renewal {
            false => renewed.set_action(LoanAction::Renewed),
            true => {
                renewed.set_action(LoanAction::RenewedThroughOverride);
                renewed.set_action_comment(overrides.comment.as_deref());
            }
        }
        if overrides.renewal {
            renewed.set_item_status(ItemStatus::CheckedOut);
            renewed.forget_billing_of_ageing();
        }
        if loan.is_due_by_recall() && !self.queue.has_waiting_recall_of(item.id) {
            renewed.set_due_by_recall(false);
        }
        Renewal {
            loan: renewed,
            due,
            due_date_changed_by_near_expire_user: expires,
            item_comes_back: overrides.renewal && !item.is(ItemStatus::CheckedOut),
            fees: self.fees(),
        }
    }

    fn fees(&self) -> FeeChanges {
        let Subject { item, loan, borrower } = self.subject;
        let operator = self.context.operator.as_ref();
        let (configuration, now) = (self.configuration, self.now);
        let mut changes = FeeChanges::default();
        if item.is_lost() {
            let cause = Cause::at(operator, self.command.service_point_id);
            let fees = &self.context.lost_fees;
            let why = Comeback::Renewed;
            changes = charges::refund(why, fees, loan, &cause, configuration, now);
        }
        let subject = FeeSubject { loan, item, instance: &self.context.instance, borrower: Some(borrower) };
        let cause = Cause::at(operator, None);
        let fine = overdue_fine::at_renewal(subject, &cause, configuration, now, Trace::OFF);
        changes.add(FeeChanges::charge(fine));
        changes
    }
}

#[cfg(test)]
mod tests;
