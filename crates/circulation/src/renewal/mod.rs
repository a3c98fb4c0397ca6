//! Renewing a loan (docs/folio/renewals.md).
//!
//! What the item, its loan and its borrower are is found first; without them the renewal ends there.
//! Then every check is made and all refusals are told together. An override of the renewal's own
//! blocks ([`overriding`]) replaces the checks of the loan policy.

mod command;
mod overriding;
mod refusal;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

pub use command::{NamedBy, RenewalCommand, RenewalOverrides};
pub use refusal::{NO_OPEN_LOAN, NamedPolicy, PolicyRefusal, RenewalRefusal};

use crate::{
    blocks::{
        BlockKind, ManualBlock,
        automated::{Standing, automated_blocks},
    },
    configuration::{Configuration, NotApplicable},
    dates::{Moment, stored},
    due_dates::{RenewedAt, Terms},
    fees::{
        changes::{Cause, FeeChanges, FeeSubject},
        overdue_fine,
    },
    lost_items::charges::{self, Comeback, LostFees},
    policies::{
        LoanPolicy, OverdueFinePolicy,
        choice::{Borrowing, choose},
    },
    records::{Instance, Item, Loan, Patron, QueuedRequest},
    requests::queue::Queue,
    rules::PolicyKind,
};

/// What was read to decide about a renewal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RenewalContext {
    /// The item.
    pub item: Option<Item>,
    /// What it is a copy of.
    pub instance: Instance,
    /// Its open loan.
    pub loan: Option<Loan>,
    /// Who has borrowed it.
    pub borrower: Option<Patron>,
    /// Manual blocks of the borrower.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loans and debts of the borrower.
    pub standing: Standing,
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// Who is at the desk.
    pub operator: Option<Patron>,
    /// What the item has cost, if it is lost.
    pub lost_fees: LostFees,
}

/// Why a loan is not renewed.
#[derive(Debug, Clone, PartialEq)]
pub enum NotRenewed {
    /// Everything that speaks against it, in order.
    Refused(Vec<RenewalRefusal>),
    /// FOLIO's text of a 500: the circulation rules could not be applied.
    Failed(String),
}

impl From<NotApplicable> for NotRenewed {
    fn from(NotApplicable(text): NotApplicable) -> Self {
        NotRenewed::Failed(text)
    }
}

impl From<RenewalRefusal> for NotRenewed {
    fn from(refusal: RenewalRefusal) -> Self {
        NotRenewed::Refused(vec![refusal])
    }
}

/// A decided renewal: everything that is to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Renewal {
    /// The loan as it is from now on.
    pub loan: Loan,
    /// When it falls due.
    pub due: Timestamp,
    /// The patron's registration made it shorter.
    pub due_date_changed_by_near_expire_user: bool,
    /// The item was lost or claimed returned and is checked out again.
    pub item_comes_back: bool,
    /// What happens to fees and fines: the overdue fine (docs/folio/overdue-fines.md), lost item fees given back
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

/// Decides about a renewal.
///
/// # Errors
/// [`NotRenewed`].
pub fn decide(
    context: &RenewalContext,
    configuration: &Configuration,
    command: &RenewalCommand,
    now: Timestamp,
) -> Result<Renewal, NotRenewed> {
    let subject = find(context, command)?;
    let borrowing = Borrowing::new(subject.item, Some(subject.borrower))?;
    let policy_id = choose(PolicyKind::Loan, borrowing, configuration)?.id;
    let policy = configuration.loan_policies.get(&policy_id).ok_or_else(|| {
        NotRenewed::Failed(format!(
            "Loan policy {policy_id} could not be found, please check circulation rules"
        ))
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
        refusals: Vec::new(),
    };
    checks.borrower();
    checks.blocks();
    checks.reminders();
    let due = match command.overrides.renewal {
        true => checks.overridden_due_date().map(|due| (due, false)),
        false => checks.due_date()?,
    };
    match due {
        Some((due, expires)) if checks.refusals.is_empty() => Ok(checks.renew(due, expires)),
        _ => Err(NotRenewed::Refused(checks.refusals)),
    }
}

fn find<'c>(
    context: &'c RenewalContext,
    command: &RenewalCommand,
) -> Result<Subject<'c>, NotRenewed> {
    let item = context.item.as_ref().ok_or(RenewalRefusal::ItemNotFound)?;
    // FOLIO fails with 500 here; a refusal tells staff what to do (docs/decisions/0027-each-module-refuses-in-its-own-manner.md).
    let loan = context.loan.as_ref().ok_or(RenewalRefusal::NotLent)?;
    let user = loan.id_of("userId");
    let borrower = context.borrower.as_ref();
    let borrower = borrower.ok_or(RenewalRefusal::UserNotFound(user))?;
    let different = borrower.barcode.as_deref() != Some(&command.user);
    match command.named_by {
        NamedBy::Barcode if different => Err(RenewalRefusal::DifferentUser.into()),
        _ => Ok(Subject {
            item,
            loan,
            borrower,
        }),
    }
}

/// The checks in their order (docs/folio/renewals.md), and what they found.
struct Checks<'c, 'k> {
    context: &'c RenewalContext,
    configuration: &'c Configuration,
    command: &'k RenewalCommand,
    subject: Subject<'c>,
    policy: &'c LoanPolicy,
    queue: Queue,
    now: Timestamp,
    refusals: Vec<RenewalRefusal>,
}

impl<'c> Checks<'c, '_> {
    fn refuse(&mut self, refusal: RenewalRefusal) {
        self.refusals.push(refusal);
    }

    fn refuse_by_policy(&mut self, condition: bool, refusal: PolicyRefusal) {
        if condition {
            let policy = self.policy.into();
            self.refuse(RenewalRefusal::Policy(refusal, policy));
        }
    }

    fn borrower(&mut self) {
        let borrower = self.subject.borrower;
        let named = Uuid::try_parse(&self.command.user).ok();
        if self.command.named_by == NamedBy::Id && named != Some(borrower.id) {
            self.refuse(RenewalRefusal::DifferentUser);
        }
        match borrower.is_active(self.now) {
            None => self.refuse(RenewalRefusal::UserStatusUnknown),
            Some(false) => self.refuse(RenewalRefusal::UserInactive),
            Some(true) => {}
        }
    }

    fn blocks(&mut self) {
        let overrides = &self.command.overrides;
        if !overrides.patron {
            self.manual_blocks();
            self.automated_blocks();
        }
        for (kind, requested) in [
            (BlockKind::Patron, overrides.patron),
            (BlockKind::Renewal, overrides.renewal),
        ] {
            if requested && !self.command.granted.has(kind) {
                self.refuse(RenewalRefusal::OverrideNotPermitted(kind));
            }
        }
    }

    fn manual_blocks(&mut self) {
        let blocks = &self.context.manual_blocks;
        let mut of_renewals = blocks.iter().filter(|block| block.renewals);
        if of_renewals.any(|block| !block.is_expired(self.now)) {
            let reasons: Vec<&str> = blocks.iter().map(|block| block.desc.as_str()).collect();
            self.refuse(RenewalRefusal::BlockedManually(reasons.join(";")));
        }
    }

    fn automated_blocks(&mut self) {
        let (standing, group) = (&self.context.standing, self.subject.borrower.patron_group);
        let blocks = automated_blocks(standing, group, self.configuration, self.now);
        for block in blocks.into_iter().filter(|block| block.block_renewals) {
            let message = block.message.unwrap_or_default();
            self.refuse(RenewalRefusal::BlockedAutomatically(message));
        }
    }

    fn reminders(&mut self) {
        let loan = self.subject.loan;
        let policy = loan.id_of("overdueFinePolicyId");
        let policy = policy.and_then(|id| self.configuration.overdue_fine_policies.get(&id));
        let blocked = policy.and_then(OverdueFinePolicy::reminders_block_renewal);
        if !self.command.overrides.renewal && blocked == Some(true) && loan.reminders() > 0 {
            self.refuse(RenewalRefusal::Reminders);
        }
    }

    /// Checks policy, requests and state, and finds the due date; true when the patron's registration
    /// expires before. `None` when something speaks against the renewal.
    fn due_date(&mut self) -> Result<Option<(Timestamp, bool)>, NotRenewed> {
        self.policy_and_state();
        let hold_is_first = self.queue.begins_with_hold_of(self.subject.item.id);
        let due = self.subject.loan.due_date().unwrap_or(self.now);
        let terms = self.terms();
        let renewed = terms.renewed(RenewedAt {
            due,
            now: self.now,
            hold_is_first,
        });
        if self.policy.loanable {
            let refusal = match &renewed {
                Err(cause) => Some(PolicyRefusal::NoDate(cause.clone())),
                Ok(date) => (*date <= due).then_some(PolicyRefusal::SameDueDate),
            };
            if let Some(refusal) = refusal {
                self.refuse_by_policy(true, refusal);
            }
        }
        let Some(date) = renewed.ok().filter(|_| self.refusals.is_empty()) else {
            return Ok(None);
        };
        let moved = terms.renewed_in_open_time(date, self.now);
        let moved = moved.map_err(|cause| RenewalRefusal::NoOpenTime(cause, self.policy.into()))?;
        Ok(Some(moved))
    }

    fn policy_and_state(&mut self) {
        let item = self.subject.item;
        self.refuse_by_policy(!self.policy.loanable, PolicyRefusal::NotLoanable);
        if let Some(recall) = self.queue.recall_of(item.id) {
            self.refuse(RenewalRefusal::Recalled(recall));
        }
        if item.is_lost() {
            self.refuse(RenewalRefusal::Lost(item.id, item.status.name.clone()));
        }
        self.refuse_by_policy(self.limit_is_reached(), PolicyRefusal::LimitReached);
        self.refuse_by_policy(!self.policy.renewable, PolicyRefusal::NotRenewable);
        if self.queue.begins_with_hold_of(item.id) {
            let holds = &self.policy.request_management.holds;
            let fixed = self.policy.is_fixed();
            let period = fixed && self.policy.has_renewal_period();
            let for_holds = fixed && holds.alternate_renewal_loan_period.is_some();
            self.refuse_by_policy(!holds.renew_items_with_request, PolicyRefusal::HoldWaits);
            self.refuse_by_policy(for_holds, PolicyRefusal::FixedWithPeriodForHolds);
            self.refuse_by_policy(period, PolicyRefusal::FixedWithPeriod);
        }
        if item.is("Claimed returned") {
            self.refuse(RenewalRefusal::ClaimedReturned(item.id));
        }
    }

    fn limit_is_reached(&self) -> bool {
        let renewals = &self.policy.renewals_policy;
        let allowed = renewals.number_allowed.unwrap_or(0);
        self.policy.renewable && !renewals.unlimited && self.subject.loan.renewals() >= allowed
    }

    fn terms(&self) -> Terms<'c> {
        let service_point = self.subject.loan.id_of("checkoutServicePointId");
        let schedules = &self.configuration.schedules;
        Terms {
            policy: self.policy,
            schedule: self.policy.renewal_schedule(|id| schedules.get(&id)),
            loan_date: Moment::utc(self.now),
            hold_is_waiting: false,
            openings: self.configuration.openings_of(service_point),
            zone: self.configuration.zone(),
            patron_expires: self.subject.borrower.expires(),
        }
    }

    fn renew(&self, due: Timestamp, expires: bool) -> Renewal {
        let Subject { item, loan, .. } = self.subject;
        let overrides = &self.command.overrides;
        let mut renewed = loan.clone();
        renewed.set("dueDate", stored(due).to_string());
        renewed.set("loanPolicyId", self.policy.id.to_string());
        renewed.set("renewalCount", loan.renewals() + 1);
        renewed.remove("reminders");
        renewed.remove("actionComment");
        match overrides.patron || overrides.renewal {
            false => renewed.set("action", "renewed"),
            true => {
                renewed.set("action", "renewedThroughOverride");
                renewed.set_if_known("actionComment", overrides.comment.clone());
            }
        }
        if overrides.renewal {
            renewed.set("itemStatus", "Checked out");
            renewed.forget_billing_of_ageing();
        }
        if loan.is_due_by_recall() && !self.queue.has_waiting_recall_of(item.id) {
            renewed.set("dueDateChangedByRecall", Value::Bool(false));
        }
        Renewal {
            loan: renewed,
            due,
            due_date_changed_by_near_expire_user: expires,
            item_comes_back: overrides.renewal && !item.is("Checked out"),
            fees: self.fees(),
        }
    }

    fn fees(&self) -> FeeChanges {
        let Subject {
            item,
            loan,
            borrower,
        } = self.subject;
        let operator = self.context.operator.as_ref();
        let (configuration, now) = (self.configuration, self.now);
        let mut changes = FeeChanges::default();
        if item.is_lost() {
            let cause = Cause::at(operator, self.command.service_point_id);
            let fees = &self.context.lost_fees;
            let why = Comeback::Renewed;
            changes = charges::give_back(why, fees, loan, &cause, configuration, now);
        }
        let subject = FeeSubject {
            loan,
            item,
            instance: &self.context.instance,
            borrower: Some(borrower),
        };
        let cause = Cause::at(operator, None);
        let fine = overdue_fine::at_renewal(subject, &cause, configuration, now);
        changes.add(FeeChanges::charge(fine));
        changes
    }
}

#[cfg(test)]
mod tests;
