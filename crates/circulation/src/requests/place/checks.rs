//! The checks of a new request, in FOLIO's order. Refusals pile up; a check whose premise failed is left out.

use jiff::Timestamp;
use uuid::Uuid;

use super::{NotPlaced, PlaceCommand, PlaceRefusal, Target, refusal::Duplicate, title};
use crate::{
    blocks::{BlockKind, automated::automated_blocks},
    configuration::{Configuration, NotApplicable},
    records::{Item, Loan, Patron, QueuedRequest},
    requests::{RequestContext, kind::RequestKind, policy::request_policy},
};

/// Makes every check; what the request is for, when nothing speaks against it.
pub(super) fn admit(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<(RequestKind, Target), NotPlaced> {
    let mut checks = Checks::new(context, configuration, command, now);
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
        Some(kind) if checks.refusals.is_empty() => Ok((kind, target)),
        _ => Err(NotPlaced::Refused(checks.refusals)),
    }
}

/// The checks of a changed request: what it names must be there, the proxy have leave, the pickup service point be one.
///
/// # Errors
/// [`NotPlaced::Refused`].
pub(crate) fn refuse_incomplete(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<(), NotPlaced> {
    let mut checks = Checks::new(context, configuration, command, now);
    checks.members();
    checks
        .refusals
        .retain(|r| !matches!(r, PlaceRefusal::TitleWithItem { .. }));
    checks.proxy();
    checks.refuse_if_some(pickup_service_point(command, configuration));
    match checks.refusals.is_empty() {
        true => Ok(()),
        false => Err(NotPlaced::Refused(checks.refusals)),
    }
}

/// What speaks first against a request that moves to `item`.
///
/// # Errors
/// [`NotApplicable`] when the circulation rules cannot be applied.
pub(crate) fn refuse_move(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    item: &Item,
) -> Result<Option<PlaceRefusal>, NotApplicable> {
    let Some(patron) = context.patron() else {
        return Ok(Some(PlaceRefusal::NoSuchRequester(command.requester_id)));
    };
    if patron.patron_group.is_none() {
        return Ok(Some(PlaceRefusal::RequesterWithoutGroup));
    }
    let kind = command.kind();
    if !kind.is_some_and(|kind| kind.suits(item)) {
        return Ok(Some(PlaceRefusal::KindNotAllowed(kind)));
    }
    if let Some(duplicate) = already_requested(context, configuration, command, true) {
        return Ok(Some(duplicate));
    }
    if let Some(refusal) = on_loan(context.loan.as_ref(), command, false) {
        return Ok(Some(refusal));
    }
    policy_refusal(item, Some(patron), kind, command, configuration)
}

/// The requester has the item already, or with `copy` a copy of the title.
fn on_loan(loan: Option<&Loan>, command: &PlaceCommand, copy: bool) -> Option<PlaceRefusal> {
    let loan = loan?;
    let user = loan.id_of("userId")?;
    if Some(user) != command.requester_id {
        return None;
    }
    let id = |member: &str| loan.id_of(member).unwrap_or_default();
    let (item, loan) = (id("itemId"), id("id"));
    Some(match copy {
        true => PlaceRefusal::CopyOnLoan { item, user },
        false => PlaceRefusal::ItemOnLoan { item, user, loan },
    })
}

struct Checks<'c> {
    context: &'c RequestContext,
    configuration: &'c Configuration,
    command: &'c PlaceCommand,
    now: Timestamp,
    refusals: Vec<PlaceRefusal>,
}

impl<'c> Checks<'c> {
    fn new(
        context: &'c RequestContext,
        configuration: &'c Configuration,
        command: &'c PlaceCommand,
        now: Timestamp,
    ) -> Self {
        Self {
            context,
            configuration,
            command,
            now,
            refusals: Vec::new(),
        }
    }

    /// Notes a refusal, once.
    fn refuse(&mut self, refusal: PlaceRefusal) {
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
    }

    fn refuse_if_some(&mut self, refusal: Option<PlaceRefusal>) {
        if let Some(refusal) = refusal {
            self.refuse(refusal);
        }
    }

    fn has(&self, premise: impl Fn(&PlaceRefusal) -> bool) -> bool {
        self.refusals.iter().any(premise)
    }

    fn title_id(&self) -> Option<Uuid> {
        let of_item = self
            .context
            .item_title
            .filter(|_| self.command.knows_items_only);
        self.command.instance_id.or(of_item)
    }

    /// A missing date spoils the checks of the item, too: FOLIO files it so.
    fn item_is_wrong(&self) -> bool {
        self.has(|r| matches!(r, PlaceRefusal::NoItemId | PlaceRefusal::NoRequestDate))
    }

    fn title_is_wrong(&self) -> bool {
        self.has(|r| {
            matches!(
                r,
                PlaceRefusal::NoInstanceId | PlaceRefusal::NoSuchInstance(_)
            )
        })
    }

    /// The record names what its level needs.
    fn members(&mut self) {
        let command = self.command;
        let holdings = command.knows_items_only || command.holdings_record_id.is_some();
        if self.title_id().is_none() {
            self.refuse(PlaceRefusal::NoInstanceId);
        }
        if command.is_item_level() && command.item_id.is_none() {
            self.refuse(PlaceRefusal::NoItemId);
        } else if command.item_id.is_some() && !holdings {
            self.refuse(PlaceRefusal::NoHoldingsRecordId);
        } else if self.names_item_of_title() {
            self.refuse(PlaceRefusal::TitleWithItem {
                item: command.item_id,
                holdings: command.holdings_record_id.clone(),
            });
        }
        let date = command.text("requestDate");
        if date.and_then(crate::dates::parse_date_time).is_none() {
            self.refuse(PlaceRefusal::NoRequestDate);
        }
        if let (Some(id), None) = (self.title_id(), &self.context.title) {
            self.refuse(PlaceRefusal::NoSuchInstance(id));
        }
    }

    fn names_item_of_title(&self) -> bool {
        let command = self.command;
        let names_item = command.item_id.is_some() || command.holdings_record_id.is_some();
        command.is_title_level() && names_item && !command.is_of_consortium()
    }

    /// The item that the request is for: the one it names, or the best copy of its title.
    fn target(&mut self) -> Result<Target, NotApplicable> {
        let (context, command) = (self.context, self.command);
        let named = || Target {
            item: context.item.clone(),
            loan: context.loan.clone(),
            borrower: context.borrower.clone(),
        };
        let title_level = command.is_title_level() && !command.is_of_consortium();
        if !title_level || self.item_is_wrong() {
            return Ok(named());
        }
        if self.title_is_wrong() {
            // FOLIO looks for a copy to page even where no title is named.
            if command.kind() == Some(RequestKind::Page) && self.title_id().is_none() {
                self.refuse(PlaceRefusal::NothingToPage(None));
            }
            return Ok(named());
        }
        if context
            .patron()
            .is_none_or(|patron| patron.patron_group.is_none())
        {
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

    /// Where no copy can be paged FOLIO tells only that, whatever else speaks against the request.
    fn nothing_to_page(&self) -> Option<PlaceRefusal> {
        use PlaceRefusal::{NothingToPage, NothingToPageThere};
        let mut refusals = self.refusals.iter();
        let nothing = refusals.find(|r| matches!(r, NothingToPage(_) | NothingToPageThere(_)));
        nothing.cloned()
    }

    fn proxy(&mut self) {
        let Some(proxy) = self.command.proxy_user_id else {
            return;
        };
        if self.command.requester_id == Some(proxy) {
            return self.refuse(PlaceRefusal::ProxyForThemselves(proxy));
        }
        let mut relationships = self.context.proxy_relationships.iter();
        if !relationships.any(|relationship| relationship.is_active(self.now)) {
            self.refuse(PlaceRefusal::ProxyNotAllowed(proxy));
        }
    }

    fn requester(&mut self) {
        let Some(patron) = self.context.patron() else {
            return self.refuse(PlaceRefusal::NoSuchRequester(self.command.requester_id));
        };
        if patron.patron_group.is_none() {
            self.refuse(PlaceRefusal::RequesterWithoutGroup);
        }
        if patron.is_active(self.now) != Some(true) {
            self.refuse(PlaceRefusal::RequesterInactive {
                requester: patron.id,
                item: self.command.item_id,
            });
        }
    }

    fn blocks(&mut self) {
        let Some(found) = &self.context.requester else {
            return;
        };
        if self.command.overrides.requests(BlockKind::Patron) {
            if !self.command.granted.has(BlockKind::Patron) {
                self.refuse(PlaceRefusal::OverrideNotPermitted);
            }
            return;
        }
        let group = found.patron.patron_group;
        let blocks = automated_blocks(&found.standing, group, self.configuration, self.now);
        for block in blocks.into_iter().filter(|block| block.block_requests) {
            let message = block.message.unwrap_or_default();
            self.refuse(PlaceRefusal::BlockedAutomatically(message));
        }
        let mut manual = found.manual_blocks.iter();
        if manual.any(|block| block.requests && !block.is_expired(self.now)) {
            let reasons = found.manual_blocks.iter().map(|block| block.desc.as_str());
            let reasons: Vec<&str> = reasons.collect();
            self.refuse(PlaceRefusal::BlockedManually(reasons.join(";")));
        }
    }

    fn existence_and_status(&mut self, target: &Target) {
        if self.item_is_wrong() || self.title_is_wrong() {
            return;
        }
        let named = self.command.item_id;
        if self.command.is_title_level() && (named.is_none() || self.names_item_of_title()) {
            return;
        }
        let Some(item) = &target.item else {
            return self.refuse(PlaceRefusal::NoSuchItem(named));
        };
        let kind = self.command.kind();
        let suits = kind.is_some_and(|kind| kind.suits(item));
        if !self.command.is_title_level() && !suits {
            self.refuse(PlaceRefusal::KindNotAllowed(kind));
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

    fn policy(&mut self, target: &Target) -> Result<(), NotApplicable> {
        let spoiled = self.has(|refusal| {
            use PlaceRefusal as R;
            matches!(
                refusal,
                R::NoInstanceId
                    | R::NoSuchInstance(_)
                    | R::NoItemId
                    | R::NoRequestDate
                    | R::NoSuchItem(_)
                    | R::NoSuchRequester(_)
                    | R::RequesterWithoutGroup
                    | R::NothingToRecall
            )
        });
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
        let refusal = policy_refusal(item, patron, kind, command, self.configuration)?;
        self.refuse_if_some(refusal);
        Ok(())
    }

    fn title_hold_policy(&mut self) -> Result<(), NotApplicable> {
        if !self.configuration.title_holds_follow_rules || self.command.is_of_consortium() {
            return Ok(());
        }
        for copy in &self.context.copies {
            let policy = request_policy(&copy.item, self.context.patron(), self.configuration)?;
            if policy.allows(RequestKind::Hold) {
                return Ok(());
            }
        }
        self.refuse(PlaceRefusal::TitleHoldNotAllowed {
            requester: self.command.requester_id,
            instance: self.title_id(),
        });
        Ok(())
    }

    /// What is on the shelf is paged, not held or recalled.
    fn pageable_copies(&mut self) -> Result<(), NotApplicable> {
        let waits = [Some(RequestKind::Hold), Some(RequestKind::Recall)];
        let grouped = self
            .context
            .patron()
            .is_some_and(|patron| patron.patron_group.is_some());
        if !self.command.is_title_level() || !waits.contains(&self.command.kind()) || !grouped {
            return Ok(());
        }
        let copies = title::pageable(self.context, self.configuration)?;
        if let Some(copy) = copies.first() {
            self.refuse(PlaceRefusal::PageableItemFound {
                item: copy.item.id,
                instance: self.title_id(),
            });
        }
        Ok(())
    }
}

/// What speaks against the service point where the item is to be fetched.
fn pickup_service_point(
    command: &PlaceCommand,
    configuration: &Configuration,
) -> Option<PlaceRefusal> {
    let Some(id) = command.pickup_service_point_id else {
        return command
            .is_for_hold_shelf()
            .then_some(PlaceRefusal::NoPickupServicePoint(command.id));
    };
    match configuration.service_point(Some(id)) {
        None => Some(PlaceRefusal::NoSuchServicePoint(id)),
        Some(found) if found.pickup_location != Some(true) => {
            Some(PlaceRefusal::NotAPickupLocation(id))
        }
        Some(_) => None,
    }
}

/// The requester waits already: for the item, for its title, or for a copy of the title. A request that is
/// `moving` to another item is compared with those for that item only.
fn already_requested(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    moving: bool,
) -> Option<PlaceRefusal> {
    let (requester, item) = (command.requester_id, command.item_id);
    let instance = command.instance_id.or(context.item_title);
    let titles = configuration.title_level_requests;
    let same = |queued: &&QueuedRequest| {
        let request = &queued.request;
        let for_item = request.item_id.is_some() && request.item_id == item;
        requester.is_some()
            && request.requester_id == requester
            && match (titles && command.is_title_level(), moving) {
                (true, false) => true,
                (true, true) => for_item,
                (false, _) if titles && request.is_title_level() => request.instance_id == instance,
                (false, _) => for_item,
            }
    };
    let queue = context.queue(item, configuration);
    let found = queue.requests().find(same)?;
    let duplicate = match (command.is_title_level(), found.request.is_title_level()) {
        (true, true) if moving => Duplicate::MovedToSameItem {
            requester,
            instance,
        },
        (true, true) => Duplicate::Title {
            requester,
            instance,
        },
        (true, false) => Duplicate::ItemOfTitle {
            requester,
            instance,
        },
        (false, _) => Duplicate::Item {
            requester,
            item,
            request: command.id,
        },
    };
    Some(PlaceRefusal::AlreadyRequested(duplicate))
}

/// What the request policy has against the type, or against the service point.
fn policy_refusal(
    item: &Item,
    patron: Option<&Patron>,
    kind: Option<RequestKind>,
    command: &PlaceCommand,
    configuration: &Configuration,
) -> Result<Option<PlaceRefusal>, NotApplicable> {
    let policy = request_policy(item, patron, configuration)?;
    let Some(kind) = kind.filter(|kind| policy.allows(*kind)) else {
        return Ok(Some(PlaceRefusal::KindNotAllowed(kind)));
    };
    let service_point = command.pickup_service_point_id;
    let allowed = !command.is_for_hold_shelf() || policy.allows_service_point(kind, service_point);
    Ok((!allowed).then_some(PlaceRefusal::ServicePointNotAllowed {
        service_point,
        kind,
        policy: policy.id,
    }))
}
