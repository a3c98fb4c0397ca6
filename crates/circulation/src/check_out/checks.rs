//! The checks of a check-out, in FOLIO's order (docs/folio/check-out.md#checks).

use jiff::Timestamp;
use refusals::{Refusal, Refused, Wording};
use uuid::Uuid;

use super::{Admission, CheckOutCommand, CheckOutContext, SameKind, refusal};
use crate::{
    blocks::{Action, BlockKind, Blocks},
    configuration::{BlockLimit, Configuration},
    policies::LoanPolicy,
    policy_choice::{Borrowing, Chosen, choose, choose_and_note},
    records::{ItemStatus, Patron},
    refusal::PROXY_FOR_THEMSELVES,
    requests::queue::{Purpose, Queue},
    rules::{AppliedRuleConditions, PolicyKind},
    trace::{Blocker, Step, Trace},
};

/// Whether the patron's loans of similar items must be counted before the checks: the loan policy has an item limit,
/// and the patron has at least that many items of any kind.
pub fn limit_is_near(context: &CheckOutContext, configuration: &Configuration, command: &CheckOutCommand) -> bool {
    let (Some(found), Some(patron)) = (&context.item, &context.patron) else {
        return false;
    };
    let near = |limit: i64| patron.open_loans >= limit;
    if command.force_loan_policy_id.is_some() || !configuration.smallest_item_limit().is_some_and(near) {
        return false;
    }
    let policy = Borrowing::new(&found.item, Some(&patron.patron))
        .and_then(|borrowing| choose(PolicyKind::Loan, borrowing, configuration))
        .ok()
        .and_then(|chosen| configuration.loan_policies.get(&chosen.id));
    policy.and_then(LoanPolicy::item_limit).is_some_and(near)
}

/// Runs every check; a dry run stops here.
pub fn admit<'c>(
    context: &'c CheckOutContext,
    configuration: &'c Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Result<Admission<'c>, Refused> {
    admit_and_note(context, configuration, command, now, Trace::OFF)
}

/// The same, with notes of what decides.
pub(super) fn admit_and_note<'c>(
    context: &'c CheckOutContext,
    configuration: &'c Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<Admission<'c>, Refused> {
    let mut checks = Checks { context, configuration, command, now, trace, refused: Refused::default() };
    checks.service_point();
    checks.patron();
    checks.proxy();
    checks.patron_is_active();
    checks.proxy_relationship();
    checks.item();
    let (queue, filled) = checks.queue()?;
    let loan_policy = checks.loan_policy()?;
    checks.refused.or(())?;
    // If the item, the patron or the policy is missing, a check has already refused.
    let (Some(item), Some(patron), Some(loan_policy)) = (&context.item, &context.patron, loan_policy) else {
        return Err(Refused::default());
    };
    let patron = &patron.patron;
    let borrowing = Borrowing::new(&item.item, Some(patron))?;
    let policy = |kind| choose_and_note(kind, borrowing, configuration, trace);
    Ok(Admission {
        item,
        patron,
        proxy: context.proxy.as_ref(),
        loan_policy,
        overdue_fine_policy_id: policy(PolicyKind::OverdueFine)?.id,
        lost_item_policy_id: policy(PolicyKind::LostItem)?.id,
        notice_policy_id: policy(PolicyKind::Notice)?.id,
        queue,
        filled,
        limited: has_limits(patron, loan_policy, configuration),
    })
}

fn has_limits(patron: &Patron, policy: &LoanPolicy, configuration: &Configuration) -> bool {
    let of_group = |limit: &BlockLimit| Some(limit.patron_group_id) == patron.patron_group;
    policy.item_limit().is_some() || configuration.block_limits.iter().any(of_group)
}

/// The checks in order (docs/folio/check-out.md#checks), and their findings.
struct Checks<'c, 'k, 't> {
    context: &'c CheckOutContext,
    configuration: &'c Configuration,
    command: &'k CheckOutCommand,
    now: Timestamp,
    trace: Trace<'t>,
    refused: Refused,
}

impl<'c> Checks<'c, '_, '_> {
    fn refuse(&mut self, refusal: impl Into<Refusal>) {
        self.refused.add(refusal);
    }

    /// Refuses, with a note of the cause.
    fn refuse_by(&mut self, refusal: Refusal, by: impl FnOnce() -> Blocker) {
        self.trace.note(|| Step::Refused { refusal: refusal.clone(), by: by() });
        self.refuse(refusal);
    }

    /// Adds a refusal with the barcodes of the patron, the proxy or the item.
    fn refuse_named(&mut self, wording: &'static Wording) {
        let command = self.command;
        let refusal = wording.with("itemBarcode", &command.item_barcode);
        let refusal = refusal.with("userBarcode", &command.user_barcode);
        self.refuse(refusal.with("proxyUserBarcode", &command.proxy_barcode));
    }

    /// Whether the client overrides this check, which is then skipped; a faulty override adds a refusal of its own.
    fn overridden(&mut self, kind: BlockKind) -> bool {
        let requested = self.command.overrides.requests(kind);
        if requested && let Some(refusal) = self.override_fault(kind) {
            self.refuse(refusal);
        }
        requested
    }

    fn override_fault(&self, kind: BlockKind) -> Option<Refusal> {
        let overrides = &self.command.overrides;
        if let Some(refusal) = self.command.granted.refusal(kind) {
            return Some(refusal);
        }
        if overrides.comment.is_none() {
            return Some(refusal::OVERRIDE_WITHOUT_COMMENT.into());
        }
        let due = overrides.item_not_loanable.as_ref()?;
        match due.moment() {
            None => Some(refusal::OVERRIDE_WITHOUT_DUE_DATE.into()),
            Some(moment) if moment.timestamp <= self.command.loan_date.timestamp => {
                Some(refusal::DUE_DATE_NOT_AFTER_LOAN_DATE.with("dueDate", &due.text))
            }
            Some(_) => None,
        }
    }

    /// A dry run needs no service point.
    fn service_point(&mut self) {
        if !self.command.dry_run && self.command.service_point_id.is_none() {
            self.refuse(refusal::NO_SERVICE_POINT);
        }
    }

    /// The patron exists and has no manual or automated block.
    fn patron(&mut self) {
        let Some(found) = &self.context.patron else {
            let barcode = &self.command.user_barcode;
            return self.refuse(refusal::USER_NOT_FOUND.about("userBarcode", barcode));
        };
        if self.overridden(BlockKind::Patron) {
            return;
        }
        let (manual, standing) = (&found.manual_blocks, &found.standing);
        let blocks = Blocks { patron: &found.patron, manual, standing, trace: self.trace };
        let granted = &self.command.granted;
        let blocks = blocks.against(Action::Borrowing, granted, self.configuration, self.now);
        blocks.into_iter().for_each(|block| self.refuse(block));
    }

    /// The proxy, if named, exists.
    fn proxy(&mut self) {
        let barcode = &self.command.proxy_barcode;
        if barcode.is_some() && self.context.proxy.is_none() {
            self.refuse(refusal::USER_NOT_FOUND.about("proxyUserBarcode", barcode));
        }
    }

    /// Patron and proxy are active.
    fn patron_is_active(&mut self) {
        let patron = self.context.patron.as_ref().map(|found| &found.patron);
        let words = [refusal::PATRON_STATUS_UNKNOWN, refusal::PATRON_INACTIVE];
        self.is_active(patron, words);
        let words = [refusal::PROXY_STATUS_UNKNOWN, refusal::PROXY_INACTIVE];
        self.is_active(self.context.proxy.as_ref(), words);
    }

    fn is_active(&mut self, user: Option<&Patron>, [unknown, inactive]: [&'static Wording; 2]) {
        match user.map(|user| user.is_active(self.now)) {
            Some(None) => self.refuse_named(unknown),
            Some(Some(false)) => self.refuse_named(inactive),
            _ => {}
        }
    }

    /// The proxy acts for the patron with the patron's consent.
    fn proxy_relationship(&mut self) {
        let (Some(found), Some(proxy)) = (&self.context.patron, &self.context.proxy) else {
            return;
        };
        if found.patron.id == proxy.id {
            return self.refuse(PROXY_FOR_THEMSELVES.with("proxyUserId", proxy.id));
        }
        let mut relationships = self.context.proxy_relationships.iter();
        if !relationships.any(|relationship| relationship.is_active(self.now)) {
            self.refuse_named(refusal::PROXY_NOT_ALLOWED);
        }
    }

    /// The item exists, is not on loan, and has a status that permits loans.
    fn item(&mut self) {
        let Some(found) = &self.context.item else {
            return self.refuse_named(refusal::ITEM_NOT_FOUND);
        };
        let item = &found.item;
        if item.is(ItemStatus::CheckedOut) {
            self.refuse_named(refusal::ALREADY_CHECKED_OUT);
        }
        let kept_back = [
            ItemStatus::DeclaredLost,
            ItemStatus::ClaimedReturned,
            ItemStatus::AgedToLost,
            ItemStatus::IntellectualItem,
        ];
        if item.is_any_of(&kept_back) {
            let material_type = self.configuration.material_type(item.material_type_id);
            let refusal = refusal::STATUS_FORBIDS.with("title", &found.instance.title);
            let refusal = refusal.with("materialType", material_type);
            let refusal = refusal.with("status", item.status.name());
            let barcode = item.barcode.as_deref().unwrap_or_default();
            self.refuse(refusal.with("itemBarcode", barcode));
        }
        if found.has_open_loan {
            self.refuse_named(refusal::HAS_OPEN_LOAN);
        }
    }

    /// The queue, and the patron's own request if it is first; refused when another patron is first.
    fn queue(&mut self) -> Result<(Queue, Option<Uuid>), Refusal> {
        let (Some(found), Some(patron)) = (&self.context.item, &self.context.patron) else {
            return Ok((Queue::default(), None));
        };
        let requests = self.context.requests.clone();
        let titles = self.configuration.title_level_requests;
        let queue = Queue::new(requests, found.item.id, titles);
        let head = queue.fulfillable_by(&found.item, found.instance.id, Purpose::CheckOut, self.configuration)?;
        let head = head.map(|queued| (queued.request.id(), queued.request.requester_id()));
        let (waiting, head) = (head.map(|(id, _)| id), head);
        let own = head.filter(|(_, requester)| *requester == Some(patron.patron.id));
        if head.is_some() && own.is_none() {
            let refusal = refusal::REQUESTED_BY_ANOTHER.with("title", &found.instance.title);
            let barcode = found.item.barcode.as_deref().unwrap_or_default();
            let refusal = refusal.with("barcode", barcode);
            let refusal = refusal.with("patron", patron.patron.name());
            let refusal = refusal.with("userBarcode", &self.command.user_barcode);
            match waiting {
                Some(request) => self.refuse_by(refusal, || Blocker::Request(request)),
                None => self.refuse(refusal),
            }
        }
        Ok((queue, own.map(|(id, _)| id)))
    }

    /// The loan policy, which may limit the number of items of a kind or not allow loans at all.
    fn loan_policy(&mut self) -> Result<Option<&'c LoanPolicy>, Refusal> {
        let (Some(found), Some(patron)) = (&self.context.item, &self.context.patron) else {
            return Ok(None);
        };
        if let Some(forced) = self.command.force_loan_policy_id {
            let policy = self.configuration.loan_policies.get(&forced);
            self.loanable(forced, policy);
            return Ok(policy);
        }
        let borrowing = Borrowing::new(&found.item, Some(&patron.patron))?;
        let Chosen { id, conditions } = choose_and_note(PolicyKind::Loan, borrowing, self.configuration, self.trace)?;
        let policy = self.configuration.loan_policies.get(&id);
        self.item_limit(policy, conditions, patron.same_kind);
        self.loanable(id, policy);
        Ok(policy)
    }

    fn item_limit(&mut self, policy: Option<&LoanPolicy>, conditions: AppliedRuleConditions, same_kind: SameKind) {
        if self.overridden(BlockKind::ItemLimit) {
            return;
        }
        let Some((policy, limit)) = policy.and_then(|policy| Some((policy.id, policy.item_limit()?))) else {
            return;
        };
        let has = same_kind.tested_by(conditions);
        if let Some(wording) = limit_wording(conditions).filter(|_| has >= limit) {
            let refusal = wording.with("itemBarcode", &self.command.item_barcode);
            let block = self.command.granted.block(BlockKind::ItemLimit);
            let refusal = refusal.with("itemLimit", limit).overridable(block);
            self.refuse_by(refusal, || Blocker::ItemLimit { policy, limit, has });
        }
    }

    fn loanable(&mut self, id: Uuid, policy: Option<&LoanPolicy>) {
        let loanable = policy.is_some_and(|policy| policy.loanable);
        if !self.overridden(BlockKind::ItemNotLoanable) && !loanable {
            let refusal = refusal::NOT_LOANABLE.with("itemBarcode", &self.command.item_barcode);
            let refusal = refusal.with("loanPolicyId", id);
            let refusal = refusal.with("loanPolicyName", policy.map(|policy| &policy.name));
            let block = self.command.granted.block(BlockKind::ItemNotLoanable);
            self.refuse_by(refusal.overridable(block), || Blocker::LoanPolicy(id));
        }
    }
}

/// The wording for an item limit, by the criteria that the matching rule tests; `None` if it tests neither material
/// type nor loan type.
pub(super) fn limit_wording(conditions: AppliedRuleConditions) -> Option<&'static Wording> {
    let AppliedRuleConditions { material_type, loan_type, patron_group } = conditions;
    Some(match (patron_group, material_type, loan_type) {
        (true, true, true) => refusal::LIMIT_OF_GROUP_MATERIAL_LOAN,
        (true, true, false) => refusal::LIMIT_OF_GROUP_MATERIAL,
        (true, false, true) => refusal::LIMIT_OF_GROUP_LOAN,
        (false, true, true) => refusal::LIMIT_OF_MATERIAL_LOAN,
        (false, true, false) => refusal::LIMIT_OF_MATERIAL,
        (false, false, true) => refusal::LIMIT_OF_LOAN,
        (_, false, false) => return None,
    })
}

impl SameKind {
    /// The number of loans of the kind that the matching rule tests.
    fn tested_by(self, conditions: AppliedRuleConditions) -> i64 {
        match (conditions.material_type, conditions.loan_type) {
            (true, true) => self.both,
            (true, false) => self.material_type,
            (false, true) => self.loan_type,
            (false, false) => self.any,
        }
    }
}
