//! Loan records that clients create and edit directly (docs/folio/loans.md#loan-records-of-clients).

pub mod refusal;

use jiff::Timestamp;
use refusals::{Refusal, Refused, Wording};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    dates::parse_date_time,
    fees::lost_item::LostFees,
    policy_choice::{Borrowing, choose},
    records::{
        Instance, Item, ItemStatus, Loan, LoanAction, LoanStatus, Patron, ProxyRelationship, QueuedRequest,
        RequestStatus,
    },
    refusal::{PROXY_FOR_THEMSELVES, PROXY_NOT_VALID},
    requests::{
        fulfilment::fulfil,
        queue::{Moved, Purpose, Queue},
        recall::shorten_recalled,
    },
    rules::PolicyKind,
};

/// The records read to decide a change of a loan record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoanContext {
    /// The stored loan; absent for a new one.
    pub existing: Option<Loan>,
    /// Its item.
    pub item: Option<Item>,
    /// The instance of the item.
    pub instance: Instance,
    /// The loan's patron.
    pub patron: Option<Patron>,
    /// The proxy relationships between patron and proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// Open requests for the item or its instance.
    pub requests: Vec<QueuedRequest>,
    /// The permanent location of the item, else of its holdings.
    pub permanent_location: Option<Uuid>,
    /// The id of the note type for general notes.
    pub general_note_type: Option<Uuid>,
    /// The staff user who makes the change.
    pub operator: Option<Patron>,
    /// Fees charged for the item, if it aged to lost.
    pub lost_fees: LostFees,
}

/// A decided change of a loan record.
#[derive(Debug, Clone, PartialEq)]
pub struct LoanChange {
    /// The updated loan.
    pub loan: Loan,
    /// The item's new status; absent if it does not change.
    pub item_status: Option<ItemStatus>,
    /// The request that the loan fills.
    pub filled: Option<Uuid>,
    /// The request that receives the item.
    pub fulfilled: Option<QueuedRequest>,
    /// Requests with a new position in the queue.
    pub moved: Vec<Moved>,
}

impl LoanChange {
    fn of(loan: Loan) -> LoanChange {
        LoanChange { loan, item_status: None, filled: None, fulfilled: None, moved: Vec::new() }
    }
}

/// Decides the creation of a loan record.
///
/// # Errors
/// The first refusal.
pub fn create(
    context: &LoanContext,
    configuration: &Configuration,
    mut loan: Loan,
    now: Timestamp,
) -> Result<LoanChange, Refused> {
    let open = is_open(&loan)?;
    refuse_open_without_borrower(&loan, open)?;
    refuse_unknown_service_points(&loan, configuration)?;
    let item = found_item(context, &loan)?;
    refuse_item_that_is_out(item, context, configuration)?;
    refuse_invalid_proxy(context, &loan, now)?;
    let patron = context.patron.as_ref();
    let patron = patron.ok_or_else(|| refusal::NO_SUCH_PATRON.with("userId", loan.user_id()))?;
    let queue = queue(context, item, configuration);
    let head = queue
        .fulfillable_by(item, context.instance.id, Purpose::CheckIn, configuration)?
        .map(|queued| (queued.request.id(), queued.request.requester_id()));
    if let Some((_, requester)) = head
        && requester != Some(patron.id)
    {
        let refusal = about(refusal::REQUESTED_BY_ANOTHER, context, item);
        let refusal = refusal.with("patron", patron.name());
        return Err(refusal.with("userId", patron.id).into());
    }
    let others = match head {
        Some((filled, _)) => queue.without(filled),
        None => queue,
    };
    complete(&mut loan, item, patron, configuration)?;
    if others.has_recall_of(item.id) {
        shorten_recalled(&mut loan, item, patron, configuration, now)?;
    }
    let mut change = LoanChange::of(loan);
    if let Some((request, _)) = head {
        change.filled = Some(request);
        change.moved = others.moved();
    }
    if open {
        change.item_status = Some(ItemStatus::CheckedOut);
    }
    change.loan.set_item_status(change.item_status.or(item.status.name));
    Ok(change)
}

/// Decides the replacement of a loan record.
///
/// # Errors
/// The first refusal.
pub fn replace(
    context: &LoanContext,
    configuration: &Configuration,
    mut loan: Loan,
    now: Timestamp,
) -> Result<LoanChange, Refused> {
    let existing = context.existing.as_ref().ok_or(refusal::NO_SUCH_LOAN)?;
    let open = is_open(&loan)?;
    refuse_open_without_borrower(&loan, open)?;
    refuse_unknown_service_points(&loan, configuration)?;
    let service_point = loan.check_in_point();
    if !open && service_point.is_none() {
        return Err(refusal::CLOSED_WITHOUT_SERVICE_POINT.into());
    }
    let item = found_item(context, &loan)?;
    if loan.due_date() != existing.due_date() {
        refuse_due_date_of(item)?;
    }
    refuse_invalid_proxy(context, &loan, now)?;
    let queue = queue(context, item, configuration);
    keep_hidden_members(&mut loan, existing);
    if loan.due_date() != existing.due_date() {
        forget_recall(&mut loan, &queue);
    }
    let mut change = LoanChange::of(loan);
    let was_open = is_open(existing).unwrap_or(true);
    match service_point.filter(|_| was_open && !open) {
        Some(service_point) => {
            close(&mut change, context, item, queue, service_point, configuration, now)?;
        }
        None if open && !is_lost_or_claimed(item) => {
            change.item_status = Some(ItemStatus::CheckedOut);
        }
        None => {}
    }
    change.item_status = change.item_status.filter(|status| !item.is(*status));
    change.loan.set_item_status(change.item_status.or(item.status.name));
    Ok(change)
}

/// Decides to add a note to a loan.
pub fn add_info(context: &LoanContext, action: Option<&str>, comment: Option<&str>) -> Result<LoanChange, Refused> {
    let known = [LoanAction::PatronInfoAdded, LoanAction::StaffInfoAdded];
    let action = action.and_then(LoanAction::from_name);
    let action = action.filter(|action| known.contains(action));
    let (Some(action), Some(comment)) = (action, comment.filter(|c| !c.trim().is_empty())) else {
        return Err(refusal::NO_INFO.into());
    };
    let mut loan = context.existing.clone().ok_or(refusal::NO_SUCH_LOAN)?;
    loan.set_action(action);
    loan.set_action_comment(comment);
    Ok(LoanChange::of(loan))
}

/// Decides a change of the due date.
pub fn change_due_date(
    context: &LoanContext,
    configuration: &Configuration,
    due_date: Option<&str>,
) -> Result<LoanChange, Refused> {
    let due = due_date.and_then(parse_date_time).ok_or(refusal::NO_DUE_DATE)?;
    let mut loan = context.existing.clone().ok_or(refusal::NO_SUCH_LOAN)?;
    if !is_open(&loan)? {
        return Err(refusal::CLOSED.with("loanId", loan.id()).into());
    }
    let item = found_item(context, &loan)?;
    refuse_due_date_of(item)?;
    loan.set_due_date(due);
    loan.set_billed_reminders(None);
    forget_recall(&mut loan, &queue(context, item, configuration));
    Ok(LoanChange::of(loan))
}

/// Decides a patron's claim to have returned the item.
pub fn claim_returned(
    context: &LoanContext,
    claimed: Option<&str>,
    comment: Option<&str>,
) -> Result<LoanChange, Refused> {
    let claimed = claimed.and_then(parse_date_time).ok_or(refusal::NO_CLAIM_DATE)?;
    let mut loan = context.existing.clone().ok_or(refusal::NO_SUCH_LOAN)?;
    if !is_open(&loan)? {
        return Err(refusal::CLOSED.with("loanId", loan.id()).into());
    }
    found_item(context, &loan)?;
    loan.set_action(LoanAction::ClaimedReturned);
    if let Some(comment) = comment.filter(|c| !c.trim().is_empty()) {
        loan.set_action_comment(comment);
    }
    loan.set_claimed_returned_date(claimed);
    loan.set_item_status(ItemStatus::ClaimedReturned);
    let mut change = LoanChange::of(loan);
    change.item_status = Some(ItemStatus::ClaimedReturned);
    Ok(change)
}

/// Whether the status that the client sent is open.
pub(crate) fn is_open(loan: &Loan) -> Result<bool, Refusal> {
    let status = loan.status();
    let status = status.ok_or_else(|| refusal::STATUS_UNKNOWN.with("status", loan.status_text()))?;
    Ok(status == LoanStatus::Open)
}

fn refuse_open_without_borrower(loan: &Loan, open: bool) -> Result<(), Refusal> {
    match open && loan.user_id().is_none() {
        true => Err(refusal::OPEN_WITHOUT_BORROWER.into()),
        false => Ok(()),
    }
}

fn refuse_unknown_service_points(loan: &Loan, configuration: &Configuration) -> Result<(), Refusal> {
    let points = [
        ("In", "checkinServicePointId", loan.check_in_point_text(), loan.check_in_point()),
        ("Out", "checkoutServicePointId", loan.check_out_point_text(), loan.check_out_point()),
    ];
    for (side, member, text, id) in points {
        if let Some(text) = text
            && configuration.service_point(id).is_none()
        {
            let refusal = refusal::NO_SUCH_SERVICE_POINT.with("side", side);
            return Err(refusal.about(member, text));
        }
    }
    Ok(())
}

pub(crate) fn found_item<'c>(context: &'c LoanContext, loan: &Loan) -> Result<&'c Item, Refusal> {
    let item = context.item.as_ref();
    item.ok_or_else(|| refusal::NO_SUCH_ITEM.with("itemId", loan.item_id()))
}

fn refuse_item_that_is_out(item: &Item, context: &LoanContext, configuration: &Configuration) -> Result<(), Refusal> {
    if item.is(ItemStatus::CheckedOut) {
        return Err(refusal::ALREADY_CHECKED_OUT.with("itemId", item.id));
    }
    if item.is(ItemStatus::Missing) || item.is(ItemStatus::DeclaredLost) {
        let material_type = configuration.material_type(item.material_type_id);
        let refusal = about(refusal::STATUS_FORBIDS, context, item);
        return Err(refusal.with("materialType", material_type));
    }
    Ok(())
}

/// A refusal that names the item.
fn about(wording: &'static Wording, context: &LoanContext, item: &Item) -> Refusal {
    let refusal = wording.with("title", &context.instance.title);
    let refusal = refusal.with("barcode", &item.barcode);
    let refusal = refusal.with("status", item.status.name());
    refusal.with("itemId", item.id)
}

fn refuse_invalid_proxy(context: &LoanContext, loan: &Loan, now: Timestamp) -> Result<(), Refusal> {
    let Some(proxy) = loan.proxy_user_id() else {
        return Ok(());
    };
    if Some(proxy) == loan.user_id() {
        return Err(PROXY_FOR_THEMSELVES.with("proxyUserId", proxy));
    }
    let mut relationships = context.proxy_relationships.iter();
    match relationships.any(|relationship| relationship.is_active(now)) {
        true => Ok(()),
        false => Err(PROXY_NOT_VALID.with("proxyUserId", proxy)),
    }
}

fn is_lost_or_claimed(item: &Item) -> bool {
    item.is_any_of(&[ItemStatus::DeclaredLost, ItemStatus::ClaimedReturned, ItemStatus::AgedToLost])
}

fn refuse_due_date_of(item: &Item) -> Result<(), Refusal> {
    match is_lost_or_claimed(item) {
        true => {
            let refusal = refusal::ITEM_IS_LOST.with("status", item.status.name());
            Err(refusal.with("itemId", item.id))
        }
        false => Ok(()),
    }
}

fn queue(context: &LoanContext, item: &Item, configuration: &Configuration) -> Queue {
    let titles = configuration.title_level_requests;
    Queue::new(context.requests.clone(), item.id, titles)
}

/// Adds missing properties: the loan policy, and the patron group and item location at check-out.
fn complete(loan: &mut Loan, item: &Item, patron: &Patron, configuration: &Configuration) -> Result<(), Refusal> {
    let borrowing = Borrowing::new(item, Some(patron))?;
    let chosen = choose(PolicyKind::Loan, borrowing, configuration)?;
    loan.set_loan_policy_id(loan.loan_policy_id().unwrap_or(chosen.id));
    loan.set_patron_group_at_check_out(loan.patron_group_at_check_out().or(patron.patron_group));
    loan.set_location_at_check_out(loan.location_at_check_out().or(item.effective_location_id));
    loan.set_is_dcb(patron.is_dcb());
    Ok(())
}

/// Keeps properties that clients of circulation do not see, and so cannot mean to remove.
fn keep_hidden_members(loan: &mut Loan, existing: &Loan) {
    let group = existing.patron_group_at_check_out();
    loan.set_patron_group_at_check_out(group.or(loan.patron_group_at_check_out()));
    loan.set_ageing(existing.ageing().or(loan.ageing()));
    loan.set_metadata(existing.metadata().or(loan.metadata()));
}

/// Clears the mark that a recall changed the due date, if no recall is waiting: the client has set the date.
fn forget_recall(loan: &mut Loan, queue: &Queue) {
    let waits =
        queue.requests().any(|queued| queued.request.is_recall() && queued.request.is(RequestStatus::NotYetFilled));
    if !waits && loan.is_due_by_recall() {
        loan.set_due_by_recall(false);
    }
}

fn close(
    change: &mut LoanChange,
    context: &LoanContext,
    item: &Item,
    queue: Queue,
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<(), Refused> {
    let head = queue.fulfillable_by(item, context.instance.id, Purpose::CheckIn, configuration)?.cloned();
    let Some(head) = head else {
        change.item_status = Some(ItemStatus::Available);
        return Ok(());
    };
    // The check-in decides where the item goes.
    let status = if head.request.is_delivery() { ItemStatus::AwaitingDelivery } else { ItemStatus::AwaitingPickup };
    change.item_status = Some(status);
    let id = head.request.id();
    change.fulfilled = Some(fulfil(head, item, service_point, configuration, now)?);
    change.moved = queue.ahead_of_unfilled(id);
    Ok(())
}

#[cfg(test)]
mod tests;
