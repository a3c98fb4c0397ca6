//! Loan records that clients make and change themselves, beside the desk (docs/folio/loans.md#loan-records-of-clients).

mod refusal;

use jiff::Timestamp;
use uuid::Uuid;

pub use refusal::LoanRefusal;

use crate::{
    configuration::{Configuration, NotApplicable},
    dates::{parse_date_time, stored},
    lost_items::charges::LostFees,
    policies::choice::{Borrowing, choose},
    records::{Instance, Item, Loan, Patron, ProxyRelationship, QueuedRequest, RequestStatus},
    requests::{
        fulfilment::{Fulfilment, NotFulfilled, fulfil},
        queue::{Desk, Moved, Queue},
        recall::{NotRecalled, lend_recalled},
    },
    rules::PolicyKind,
};

/// What was read to decide about a loan record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoanContext {
    /// The loan as it is stored.
    pub existing: Option<Loan>,
    /// Its item.
    pub item: Option<Item>,
    /// What the item is a copy of.
    pub instance: Instance,
    /// Its borrower.
    pub patron: Option<Patron>,
    /// Leave that the borrower gave the proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// Where the item belongs, by itself or by its holdings.
    pub permanent_location: Option<Uuid>,
    /// The type of general notes.
    pub general_note_type: Option<Uuid>,
    /// Who is at the desk.
    pub operator: Option<Patron>,
    /// What the item has cost, if it aged to lost.
    pub lost_fees: LostFees,
}

/// Why a loan record stays as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum NotChanged {
    /// What speaks against the change.
    Refused(LoanRefusal),
    /// The circulation rules could not be applied: FOLIO's text of a 500.
    RulesFailed(String),
}

impl From<LoanRefusal> for NotChanged {
    fn from(refusal: LoanRefusal) -> Self {
        NotChanged::Refused(refusal)
    }
}

impl From<NotApplicable> for NotChanged {
    fn from(NotApplicable(text): NotApplicable) -> Self {
        NotChanged::RulesFailed(text)
    }
}

impl From<NotRecalled> for NotChanged {
    fn from(not_recalled: NotRecalled) -> Self {
        match not_recalled {
            NotRecalled::RulesFailed(text) => NotChanged::RulesFailed(text),
            NotRecalled::NoDueDate {
                cause,
                policy_id,
                policy_name,
            } => NotChanged::Refused(LoanRefusal::NotRecalled {
                cause,
                policy_id,
                policy_name,
            }),
        }
    }
}

impl From<NotFulfilled> for NotChanged {
    fn from(fault: NotFulfilled) -> Self {
        NotChanged::Refused(LoanRefusal::NotFulfilled(fault))
    }
}

/// What a change of a loan record changes.
#[derive(Debug, Clone, PartialEq)]
pub struct LoanChange {
    /// The loan as it is from now on.
    pub loan: Loan,
    /// The item's status from now on, when it changes.
    pub item_status: Option<String>,
    /// The request that the loan fills.
    pub filled: Option<Uuid>,
    /// The request that gets the item.
    pub fulfilled: Option<Fulfilment>,
    /// The requests that get another position.
    pub moved: Vec<Moved>,
}

impl LoanChange {
    fn of(loan: Loan) -> LoanChange {
        LoanChange {
            loan,
            item_status: None,
            filled: None,
            fulfilled: None,
            moved: Vec::new(),
        }
    }
}

/// Decides about a new loan record.
///
/// # Errors
/// [`NotChanged`], the first thing that speaks against it.
pub fn create(
    context: &LoanContext,
    configuration: &Configuration,
    mut loan: Loan,
    now: Timestamp,
) -> Result<LoanChange, NotChanged> {
    let open = is_open(&loan)?;
    refuse_open_without_borrower(&loan, open)?;
    refuse_unknown_service_points(&loan, configuration)?;
    let item = found_item(context, &loan)?;
    refuse_item_that_is_out(item, context, configuration)?;
    refuse_invalid_proxy(context, &loan, now)?;
    let patron = context.patron.as_ref();
    let patron = patron.ok_or_else(|| LoanRefusal::NoSuchPatron(loan.id_of("userId")))?;
    let queue = queue(context, item, configuration);
    let head = queue
        .fulfillable_by(item, context.instance.id, Desk::CheckIn, configuration)?
        .map(|queued| (queued.request.id, queued.request.requester_id));
    if let Some((_, requester)) = head
        && requester != Some(patron.id)
    {
        return Err(LoanRefusal::requested(context, item, patron).into());
    }
    let others = match head {
        Some((filled, _)) => queue.without(filled),
        None => queue,
    };
    complete(&mut loan, item, patron, configuration)?;
    if others.has_recall_of(item.id) {
        lend_recalled(&mut loan, item, patron, configuration, now)?;
    }
    let mut change = LoanChange::of(loan);
    if let Some((request, _)) = head {
        change.filled = Some(request);
        change.moved = others.moved();
    }
    if open {
        change.item_status = Some("Checked out".to_owned());
    }
    change.loan.set("itemStatus", item_status(&change, item));
    Ok(change)
}

/// Decides about another version of a loan record.
///
/// # Errors
/// [`NotChanged`], the first thing that speaks against it.
pub fn replace(
    context: &LoanContext,
    configuration: &Configuration,
    mut loan: Loan,
    now: Timestamp,
) -> Result<LoanChange, NotChanged> {
    let existing = context.existing.as_ref().ok_or(LoanRefusal::NoSuchLoan)?;
    let open = is_open(&loan)?;
    refuse_open_without_borrower(&loan, open)?;
    refuse_unknown_service_points(&loan, configuration)?;
    let service_point = loan.id_of("checkinServicePointId");
    if !open && service_point.is_none() {
        return Err(LoanRefusal::ClosedWithoutServicePoint.into());
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
            close(
                &mut change,
                context,
                item,
                queue,
                service_point,
                configuration,
                now,
            )?;
        }
        None if open && !is_lost_or_claimed(item) => {
            change.item_status = Some("Checked out".to_owned());
        }
        None => {}
    }
    change.item_status = change.item_status.filter(|status| !item.is(status));
    change.loan.set("itemStatus", item_status(&change, item));
    Ok(change)
}

/// Decides about a note on a loan.
///
/// # Errors
/// [`NotChanged`].
pub fn add_info(
    context: &LoanContext,
    action: Option<&str>,
    comment: Option<&str>,
) -> Result<LoanChange, NotChanged> {
    let known = ["patronInfoAdded", "staffInfoAdded"];
    let action = action.filter(|action| known.contains(action));
    let (Some(action), Some(comment)) = (action, comment.filter(|c| !c.trim().is_empty())) else {
        return Err(LoanRefusal::NoInfo.into());
    };
    let mut loan = context.existing.clone().ok_or(LoanRefusal::NoSuchLoan)?;
    loan.set("action", action);
    loan.set("actionComment", comment);
    Ok(LoanChange::of(loan))
}

/// Decides about another due date.
///
/// # Errors
/// [`NotChanged`].
pub fn change_due_date(
    context: &LoanContext,
    configuration: &Configuration,
    due_date: Option<&str>,
) -> Result<LoanChange, NotChanged> {
    let due = due_date
        .and_then(parse_date_time)
        .ok_or(LoanRefusal::NoDueDate)?;
    let mut loan = context.existing.clone().ok_or(LoanRefusal::NoSuchLoan)?;
    if !is_open(&loan)? {
        return Err(LoanRefusal::Closed(loan.id()).into());
    }
    let item = found_item(context, &loan)?;
    refuse_due_date_of(item)?;
    loan.set("dueDate", stored(due).to_string());
    loan.remove("reminders");
    forget_recall(&mut loan, &queue(context, item, configuration));
    Ok(LoanChange::of(loan))
}

/// Decides about a patron's claim to have returned the item.
///
/// # Errors
/// [`NotChanged`].
pub fn claim_returned(
    context: &LoanContext,
    claimed: Option<&str>,
    comment: Option<&str>,
) -> Result<LoanChange, NotChanged> {
    let claimed = claimed
        .and_then(parse_date_time)
        .ok_or(LoanRefusal::NoClaimDate)?;
    let mut loan = context.existing.clone().ok_or(LoanRefusal::NoSuchLoan)?;
    if !is_open(&loan)? {
        return Err(LoanRefusal::Closed(loan.id()).into());
    }
    found_item(context, &loan)?;
    loan.set("action", "claimedReturned");
    loan.set_if_known("actionComment", comment.filter(|c| !c.trim().is_empty()));
    loan.set("claimedReturnedDate", stored(claimed).to_string());
    loan.set("itemStatus", "Claimed returned");
    let mut change = LoanChange::of(loan);
    change.item_status = Some("Claimed returned".to_owned());
    Ok(change)
}

/// The status of a loan as a client wrote it.
pub(crate) fn is_open(loan: &Loan) -> Result<bool, LoanRefusal> {
    let status = loan
        .record
        .get("status")
        .and_then(|status| status["name"].as_str());
    match status {
        Some("Open") => Ok(true),
        Some("Closed") => Ok(false),
        other => Err(LoanRefusal::UnknownStatus(other.map(str::to_owned))),
    }
}

fn refuse_open_without_borrower(loan: &Loan, open: bool) -> Result<(), LoanRefusal> {
    match open && loan.id_of("userId").is_none() {
        true => Err(LoanRefusal::OpenWithoutBorrower),
        false => Ok(()),
    }
}

fn refuse_unknown_service_points(
    loan: &Loan,
    configuration: &Configuration,
) -> Result<(), LoanRefusal> {
    for side in ["In", "Out"] {
        let key = if side == "In" {
            "checkinServicePointId"
        } else {
            "checkoutServicePointId"
        };
        if let Some(text) = loan.text(key)
            && configuration.service_point(loan.id_of(key)).is_none()
        {
            return Err(LoanRefusal::NoSuchServicePoint {
                side,
                key,
                id: text.to_owned(),
            });
        }
    }
    Ok(())
}

pub(crate) fn found_item<'c>(
    context: &'c LoanContext,
    loan: &Loan,
) -> Result<&'c Item, LoanRefusal> {
    let id = || loan.text("itemId").map(str::to_owned);
    context
        .item
        .as_ref()
        .ok_or_else(|| LoanRefusal::NoSuchItem(id()))
}

fn refuse_item_that_is_out(
    item: &Item,
    context: &LoanContext,
    configuration: &Configuration,
) -> Result<(), LoanRefusal> {
    if item.is("Checked out") {
        return Err(LoanRefusal::AlreadyCheckedOut(item.id));
    }
    if item.is("Missing") || item.is("Declared lost") {
        let material_type = configuration.material_type(item.material_type_id);
        return Err(LoanRefusal::status_forbids(context, item, material_type));
    }
    Ok(())
}

fn refuse_invalid_proxy(
    context: &LoanContext,
    loan: &Loan,
    now: Timestamp,
) -> Result<(), LoanRefusal> {
    let Some(proxy) = loan.id_of("proxyUserId") else {
        return Ok(());
    };
    if Some(proxy) == loan.id_of("userId") {
        return Err(LoanRefusal::ProxyForThemselves(proxy));
    }
    let mut relationships = context.proxy_relationships.iter();
    match relationships.any(|relationship| relationship.is_active(now)) {
        true => Ok(()),
        false => Err(LoanRefusal::InvalidProxy(proxy)),
    }
}

fn is_lost_or_claimed(item: &Item) -> bool {
    let kept = ["Declared lost", "Claimed returned", "Aged to lost"];
    kept.contains(&item.status.name.as_str())
}

fn refuse_due_date_of(item: &Item) -> Result<(), LoanRefusal> {
    match is_lost_or_claimed(item) {
        true => Err(LoanRefusal::ItemIs {
            id: item.id,
            status: item.status.name.clone(),
        }),
        false => Ok(()),
    }
}

fn queue(context: &LoanContext, item: &Item, configuration: &Configuration) -> Queue {
    let titles = configuration.title_level_requests;
    Queue::new(context.requests.clone(), item.id, titles)
}

/// Policies and what the patron and the item were at the time.
fn complete(
    loan: &mut Loan,
    item: &Item,
    patron: &Patron,
    configuration: &Configuration,
) -> Result<(), NotApplicable> {
    let borrowing = Borrowing::new(item, Some(patron))?;
    let chosen = choose(PolicyKind::Loan, borrowing, configuration)?;
    for (member, value) in [
        ("loanPolicyId", Some(chosen.id)),
        ("patronGroupIdAtCheckout", patron.patron_group),
        (
            "itemEffectiveLocationIdAtCheckOut",
            item.effective_location_id,
        ),
    ] {
        if loan.text(member).is_none() {
            loan.set_if_known(member, value.map(|id| id.to_string()));
        }
    }
    loan.set("isDcb", patron.is_of_lending_network());
    Ok(())
}

/// What clients of circulation do not see they do not take away either.
fn keep_hidden_members(loan: &mut Loan, existing: &Loan) {
    for member in [
        "patronGroupIdAtCheckout",
        "agedToLostDelayedBilling",
        "metadata",
    ] {
        let kept = existing.record.get(member).cloned();
        loan.set_if_known(member, kept);
    }
}

/// A due date set by hand is no longer the one that a recall set, once nobody waits with a recall.
fn forget_recall(loan: &mut Loan, queue: &Queue) {
    let waits = queue
        .requests()
        .any(|queued| queued.request.is_recall() && queued.request.is(RequestStatus::NotYetFilled));
    let by_recall = loan
        .record
        .get("dueDateChangedByRecall")
        .and_then(|flag| flag.as_bool());
    if !waits && by_recall == Some(true) {
        loan.set("dueDateChangedByRecall", false);
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
) -> Result<(), NotChanged> {
    let head = queue
        .fulfillable_by(item, context.instance.id, Desk::CheckIn, configuration)?
        .cloned();
    let Some(head) = head else {
        change.item_status = Some("Available".to_owned());
        return Ok(());
    };
    // Where the item really goes is decided when it is checked in.
    let status = if head.request.is_delivery() {
        "Awaiting delivery"
    } else {
        "Awaiting pickup"
    };
    change.item_status = Some(status.to_owned());
    let id = head.request.id;
    change.fulfilled = Some(fulfil(head, item, service_point, configuration, now)?);
    change.moved = queue.ahead_of_unfilled(id).moved();
    Ok(())
}

fn item_status(change: &LoanChange, item: &Item) -> String {
    change
        .item_status
        .clone()
        .unwrap_or_else(|| item.status.name.clone())
}

#[cfg(test)]
mod tests;
