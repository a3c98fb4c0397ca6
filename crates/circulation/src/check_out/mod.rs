//! Lending an item to a patron (docs/folio/check-out.md).
//!
//! [`admit`] makes every check in its order and collects all refusals; a dry run ends there.
//! [`decide`] goes on to the due date, the request that is filled, and everything that is written.

mod command;
mod lending;
mod refusal;

use jiff::Timestamp;
use uuid::Uuid;

pub use command::{CheckOutCommand, Malformed};
pub use lending::Lending;
pub use refusal::{CheckOutRefusal, Limit};

use crate::{
    blocks::{
        BlockKind, ManualBlock,
        automated::{Standing, automated_blocks},
    },
    configuration::{BlockLimit, Configuration, NotApplicable},
    policies::{
        LoanPolicy,
        choice::{Borrowing, Chosen, choose},
    },
    records::{Instance, Item, Patron, ProxyRelationship, QueuedRequest},
    requests::queue::{Desk, Queue},
    rules::{AppliedRuleConditions, PolicyKind},
};

/// What was read to decide about a loan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckOutContext {
    /// The item with that barcode.
    pub item: Option<FoundItem>,
    /// The patron with that barcode.
    pub patron: Option<FoundPatron>,
    /// The proxy with that barcode.
    pub proxy: Option<Patron>,
    /// Leave that the patron gave the proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
}

/// An item, and whether it is out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundItem {
    /// The item.
    pub item: Item,
    /// What it is a copy of.
    pub instance: Instance,
    /// It has an open loan.
    pub has_open_loan: bool,
}

/// A patron, with what the patron has and owes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FoundPatron {
    /// The patron.
    pub patron: Patron,
    /// Manual blocks.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loans and debts.
    pub standing: Standing,
    /// How many items the patron has.
    pub open_loans: i64,
    /// Those like this one, counted when [`limit_is_near`].
    pub same_kind: SameKind,
    /// A client has locked the patron.
    pub locked: bool,
}

/// Open loans of a patron for items of the same kinds; items claimed returned do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SameKind {
    /// All.
    pub any: i64,
    /// Of the same material type.
    pub material_type: i64,
    /// Of the same loan type.
    pub loan_type: i64,
    /// Of the same material type and the same loan type.
    pub both: i64,
}

/// Why an item is not lent.
#[derive(Debug, Clone, PartialEq)]
pub enum NotLent {
    /// Everything that speaks against it, in order.
    Refused(Vec<CheckOutRefusal>),
    /// The circulation rules could not be applied: FOLIO's text of a 500.
    RulesFailed(String),
}

impl From<NotApplicable> for NotLent {
    fn from(NotApplicable(text): NotApplicable) -> Self {
        NotLent::RulesFailed(text)
    }
}

/// A loan that nothing speaks against.
#[derive(Debug, Clone)]
pub struct Admission<'c> {
    /// The item.
    pub item: &'c FoundItem,
    /// The patron.
    pub patron: &'c Patron,
    /// Who acts for the patron.
    pub proxy: Option<&'c Patron>,
    /// The loan policy.
    pub loan_policy: &'c LoanPolicy,
    /// The overdue fine policy.
    pub overdue_fine_policy_id: Uuid,
    /// The lost item policy.
    pub lost_item_policy_id: Uuid,
    /// The notice policy.
    pub notice_policy_id: Uuid,
    /// The queue of the item.
    pub queue: Queue,
    /// The patron's own request, which the loan fills.
    pub filled: Option<Uuid>,
    /// The number of the patron's loans was compared with limits.
    pub limited: bool,
}

/// Decides about a loan.
///
/// # Errors
/// [`NotLent`].
pub fn decide(
    context: &CheckOutContext,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Lending, NotLent> {
    let admission = admit(context, configuration, command, now)?;
    refuse_while_locked(context, configuration)?;
    lending::lend(admission, configuration, command, now)
}

/// A client's lock on the patron is looked at when nothing else speaks against the loan. Carrel takes
/// none itself: what is written repeats what limits were compared with.
fn refuse_while_locked(
    context: &CheckOutContext,
    configuration: &Configuration,
) -> Result<(), NotLent> {
    let locked = context.patron.as_ref().is_some_and(|found| found.locked);
    match configuration.check_out_lock && locked {
        true => Err(NotLent::Refused(vec![CheckOutRefusal::PatronLocked])),
        false => Ok(()),
    }
}

/// Whether items like this one have to be counted before the checks: the loan policy has a limit, and the patron has as
/// many items of any kind.
pub fn limit_is_near(
    context: &CheckOutContext,
    configuration: &Configuration,
    command: &CheckOutCommand,
) -> bool {
    let (Some(found), Some(patron)) = (&context.item, &context.patron) else {
        return false;
    };
    let near = |limit: i64| patron.open_loans >= limit;
    if command.force_loan_policy_id.is_some()
        || !configuration.smallest_item_limit().is_some_and(near)
    {
        return false;
    }
    let policy = Borrowing::new(&found.item, Some(&patron.patron))
        .and_then(|borrowing| choose(PolicyKind::Loan, borrowing, configuration))
        .ok()
        .and_then(|chosen| configuration.loan_policies.get(&chosen.id));
    policy.and_then(LoanPolicy::item_limit).is_some_and(near)
}

/// Makes every check; a dry run needs no more.
///
/// # Errors
/// [`NotLent`].
pub fn admit<'c>(
    context: &'c CheckOutContext,
    configuration: &'c Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Admission<'c>, NotLent> {
    let mut checks = Checks {
        context,
        configuration,
        command,
        now,
        refusals: Vec::new(),
    };
    checks.service_point();
    checks.patron();
    checks.proxy();
    checks.patron_is_active();
    checks.proxy_relationship();
    checks.item();
    let (queue, filled) = checks.queue()?;
    let loan_policy = checks.loan_policy()?;
    if !checks.refusals.is_empty() {
        return Err(NotLent::Refused(checks.refusals));
    }
    // Without an item, a patron or a policy there was a refusal.
    let (Some(item), Some(patron), Some(loan_policy)) =
        (&context.item, &context.patron, loan_policy)
    else {
        return Err(NotLent::Refused(Vec::new()));
    };
    let patron = &patron.patron;
    let borrowing = Borrowing::new(&item.item, Some(patron))?;
    Ok(Admission {
        item,
        patron,
        proxy: context.proxy.as_ref(),
        loan_policy,
        overdue_fine_policy_id: choose(PolicyKind::OverdueFine, borrowing, configuration)?.id,
        lost_item_policy_id: choose(PolicyKind::LostItem, borrowing, configuration)?.id,
        notice_policy_id: choose(PolicyKind::Notice, borrowing, configuration)?.id,
        queue,
        filled,
        limited: has_limits(patron, loan_policy, configuration),
    })
}

fn has_limits(patron: &Patron, policy: &LoanPolicy, configuration: &Configuration) -> bool {
    let of_group = |limit: &BlockLimit| Some(limit.patron_group_id) == patron.patron_group;
    policy.item_limit().is_some() || configuration.block_limits.iter().any(of_group)
}

/// The checks in their order (docs/folio/check-out.md#checks), and what they found.
struct Checks<'c, 'k> {
    context: &'c CheckOutContext,
    configuration: &'c Configuration,
    command: &'k CheckOutCommand,
    now: Timestamp,
    refusals: Vec<CheckOutRefusal>,
}

impl<'c> Checks<'c, '_> {
    /// Notes a refusal, once.
    fn refuse(&mut self, refusal: CheckOutRefusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    fn refuse_if(&mut self, condition: bool, refusal: impl FnOnce() -> CheckOutRefusal) {
        if condition {
            self.refuse(refusal());
        }
    }

    /// Skips a check that the caller overrides; true when it is overridden or may not be.
    fn overridden(&mut self, kind: BlockKind) -> bool {
        let requested = self.command.overrides.requests(kind);
        if requested && let Some(refusal) = self.override_fault(kind) {
            self.refuse(refusal);
        }
        requested
    }

    fn override_fault(&self, kind: BlockKind) -> Option<CheckOutRefusal> {
        let overrides = &self.command.overrides;
        if !self.command.granted.has(kind) {
            return Some(CheckOutRefusal::OverrideNotPermitted(kind));
        }
        if overrides.comment.is_none() {
            return Some(CheckOutRefusal::OverrideWithoutComment);
        }
        match &overrides.item_not_loanable {
            None => None,
            Some(due) => match due.moment() {
                None => Some(CheckOutRefusal::OverrideWithoutDueDate),
                Some(moment) if moment.timestamp <= self.command.loan_date.timestamp => {
                    Some(CheckOutRefusal::DueDateNotAfterLoanDate(due.text.clone()))
                }
                Some(_) => None,
            },
        }
    }

    /// Somebody lends somewhere; a dry run need not say where.
    fn service_point(&mut self) {
        let missing = !self.command.dry_run && self.command.service_point_id.is_none();
        self.refuse_if(missing, || CheckOutRefusal::NoServicePoint);
    }

    /// The patron is known, and not blocked by staff or by a condition.
    fn patron(&mut self) {
        let Some(found) = &self.context.patron else {
            return self.refuse(CheckOutRefusal::PatronNotFound);
        };
        if self.overridden(BlockKind::Patron) {
            return;
        }
        if found
            .manual_blocks
            .iter()
            .any(|block| block.borrowing && !block.is_expired(self.now))
        {
            let reasons: Vec<&str> = found
                .manual_blocks
                .iter()
                .map(|block| block.desc.as_str())
                .collect();
            self.refuse(CheckOutRefusal::BlockedManually(reasons.join(";")));
        }
        let group = found.patron.patron_group;
        let blocks = automated_blocks(&found.standing, group, self.configuration, self.now);
        for block in blocks.into_iter().filter(|block| block.block_borrowing) {
            let message = block.message.unwrap_or_default();
            self.refuse(CheckOutRefusal::BlockedAutomatically(message));
        }
    }

    /// A proxy that is named is known.
    fn proxy(&mut self) {
        let missing = self.command.proxy_barcode.is_some() && self.context.proxy.is_none();
        self.refuse_if(missing, || CheckOutRefusal::ProxyNotFound);
    }

    /// Patron and proxy may use the library.
    fn patron_is_active(&mut self) {
        let active = |patron: &Patron| patron.is_active(self.now);
        let patron = self
            .context
            .patron
            .as_ref()
            .map(|found| active(&found.patron));
        let proxy = self.context.proxy.as_ref().map(active);
        match patron {
            Some(None) => self.refuse(CheckOutRefusal::PatronStatusUnknown),
            Some(Some(false)) => self.refuse(CheckOutRefusal::PatronInactive),
            _ => {}
        }
        match proxy {
            Some(None) => self.refuse(CheckOutRefusal::ProxyStatusUnknown),
            Some(Some(false)) => self.refuse(CheckOutRefusal::ProxyInactive),
            _ => {}
        }
    }

    /// The patron gave the proxy leave.
    fn proxy_relationship(&mut self) {
        let (Some(found), Some(proxy)) = (&self.context.patron, &self.context.proxy) else {
            return;
        };
        if found.patron.id == proxy.id {
            return self.refuse(CheckOutRefusal::ProxyForThemselves(proxy.id));
        }
        let mut relationships = self.context.proxy_relationships.iter();
        let allowed = relationships.any(|relationship| relationship.is_active(self.now));
        self.refuse_if(!allowed, || CheckOutRefusal::ProxyNotAllowed);
    }

    /// The item is known, in, and in a status that may be lent.
    fn item(&mut self) {
        let Some(found) = &self.context.item else {
            return self.refuse(CheckOutRefusal::ItemNotFound);
        };
        let item = &found.item;
        self.refuse_if(item.is("Checked out"), || {
            CheckOutRefusal::AlreadyCheckedOut
        });
        let kept_back = [
            "Declared lost",
            "Claimed returned",
            "Aged to lost",
            "Intellectual item",
        ];
        let material_type = self.configuration.material_type(item.material_type_id);
        self.refuse_if(kept_back.contains(&item.status.name.as_str()), || {
            CheckOutRefusal::StatusForbids {
                title: found.instance.title.clone(),
                material_type: material_type.unwrap_or("null").to_owned(),
                barcode: item.barcode.clone().unwrap_or_default(),
                status: item.status.name.clone(),
            }
        });
        self.refuse_if(found.has_open_loan, || CheckOutRefusal::HasOpenLoan);
    }

    /// Nobody else is first in the queue: the queue, and the patron's own request at its head.
    fn queue(&mut self) -> Result<(Queue, Option<Uuid>), NotApplicable> {
        let (Some(found), Some(patron)) = (&self.context.item, &self.context.patron) else {
            return Ok((Queue::default(), None));
        };
        let requests = self.context.requests.clone();
        let titles = self.configuration.title_level_requests;
        let queue = Queue::new(requests, found.item.id, titles);
        let head = queue.fulfillable_by(
            &found.item,
            found.instance.id,
            Desk::CheckOut,
            self.configuration,
        )?;
        let head = head.map(|queued| (queued.request.id, queued.request.requester_id));
        let own = head.filter(|(_, requester)| *requester == Some(patron.patron.id));
        self.refuse_if(head.is_some() && own.is_none(), || {
            CheckOutRefusal::RequestedByAnotherPatron {
                title: found.instance.title.clone(),
                barcode: found.item.barcode.clone().unwrap_or_default(),
                patron: patron.patron.name(),
            }
        });
        Ok((queue, own.map(|(id, _)| id)))
    }

    /// The loan policy, which may limit how many items of a kind a patron has, and may lend none.
    fn loan_policy(&mut self) -> Result<Option<&'c LoanPolicy>, NotApplicable> {
        let (Some(found), Some(patron)) = (&self.context.item, &self.context.patron) else {
            return Ok(None);
        };
        if let Some(forced) = self.command.force_loan_policy_id {
            let policy = self.configuration.loan_policies.get(&forced);
            self.loanable(forced, policy);
            return Ok(policy);
        }
        let borrowing = Borrowing::new(&found.item, Some(&patron.patron))?;
        let Chosen { id, conditions } = choose(PolicyKind::Loan, borrowing, self.configuration)?;
        let policy = self.configuration.loan_policies.get(&id);
        self.item_limit(policy, conditions, patron.same_kind);
        self.loanable(id, policy);
        Ok(policy)
    }

    fn item_limit(
        &mut self,
        policy: Option<&LoanPolicy>,
        conditions: AppliedRuleConditions,
        same_kind: SameKind,
    ) {
        if self.overridden(BlockKind::ItemLimit) {
            return;
        }
        let Some(limit) = policy.and_then(LoanPolicy::item_limit) else {
            return;
        };
        let kind = Limit::of(conditions);
        let reached = kind.is_some() && same_kind.tested_by(conditions) >= limit;
        if let Some(kind) = kind.filter(|_| reached) {
            self.refuse(CheckOutRefusal::ItemLimit { limit, kind });
        }
    }

    fn loanable(&mut self, id: Uuid, policy: Option<&LoanPolicy>) {
        let loanable = policy.is_some_and(|policy| policy.loanable);
        if !self.overridden(BlockKind::ItemNotLoanable) && !loanable {
            let name = policy.map(|policy| policy.name.clone());
            self.refuse(CheckOutRefusal::NotLoanable { id, name });
        }
    }
}

impl SameKind {
    /// How many of the loans are of the kind that the winning rule tests.
    fn tested_by(self, conditions: AppliedRuleConditions) -> i64 {
        match (conditions.material_type, conditions.loan_type) {
            (true, true) => self.both,
            (true, false) => self.material_type,
            (false, true) => self.loan_type,
            (false, false) => self.any,
        }
    }
}

#[cfg(test)]
mod tests;
