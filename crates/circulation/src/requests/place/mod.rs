//! Placing a request (docs/folio/requests.md#placing-a-request): runs all checks in order and reports all refusals
//! together, then sets the item, the position and the copied members of the record.

mod checks;
mod command;
pub(crate) mod refusal;
mod title;

use jiff::{Timestamp, tz::TimeZone};
use refusals::Refused;

pub(crate) use checks::{refuse_incomplete, refuse_move};
pub use command::PlaceCommand;

use super::{RequestChange, RequestContext, RequestDeed, copies, kind::RequestKind};
use crate::{
    blocks::BlockKind,
    configuration::Configuration,
    dates::end_of_day_of,
    records::{Item, ItemStatus, Loan, Patron, Request},
    requests::recall::recall,
};

/// The item chosen for a request, and its open loan.
#[derive(Debug, Clone, Default)]
pub(crate) struct Target {
    pub item: Option<Item>,
    pub loan: Option<Loan>,
    pub borrower: Option<Patron>,
}

/// Decides on a new request.
pub fn decide(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<RequestChange, Refused> {
    command.refuse_odd_values(configuration.title_level_requests)?;
    let (kind, target) = checks::admit(context, configuration, command, now)?;
    let mut change = placed(context, configuration, command, kind, &target);
    recall_loan(&mut change, Some(kind), &target, configuration, now)?;
    Ok(change)
}

/// Applies a recall to the loan of the requested item.
pub(crate) fn recall_loan(
    change: &mut RequestChange,
    kind: Option<RequestKind>,
    target: &Target,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<(), Refused> {
    let (Some(RequestKind::Recall), Some(item), Some(loan), Some(borrower)) =
        (kind, &target.item, &target.loan, &target.borrower)
    else {
        return Ok(());
    };
    if let Some(recalled) = recall(loan, item, borrower, configuration, now)? {
        change.loan = Some(recalled);
        change.loan_before = Some(loan.clone());
    }
    Ok(())
}

fn placed(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    kind: RequestKind,
    target: &Target,
) -> RequestChange {
    let item = target.item.clone();
    let queue = context.queue(item.as_ref().map(|item| item.id), configuration);
    let mut request = command.request.clone();
    request.set_position(request.is_open().then(|| queue.next_place()));
    fill_expiration(&mut request, configuration.zone());
    fill_ids(&mut request, context, item.as_ref());
    copies::fill(&mut request, context, item.as_ref(), configuration);
    let paged =
        item.as_ref().filter(|item| kind == RequestKind::Page && item.is(ItemStatus::Available));
    let mut relied_on: Vec<Item> = context.copies.iter().map(|c| c.item.clone()).collect();
    if relied_on.is_empty() {
        relied_on.extend(item.clone());
    }
    RequestChange {
        deed: RequestDeed::Made,
        request,
        items: paged.map(|item| (item.clone(), ItemStatus::Paged)).into_iter().collect(),
        relied_on,
        moved: queue.moved(),
        item,
        loan: target.loan.clone(),
        loan_before: None,
        through_override: command.overrides.requests(BlockKind::Patron),
    }
}

fn fill_ids(request: &mut Request, context: &RequestContext, item: Option<&Item>) {
    if request.level().is_none() {
        request.set_level("Item");
    }
    if let Some(title) = &context.title {
        request.set_instance_id(title.id());
    }
    if let Some(item) = item {
        request.set_item_id(item.id);
        request.set_holdings_record_id(item.holdings_record_id);
    }
}

/// Moves the expiration to the end of the day.
pub(crate) fn fill_expiration(request: &mut Request, zone: &TimeZone) {
    let end = request.expiration_date().and_then(|moment| end_of_day_of(moment, zone));
    if let Some(end) = end {
        request.set_expiration_date(end);
    }
}

#[cfg(test)]
mod tests;
