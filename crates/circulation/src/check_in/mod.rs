//! Check-in (docs/folio/check-in.md).
//!
//! The first refusal ends the check-in. Otherwise it closes the open loan, if any, routes the item to the request
//! waiting for it, to its shelf or into transit, and records the check-in.

mod command;
pub mod in_transit;
pub(crate) mod refusal;

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use serde::Deserialize;
use uuid::Uuid;

pub use command::{CheckInCommand, Resolution};

use crate::{
    configuration::{Configuration, Location},
    dates::stored,
    fees::{
        changes::{Cause, FeeChanges, FeeSubject},
        lost_item::LostFees,
        overdue_fine,
    },
    loans::use_at_location::{Usage, Use, is_used_at_location},
    lost_items::charges::{self, Comeback},
    records::{
        DatedStatus, Instance, Item, ItemStatus, Loan, LoanAction, LoanStatus, Patron, QueuedRequest, RequestStatus,
    },
    refusal::ITEM_BARCODE_NOT_FOUND,
    requests::{
        fulfilment::fulfil,
        queue::{Moved, Purpose, Queue},
        refusal::NO_PICKUP_SERVICE_POINT,
    },
    trace::{Blocker, ClaimBehind, Step, Trace},
};

/// The statuses of a lost item.
const LOST: [ItemStatus; 3] = [ItemStatus::DeclaredLost, ItemStatus::AgedToLost, ItemStatus::LostAndPaid];

/// The records read to decide a check-in.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckInContext {
    /// The item with the requested barcode.
    pub item: Option<Item>,
    /// The instance of the item.
    pub instance: Instance,
    /// The item's open loan.
    pub loan: Option<Loan>,
    /// The patron of the open loan.
    pub borrower: Option<Patron>,
    /// The item's most recent loan, when none is open.
    pub last_loan: Option<Loan>,
    /// Open requests for the item or its instance.
    pub requests: Vec<QueuedRequest>,
    /// The staff user who checks the item in; read only where fees may name one: the loan is overdue or the item is lost.
    pub operator: Option<Patron>,
    /// Fees charged for the item, if it was lost.
    pub lost_fees: LostFees,
    /// How the claim of the open loan was noted. Nothing is decided by it: it is read only to explain.
    pub claim: Option<NotedClaim>,
}

/// The last loan of a lost item, and the fees charged for the item.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct LostItem {
    /// The loan.
    pub loan: Option<Loan>,
    /// Charged to its borrower, or to that of the open loan.
    pub fees: LostFees,
}

/// The loan as it was when a claim was noted, and who noted it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct NotedClaim {
    /// The loan since then.
    pub loan: Loan,
    /// The user who noted it.
    pub by: Option<Patron>,
}

/// Whether an item with this status is lost.
pub(crate) fn is_lost(status: ItemStatus) -> bool {
    LOST.contains(&status)
}

/// A decided check-in: everything to write, except ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Return {
    /// The updated item.
    pub item: Item,
    /// The item's status before the check-in.
    pub status_before: &'static str,
    /// The loan, closed; absent when none was open.
    pub loan: Option<Loan>,
    /// The request that receives the item.
    pub fulfilled: Option<QueuedRequest>,
    /// Requests with a new position in the queue.
    pub moved: Vec<Moved>,
    /// The number of open requests in the queue.
    pub queue_length: usize,
    /// Whether the check-in counts as in-house use: an available item without requests came back where it belongs.
    pub in_house_use: bool,
    /// Changes to fees and fines.
    pub fees: FeeChanges,
    /// An error returned although everything is written: the item was lost, but no loan shows it.
    pub afterwards: Option<Refusal>,
}

/// Decides a check-in.
pub fn decide(
    context: &CheckInContext,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Result<Return, Refused> {
    decide_and_note(context, configuration, command, now, Trace::OFF)
}

/// The same, and notes the steps.
pub(crate) fn decide_and_note(
    context: &CheckInContext,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<Return, Refused> {
    let item = context.item.as_ref();
    let item = item.ok_or_else(|| ITEM_BARCODE_NOT_FOUND.with("itemBarcode", &command.item_barcode))?;
    refuse_intellectual_item(item, context, configuration, trace)?;
    refuse_unresolved_claim(item, context, command, trace)?;
    let titles = configuration.title_level_requests;
    let queue = Queue::new(context.requests.clone(), item.id, titles);
    let instance = context.instance.id;
    let head = queue.fulfillable_by(item, instance, Purpose::CheckIn, configuration)?.cloned();
    let fulfilled = head.map(|head| fulfilled(head, item, command, configuration, now, trace)).transpose()?;
    let in_house_use = is_in_house_use(item, &queue, configuration, command);
    let queue_length = queue.len();
    let moved = match &fulfilled {
        Some(fulfilled) => queue.ahead_of_unfilled(fulfilled.request.id()),
        None => Vec::new(),
    };
    let returned = item_after(item, fulfilled.as_ref(), configuration, command, now);
    Ok(Return {
        loan: close_loan(context, item, &returned, configuration, command, now),
        afterwards: lost_without_loan(item, context, trace),
        fees: fees(item, context, configuration, command, now, trace),
        status_before: item.status.name(),
        item: returned,
        fulfilled,
        moved,
        queue_length,
        in_house_use,
    })
}

fn refuse_intellectual_item(
    item: &Item,
    context: &CheckInContext,
    configuration: &Configuration,
    trace: Trace<'_>,
) -> Result<(), Refusal> {
    if !item.is(ItemStatus::IntellectualItem) {
        return Ok(());
    }
    let material_type = configuration.material_type(item.material_type_id);
    let refusal = refusal::INTELLECTUAL_ITEM.with("title", &context.instance.title);
    let refusal = refusal.with("materialType", material_type);
    let refusal = refusal.with("itemBarcode", item.barcode.as_deref().unwrap_or_default());
    let status = ItemStatus::IntellectualItem;
    Err(noted(trace, refusal, || Blocker::ItemStatus { status, since: item.status.date.clone() }))
}

fn refuse_unresolved_claim(
    item: &Item,
    context: &CheckInContext,
    command: &CheckInCommand,
    trace: Trace<'_>,
) -> Result<(), Refusal> {
    match item.is(ItemStatus::ClaimedReturned) && command.resolution.is_none() {
        true => {
            let claim = || Blocker::Claim(Box::new(claim_behind(item, context)));
            Err(noted(trace, refusal::CLAIM_NOT_RESOLVED.into(), claim))
        }
        false => Ok(()),
    }
}

fn claim_behind(item: &Item, context: &CheckInContext) -> ClaimBehind {
    let loan = context.loan.as_ref();
    let noted = context.claim.as_ref();
    ClaimBehind {
        since: item.status.date.clone(),
        loan: loan.and_then(Loan::id),
        borrower: context.borrower.as_ref().map(|patron| (patron.id, patron.name())),
        due: loan.and_then(Loan::due_date),
        claimed: loan.and_then(Loan::claimed_returned_date),
        by: noted.and_then(|noted| noted.by.as_ref()).map(Patron::name),
        comment: noted.and_then(|noted| noted.loan.action_comment()).map(str::to_owned),
    }
}

/// A refusal, with what caused it noted.
fn noted(trace: Trace<'_>, refusal: Refusal, by: impl FnOnce() -> Blocker) -> Refusal {
    trace.note(|| Step::Refused { refusal: refusal.clone(), by: by() });
    refusal
}

/// The request that gets the item. It names itself when it cannot.
fn fulfilled(
    head: QueuedRequest,
    item: &Item,
    command: &CheckInCommand,
    configuration: &Configuration,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<QueuedRequest, Refusal> {
    let request = head.request.id();
    let service_point = command.service_point_id;
    fulfil(head, item, service_point, configuration, now).map_err(|refusal| {
        let is_about_request = refusal.is(NO_PICKUP_SERVICE_POINT);
        noted(trace, refusal, || match is_about_request {
            true => Blocker::Request(request),
            false => Blocker::NoOpening { service_point, request },
        })
    })
}

fn is_in_house_use(item: &Item, queue: &Queue, configuration: &Configuration, command: &CheckInCommand) -> bool {
    let location = configuration.location(item.effective_location_id);
    let at_home = location.is_some_and(|l| l.is_served_by(command.service_point_id));
    item.is(ItemStatus::Available) && queue.is_empty() && at_home
}

fn item_after(
    item: &Item,
    fulfilled: Option<&QueuedRequest>,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Item {
    let location = configuration.location(item.effective_location_id);
    let (status, destination) = match fulfilled {
        Some(fulfilled) => status_for(fulfilled),
        None => status_at(location, command.service_point_id),
    };
    let mut after = item.clone();
    if !after.is(status) {
        after.status = DatedStatus::since(status, now);
    }
    after.in_transit_destination_service_point_id = destination;
    after.last_check_in = Some(crate::records::LastCheckIn {
        date_time: Some(stored(now).to_string()),
        service_point_id: Some(command.service_point_id),
        staff_member_id: Some(command.operator),
    });
    after
}

fn status_for(queued: &QueuedRequest) -> (ItemStatus, Option<Uuid>) {
    let request = &queued.request;
    if request.is(RequestStatus::AwaitingDelivery) {
        (ItemStatus::AwaitingDelivery, None)
    } else if request.is(RequestStatus::AwaitingPickup) {
        (ItemStatus::AwaitingPickup, None)
    } else {
        (ItemStatus::InTransit, request.pickup_point())
    }
}

fn status_at(location: Option<&Location>, service_point: Uuid) -> (ItemStatus, Option<Uuid>) {
    match location {
        Some(location) if location.is_served_by(service_point) => (ItemStatus::Available, None),
        location => (ItemStatus::InTransit, location.and_then(|l| l.primary_service_point)),
    }
}

fn close_loan(
    context: &CheckInContext,
    item: &Item,
    returned: &Item,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Option<Loan> {
    let mut loan = context.loan.clone()?;
    let action = match command.resolution.filter(|_| item.is(ItemStatus::ClaimedReturned)) {
        Some(Resolution::FoundByLibrary) => LoanAction::CheckedInFoundByLibrary,
        Some(Resolution::ReturnedByPatron) => LoanAction::CheckedInReturnedByPatron,
        None => LoanAction::CheckedIn,
    };
    loan.set_status(LoanStatus::Closed);
    loan.set_action(action);
    loan.set_action_comment(None);
    loan.set_return_date(command.check_in_date.timestamp);
    loan.set_system_return_date(now);
    loan.set_check_in_point(command.service_point_id);
    loan.set_item_status(returned.status.name);
    if item.is(ItemStatus::AgedToLost) {
        loan.forget_billing_of_ageing();
    }
    if configuration.use_at_location && is_used_at_location(&loan) {
        loan.set_use_at_location(Use::begun(Usage::Returned, now).stored());
    }
    Some(loan)
}

/// Refunds lost item fees and charges overdue fines (docs/folio/check-in.md#fees-at-check-in).
fn fees(
    item: &Item,
    context: &CheckInContext,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> FeeChanges {
    let cause = Cause::at(context.operator.as_ref(), Some(command.service_point_id));
    let last = context.last_loan.as_ref().filter(|last| last.lost_since().is_some());
    let lost = context.loan.as_ref().or(last);
    let mut changes = match lost.filter(|_| item.is_any_of(&LOST)) {
        Some(loan) => charges::refund(Comeback::Returned, &context.lost_fees, loan, &cause, configuration, now),
        None => FeeChanges::default(),
    };
    if let Some(loan) = &context.loan {
        let mut loan = loan.clone();
        let returned = command.check_in_date.timestamp;
        loan.set_return_date(returned);
        let subject =
            FeeSubject { loan: &loan, item, instance: &context.instance, borrower: context.borrower.as_ref() };
        let found = command.resolution == Some(Resolution::FoundByLibrary);
        let returned = (returned, found);
        let fine = overdue_fine::at_return(subject, returned, &cause, configuration, now, trace);
        changes.add(FeeChanges::charge(fine));
    }
    changes
}

/// FOLIO looks for the loan of a lost item only after everything is written.
fn lost_without_loan(item: &Item, context: &CheckInContext, trace: Trace<'_>) -> Option<Refusal> {
    let status = item.status.name.filter(|status| is_lost(*status))?;
    if context.loan.is_some() {
        return None;
    }
    let last = context.last_loan.as_ref();
    let refusal = match last {
        None => refusal::LOST_WITHOUT_LOAN.with("itemId", item.id),
        Some(loan) if loan.lost_since().is_none() => refusal::LAST_LOAN_NOT_LOST.with("loanId", loan.id()),
        Some(_) => return None,
    };
    let (loan, returned) = (last.and_then(Loan::id), last.and_then(Loan::return_date));
    Some(noted(trace, refusal, || Blocker::NoLostLoan { status, loan, returned }))
}

#[cfg(test)]
mod tests;
