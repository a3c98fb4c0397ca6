//! Taking an item back (docs/folio/check-in.md).
//!
//! The first thing that speaks against it ends the check-in. Otherwise the loan, if there is one, is
//! closed, the item goes to the request that waits for it, to its shelf or on its way there, and the
//! check-in is recorded.

mod command;
pub mod in_transit;
mod refusal;

use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

pub use command::{CheckInCommand, Resolution};
pub use refusal::CheckInRefusal;

use crate::{
    configuration::{Configuration, Location, NotApplicable},
    dates::{computed, stored},
    fees::{
        changes::{Cause, FeeChanges, FeeSubject},
        overdue_fine,
    },
    loans::use_at_location::{FOR_USE_AT_LOCATION, Usage, Use, is_used_at_location},
    lost_items::charges::{self, Comeback, LostFees},
    records::{Instance, Item, ItemStatus, Loan, LoanStatus, Patron, QueuedRequest, RequestStatus},
    requests::{
        fulfilment::{Fulfilment, NotFulfilled, fulfil},
        queue::{Desk, Moved, Queue},
    },
};

/// Statuses of lost items.
const LOST: [&str; 3] = ["Declared lost", "Aged to lost", "Lost and paid"];

/// What was read to decide about a return.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckInContext {
    /// The item with that barcode.
    pub item: Option<Item>,
    /// What it is a copy of.
    pub instance: Instance,
    /// Its open loan.
    pub loan: Option<Loan>,
    /// Who has borrowed it.
    pub borrower: Option<Patron>,
    /// Its last loan, when none is open.
    pub last_loan: Option<LastLoan>,
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// Who is at the desk.
    pub operator: Option<Patron>,
    /// What the item has cost, if it was lost.
    pub lost_fees: LostFees,
}

/// The last loan of an item that is not out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LastLoan {
    /// The loan.
    pub id: Uuid,
    /// The item was declared, or aged to, lost during it.
    pub was_lost: bool,
    /// The record.
    pub loan: Loan,
}

/// Why an item is not taken back.
#[derive(Debug, Clone, PartialEq)]
pub enum NotTaken {
    /// What speaks against it.
    Refused(CheckInRefusal),
    /// The circulation rules could not be applied: FOLIO's text of a 500.
    RulesFailed(String),
}

impl From<CheckInRefusal> for NotTaken {
    fn from(refusal: CheckInRefusal) -> Self {
        NotTaken::Refused(refusal)
    }
}

impl From<NotApplicable> for NotTaken {
    fn from(NotApplicable(text): NotApplicable) -> Self {
        NotTaken::RulesFailed(text)
    }
}

impl From<NotFulfilled> for NotTaken {
    fn from(fault: NotFulfilled) -> Self {
        NotTaken::Refused(CheckInRefusal::NotFulfilled(fault))
    }
}

/// A decided return: everything that is to be written, but for ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Return {
    /// The item as it is from now on.
    pub item: Item,
    /// The item's status before.
    pub status_before: String,
    /// The loan as it is from now on, closed.
    pub loan: Option<Loan>,
    /// The request that gets the item.
    pub fulfilled: Option<Fulfilment>,
    /// The requests that get another position.
    pub moved: Vec<Moved>,
    /// Number of open requests.
    pub queue_length: usize,
    /// The item was used in the library and not lent.
    pub in_house_use: bool,
    /// What happens to fees and fines.
    pub fees: FeeChanges,
    /// Told to the client although everything is written: the item was lost, but no loan says so.
    pub afterwards: Option<CheckInRefusal>,
}

/// Decides about a return.
///
/// # Errors
/// [`NotTaken`].
pub fn decide(
    context: &CheckInContext,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Result<Return, NotTaken> {
    let item = context.item.as_ref().ok_or(CheckInRefusal::ItemNotFound)?;
    refuse_intellectual_item(item, context, configuration)?;
    refuse_unresolved_claim(item, command)?;
    let titles = configuration.title_level_requests;
    let queue = Queue::new(context.requests.clone(), item.id, titles);
    let instance = context.instance.id;
    let head = queue
        .fulfillable_by(item, instance, Desk::CheckIn, configuration)?
        .cloned();
    let fulfilled = head
        .map(|head| fulfil(head, item, command.service_point_id, configuration, now))
        .transpose()?;
    let in_house_use = is_in_house_use(item, &queue, configuration, command);
    let queue_length = queue.len();
    let moved = match &fulfilled {
        Some(fulfilment) => queue
            .ahead_of_unfilled(fulfilment.queued.request.id)
            .moved(),
        None => Vec::new(),
    };
    let returned = item_after(item, fulfilled.as_ref(), configuration, command, now);
    Ok(Return {
        loan: close_loan(context, item, &returned, configuration, command, now),
        afterwards: lost_without_loan(item, context),
        fees: fees(item, context, configuration, command, now),
        status_before: item.status.name.clone(),
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
) -> Result<(), CheckInRefusal> {
    if !item.is("Intellectual item") {
        return Ok(());
    }
    let material_type = configuration.material_type(item.material_type_id);
    Err(CheckInRefusal::IntellectualItem {
        title: context.instance.title.clone(),
        material_type: material_type.unwrap_or("null").to_owned(),
        barcode: item.barcode.clone().unwrap_or_default(),
    })
}

fn refuse_unresolved_claim(item: &Item, command: &CheckInCommand) -> Result<(), CheckInRefusal> {
    match item.is("Claimed returned") && command.resolution.is_none() {
        true => Err(CheckInRefusal::ClaimNotResolved),
        false => Ok(()),
    }
}

fn is_in_house_use(
    item: &Item,
    queue: &Queue,
    configuration: &Configuration,
    command: &CheckInCommand,
) -> bool {
    let location = configuration.location(item.effective_location_id);
    let at_home = location.is_some_and(|l| l.is_served_by(command.service_point_id));
    item.is("Available") && queue.is_empty() && at_home
}

fn item_after(
    item: &Item,
    fulfilled: Option<&Fulfilment>,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Item {
    let location = configuration.location(item.effective_location_id);
    let (status, destination) = match fulfilled {
        Some(fulfilment) => status_for(&fulfilment.queued),
        None => status_at(location, command.service_point_id),
    };
    let mut after = item.clone();
    if after.status.name != status {
        after.status = ItemStatus {
            name: status.to_owned(),
            date: Some(stored(now).to_string()),
        };
    }
    after.in_transit_destination_service_point_id = destination;
    after.last_check_in = Some(crate::records::LastCheckIn {
        date_time: Some(stored(now).to_string()),
        service_point_id: Some(command.service_point_id),
        staff_member_id: Some(command.operator),
    });
    after
}

fn status_for(queued: &QueuedRequest) -> (&'static str, Option<Uuid>) {
    let request = &queued.request;
    if request.is(RequestStatus::AwaitingDelivery) {
        ("Awaiting delivery", None)
    } else if request.is(RequestStatus::AwaitingPickup) {
        ("Awaiting pickup", None)
    } else {
        ("In transit", request.pickup_service_point_id)
    }
}

fn status_at(location: Option<&Location>, service_point: Uuid) -> (&'static str, Option<Uuid>) {
    match location {
        Some(location) if location.is_served_by(service_point) => ("Available", None),
        location => ("In transit", location.and_then(|l| l.primary_service_point)),
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
    let action = match command.resolution.filter(|_| item.is("Claimed returned")) {
        Some(Resolution::FoundByLibrary) => "checkedInFoundByLibrary",
        Some(Resolution::ReturnedByPatron) => "checkedInReturnedByPatron",
        None => "checkedin",
    };
    loan.set_status(LoanStatus::Closed);
    loan.set("action", action);
    loan.remove("actionComment");
    loan.set(
        "returnDate",
        computed(command.check_in_date.timestamp).to_string(),
    );
    loan.set("systemReturnDate", stored(now).to_string());
    loan.set("checkinServicePointId", json!(command.service_point_id));
    loan.set("itemStatus", returned.status.name.clone());
    loan.remove("agedToLostDelayedBilling");
    if configuration.use_at_location && is_used_at_location(&loan) {
        loan.set(
            FOR_USE_AT_LOCATION,
            Use::begun(Usage::Returned, now).stored(),
        );
    }
    Some(loan)
}

/// Fees of a lost item are given back; being late costs what it costs (docs/folio/check-in.md#fees-at-check-in).
fn fees(
    item: &Item,
    context: &CheckInContext,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> FeeChanges {
    let cause = Cause::at(context.operator.as_ref(), Some(command.service_point_id));
    let last = context.last_loan.as_ref().filter(|last| last.was_lost);
    let lost = context.loan.as_ref().or(last.map(|last| &last.loan));
    let mut changes = match lost.filter(|_| LOST.contains(&item.status.name.as_str())) {
        Some(loan) => charges::give_back(
            Comeback::Returned,
            &context.lost_fees,
            loan,
            &cause,
            configuration,
            now,
        ),
        None => FeeChanges::default(),
    };
    if let Some(loan) = &context.loan {
        let mut loan = loan.clone();
        let returned = command.check_in_date.timestamp;
        loan.set("returnDate", computed(returned).to_string());
        let subject = FeeSubject {
            loan: &loan,
            item,
            instance: &context.instance,
            borrower: context.borrower.as_ref(),
        };
        let found = command.resolution == Some(Resolution::FoundByLibrary);
        let returned = (returned, found);
        let fine = overdue_fine::at_return(subject, returned, &cause, configuration, now);
        changes.add(FeeChanges::charge(fine));
    }
    changes
}

/// FOLIO looks for the lost loan of a lost item after everything is written.
fn lost_without_loan(item: &Item, context: &CheckInContext) -> Option<CheckInRefusal> {
    if !LOST.contains(&item.status.name.as_str()) || context.loan.is_some() {
        return None;
    }
    match &context.last_loan {
        None => Some(CheckInRefusal::LostWithoutLoan(item.id)),
        Some(loan) if !loan.was_lost => Some(CheckInRefusal::LastLoanNotLost(loan.id)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
