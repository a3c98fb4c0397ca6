//! Checks of a new request, in FOLIO's order. Refusals accumulate; a check is skipped if one it depends on failed.

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use uuid::Uuid;

use super::{
    PlaceCommand, Target,
    refusal::{
        self, NO_INSTANCE_ID, NO_ITEM_ID, NO_REQUEST_DATE, NO_SUCH_INSTANCE, NOTHING_TO_PAGE, NOTHING_TO_PAGE_THERE,
        REQUESTER_WITHOUT_GROUP,
    },
    title,
};
use crate::{
    blocks::{Action, BlockKind, Blocks},
    configuration::Configuration,
    records::{Item, Loan, Patron, QueuedRequest},
    refusal::{PROXY_FOR_THEMSELVES, PROXY_NOT_VALID},
    requests::{RequestContext, kind::RequestKind, policy::request_policy},
    trace::{Blocker, Step, Trace},
};

/// Runs every check and returns the item for the request if none fails.
pub(super) fn admit(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<(RequestKind, Target), Refused> {
    let mut checks = Checks { trace, ..Checks::new(context, configuration, command, now) };
    checks.members();
    let target = checks.target()?;
    if let Some(nothing) = checks.nothing_to_page() {
        return Err(nothing.into());
    }
    checks.proxy();
    checks.refuse_if_some(pickup_service_point(command, configuration));
    checks.requester();
    checks.refuse_if_some(already_requested(context, configuration, command, false));
    checks.blocks();
    checks.existence_and_status(&target);
    checks.loans(&target);
    checks.policy(&target)?;
    checks.pageable_copies()?;
    match command.kind() {
        Some(kind) => checks.refused.or((kind, target)),
        None => Err(checks.refused),
    }
}

/// Checks a changed request: the records it names must exist, the proxy must have an active relationship, and the
/// service point must be a pickup location.
pub(crate) fn refuse_incomplete(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<(), Refused> {
    let mut checks = Checks::new(context, configuration, command, now);
    checks.members();
    let refusals = &mut checks.refused.0;
    refusals.retain(|known| !known.is(refusal::TITLE_WITH_ITEM));
    checks.proxy();
    checks.refuse_if_some(pickup_service_point(command, configuration));
    checks.refused.or(())
}

/// The first reason that a request cannot move to `item`.
///
/// # Errors
/// [`RULES_NOT_APPLICABLE`](crate::refusal::RULES_NOT_APPLICABLE) if the circulation rules cannot be applied.
pub(crate) fn refuse_move(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    item: &Item,
) -> Result<Option<Refusal>, Refusal> {
    let Some(patron) = context.patron() else {
        return Ok(Some(no_such_requester(command)));
    };
    if patron.patron_group.is_none() {
        return Ok(Some(REQUESTER_WITHOUT_GROUP.into()));
    }
    let kind = command.kind();
    if !kind.is_some_and(|kind| kind.suits(item)) {
        return Ok(Some(kind_not_allowed(kind)));
    }
    if let Some(duplicate) = already_requested(context, configuration, command, true) {
        return Ok(Some(duplicate));
    }
    if let Some(refusal) = on_loan(context.loan.as_ref(), command, false) {
        return Ok(Some(refusal));
    }
    policy_refusal(item, Some(patron), kind, command, (configuration, Trace::OFF))
}

/// Refuses if the requester already has the item on loan; with `copy`, a copy of the title.
fn on_loan(loan: Option<&Loan>, command: &PlaceCommand, copy: bool) -> Option<Refusal> {
    let loan = loan?;
    let user = loan.user_id()?;
    if Some(user) != command.request.requester_id() {
        return None;
    }
    let wording = match copy {
        true => refusal::COPY_ON_LOAN,
        false => refusal::ITEM_ON_LOAN,
    };
    let refusal = wording.with("itemId", loan.item_id().unwrap_or_default()).with("userId", user);
    Some(refusal.with("loanId", loan.id().unwrap_or_default()))
}

fn no_such_requester(command: &PlaceCommand) -> Refusal {
    refusal::NO_SUCH_REQUESTER.with("userId", command.request.requester_id())
}

fn kind_not_allowed(kind: Option<RequestKind>) -> Refusal {
    let name = kind.map(RequestKind::name).unwrap_or_default();
    refusal::KIND_NOT_ALLOWED.with("requestType", name)
}

struct Checks<'c, 't> {
    context: &'c RequestContext,
    configuration: &'c Configuration,
    command: &'c PlaceCommand,
    now: Timestamp,
    trace: Trace<'t>,
    refused: Refused,
}

impl<'c> Checks<'c, '_> {
    fn new(
        context: &'c RequestContext,
        configuration: &'c Configuration,
        command: &'c PlaceCommand,
        now: Timestamp,
    ) -> Self {
        Self { context, configuration, command, now, trace: Trace::OFF, refused: Refused::default() }
    }

    fn refuse(&mut self, refusal: impl Into<Refusal>) {
        self.refused.add(refusal);
    }

    fn refuse_if_some(&mut self, refusal: Option<Refusal>) {
        refusal.into_iter().for_each(|refusal| self.refuse(refusal));
    }

    fn title_id(&self) -> Option<Uuid> {
        let of_item = self.context.item_title.filter(|_| self.command.knows_items_only);
        self.command.request.instance_id().or(of_item)
    }

    /// A missing request date also skips the item checks, as in FOLIO.
    fn item_is_wrong(&self) -> bool {
        self.refused.has(&[NO_ITEM_ID, NO_REQUEST_DATE])
    }

    fn title_is_wrong(&self) -> bool {
        self.refused.has(&[NO_INSTANCE_ID, NO_SUCH_INSTANCE])
    }

    /// Checks that the record has the members its level requires.
    fn members(&mut self) {
        let command = self.command;
        let holdings = command.knows_items_only || command.request.holdings_record_text().is_some();
        if self.title_id().is_none() {
            self.refuse(NO_INSTANCE_ID);
        }
        if command.is_item_level() && command.request.item_id().is_none() {
            self.refuse(NO_ITEM_ID);
        } else if command.request.item_id().is_some() && !holdings {
            self.refuse(refusal::NO_HOLDINGS_RECORD_ID);
        } else if self.names_item_of_title() {
            let refusal = refusal::TITLE_WITH_ITEM.with("itemId", command.request.item_id());
            self.refuse(refusal.with("holdingsRecordId", command.request.holdings_record_text()));
        }
        if command.request.request_date().is_none() {
            self.refuse(NO_REQUEST_DATE);
        }
        if let (Some(id), None) = (self.title_id(), &self.context.title) {
            self.refuse(NO_SUCH_INSTANCE.with("instanceId", id));
        }
    }

    fn names_item_of_title(&self) -> bool {
        let command = self.command;
        let names_item = command.request.item_id().is_some() || command.request.holdings_record_text().is_some();
        command.is_title_level() && names_item && !command.is_of_consortium()
    }

    /// The item for the request: the one it names, or the best copy of its title.
    fn target(&mut self) -> Result<Target, Refusal> {
        let (context, command) = (self.context, self.command);
        let named =
            || Target { item: context.item.clone(), loan: context.loan.clone(), borrower: context.borrower.clone() };
        let title_level = command.is_title_level() && !command.is_of_consortium();
        if !title_level || self.item_is_wrong() {
            return Ok(named());
        }
        if self.title_is_wrong() {
            // FOLIO looks for a copy to page even if no title is named.
            if command.kind() == Some(RequestKind::Page) && self.title_id().is_none() {
                self.refuse(NOTHING_TO_PAGE);
            }
            return Ok(named());
        }
        if context.patron().is_none_or(|patron| patron.patron_group.is_none()) {
            return Ok(Target::default());
        }
        let found = match command.kind() {
            Some(RequestKind::Page) => title::copy_to_page(context, self.configuration, command)?,
            Some(RequestKind::Recall) => title::copy_to_recall(context, self.configuration)?,
            _ => Ok(Target::default()),
        };
        Ok(found.unwrap_or_else(|refusal| {
            self.refuse(refusal);
            Target::default()
        }))
    }

    /// If no copy can be paged, FOLIO reports only that and drops all other refusals.
    fn nothing_to_page(&self) -> Option<Refusal> {
        let mut refusals = self.refused.0.iter();
        let nothing = refusals.find(|r| r.is(NOTHING_TO_PAGE) || r.is(NOTHING_TO_PAGE_THERE));
        nothing.cloned()
    }

    fn proxy(&mut self) {
        let Some(proxy) = self.command.request.proxy_user_id() else {
            return;
        };
        if self.command.request.requester_id() == Some(proxy) {
            return self.refuse(PROXY_FOR_THEMSELVES.with("proxyUserId", proxy));
        }
        let mut relationships = self.context.proxy_relationships.iter();
        if !relationships.any(|relationship| relationship.is_active(self.now)) {
            self.refuse(PROXY_NOT_VALID.with("proxyUserId", proxy));
        }
    }

    fn requester(&mut self) {
        let Some(patron) = self.context.patron() else {
            return self.refuse(no_such_requester(self.command));
        };
        if patron.patron_group.is_none() {
            self.refuse(REQUESTER_WITHOUT_GROUP);
        }
        if patron.is_active(self.now) != Some(true) {
            let refusal = refusal::REQUESTER_INACTIVE.with("requesterId", patron.id);
            self.refuse(refusal.with("itemId", self.command.request.item_id()));
        }
    }

    fn blocks(&mut self) {
        let Some(found) = &self.context.requester else {
            return;
        };
        let granted = &self.command.granted;
        if self.command.overrides.requests(BlockKind::Patron) {
            return self.refuse_if_some(granted.refusal(BlockKind::Patron));
        }
        let (manual, standing) = (&found.manual_blocks, &found.standing);
        let blocks = Blocks { patron: &found.patron, manual, standing, trace: self.trace };
        let blocks = blocks.against(Action::Requesting, granted, self.configuration, self.now);
        blocks.into_iter().for_each(|block| self.refuse(block));
    }

    fn existence_and_status(&mut self, target: &Target) {
        if self.item_is_wrong() || self.title_is_wrong() {
            return;
        }
        let named = self.command.request.item_id();
        if self.command.is_title_level() && (named.is_none() || self.names_item_of_title()) {
            return;
        }
        let Some(item) = &target.item else {
            return self.refuse(refusal::NO_SUCH_ITEM.with("itemId", named));
        };
        let kind = self.command.kind();
        let suits = kind.is_some_and(|kind| kind.suits(item));
        if !self.command.is_title_level() && !suits {
            self.refuse(kind_not_allowed(kind));
        }
    }

    fn loans(&mut self, target: &Target) {
        if self.item_is_wrong() || self.title_is_wrong() || self.names_item_of_title() {
            return;
        }
        let copy = self.command.is_title_level();
        let loan = match copy {
            true => self.context.own_loan.as_ref(),
            false => target.loan.as_ref(),
        };
        self.refuse_if_some(on_loan(loan, self.command, copy));
    }

    fn policy(&mut self, target: &Target) -> Result<(), Refusal> {
        let spoiled = self.refused.has(&[
            NO_INSTANCE_ID,
            NO_SUCH_INSTANCE,
            NO_ITEM_ID,
            NO_REQUEST_DATE,
            refusal::NO_SUCH_ITEM,
            refusal::NO_SUCH_REQUESTER,
            REQUESTER_WITHOUT_GROUP,
            refusal::NOTHING_TO_RECALL,
        ]);
        if spoiled {
            return Ok(());
        }
        let (command, kind) = (self.command, self.command.kind());
        if command.is_title_level() && kind == Some(RequestKind::Hold) {
            return self.title_hold_policy();
        }
        let (Some(item), patron) = (&target.item, self.context.patron()) else {
            return Ok(());
        };
        let refusal = policy_refusal(item, patron, kind, command, (self.configuration, self.trace))?;
        self.refuse_if_some(refusal);
        Ok(())
    }

    fn title_hold_policy(&mut self) -> Result<(), Refusal> {
        if !self.configuration.title_holds_follow_rules || self.command.is_of_consortium() {
            return Ok(());
        }
        for copy in &self.context.copies {
            let policy = request_policy(&copy.item, self.context.patron(), self.configuration, self.trace)?;
            if policy.allows(RequestKind::Hold) {
                return Ok(());
            }
        }
        let requester = self.command.request.requester_id();
        let refusal = refusal::TITLE_HOLD_NOT_ALLOWED.with("requesterId", requester);
        self.refuse(refusal.with("instanceId", self.title_id()));
        Ok(())
    }

    /// Refuses a title-level hold or recall while a copy can be paged.
    fn pageable_copies(&mut self) -> Result<(), Refusal> {
        let waits = [Some(RequestKind::Hold), Some(RequestKind::Recall)];
        let grouped = self.context.patron().is_some_and(|patron| patron.patron_group.is_some());
        if !self.command.is_title_level() || !waits.contains(&self.command.kind()) || !grouped {
            return Ok(());
        }
        let copies = title::pageable(self.context, self.configuration)?;
        if let Some(copy) = copies.first() {
            let refusal = refusal::PAGEABLE_ITEM_FOUND.with("itemId", copy.item.id);
            self.refuse(refusal.with("instanceId", self.title_id()));
        }
        Ok(())
    }
}

/// Checks the pickup service point.
fn pickup_service_point(command: &PlaceCommand, configuration: &Configuration) -> Option<Refusal> {
    let wording = match command.request.pickup_point() {
        None if command.is_for_hold_shelf() => refusal::NO_PICKUP_SERVICE_POINT,
        None => return None,
        named => match configuration.service_point(named) {
            None => refusal::NO_SUCH_SERVICE_POINT,
            Some(found) if found.pickup_location != Some(true) => refusal::NOT_A_PICKUP_LOCATION,
            Some(_) => return None,
        },
    };
    let refusal = wording.with("id", command.request.known_id());
    Some(refusal.with("pickupServicePointId", command.request.pickup_point()))
}

/// Refuses a second request by the same patron for the item, its title or a copy of the title. A request `moving` to
/// another item is compared only with requests for that item.
fn already_requested(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    moving: bool,
) -> Option<Refusal> {
    let (requester, item) = (command.request.requester_id(), command.request.item_id());
    let instance = command.request.instance_id().or(context.item_title);
    let titles = configuration.title_level_requests;
    let same = |queued: &&QueuedRequest| {
        let request = &queued.request;
        let for_item = request.item_id().is_some() && request.item_id() == item;
        requester.is_some()
            && request.requester_id() == requester
            && match (titles && command.is_title_level(), moving) {
                (true, false) => true,
                (true, true) => for_item,
                (false, _) if titles && request.is_title_level() => request.instance_id() == instance,
                (false, _) => for_item,
            }
    };
    let queue = context.queue(item, configuration);
    let found = queue.requests().find(same)?;
    let wording = match (command.is_title_level(), found.request.is_title_level()) {
        (true, true) if moving => refusal::MOVED_TO_SAME_ITEM,
        (true, true) => refusal::TITLE_ALREADY_REQUESTED,
        (true, false) => refusal::COPY_ALREADY_REQUESTED,
        (false, _) => refusal::ITEM_ALREADY_REQUESTED,
    };
    let refusal = wording.with("requesterId", requester);
    let refusal = refusal.with("instanceId", instance).with("itemId", item);
    Some(refusal.with("requestId", command.request.known_id()))
}

/// Checks the request type and service point against the request policy.
fn policy_refusal(
    item: &Item,
    patron: Option<&Patron>,
    kind: Option<RequestKind>,
    command: &PlaceCommand,
    (configuration, trace): (&Configuration, Trace<'_>),
) -> Result<Option<Refusal>, Refusal> {
    let policy = request_policy(item, patron, configuration, trace)?;
    let noted = |refusal: Refusal| {
        trace.note(|| Step::Refused { refusal: refusal.clone(), by: Blocker::RequestPolicy(policy.id) });
        refusal
    };
    let Some(kind) = kind.filter(|kind| policy.allows(*kind)) else {
        return Ok(Some(noted(kind_not_allowed(kind))));
    };
    let service_point = command.request.pickup_point();
    let allowed = !command.is_for_hold_shelf() || policy.allows_service_point(kind, service_point);
    let refusal = refusal::SERVICE_POINT_NOT_ALLOWED.with("pickupServicePointId", service_point);
    let refusal = refusal.with("requestType", kind.name());
    Ok((!allowed).then(|| noted(refusal.with("requestPolicyId", policy.id))))
}
