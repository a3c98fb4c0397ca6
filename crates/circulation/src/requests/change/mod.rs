//! Changing, cancelling, deleting and moving a stored request (docs/folio/requests.md#changing-a-request). The first
//! refusal ends the change.

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use uuid::Uuid;

use super::{
    RequestChange, RequestContext, RequestDeed, copies,
    kind::RequestKind,
    place::{self, PlaceCommand, Target},
    queue::{Moved, Queue},
    refusal::{ALREADY_CLOSED, COMMENTS_CHANGED, HOLD_OF_TITLE, NO_SUCH_REQUEST, OTHER_TITLE, TITLES_DISABLED},
};
use crate::{
    blocks::Granted,
    configuration::Configuration,
    records::{Item, ItemStatus, Request},
};

/// Replaces a request with the client's version; places it if it does not exist yet.
pub fn replace(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<RequestChange, Refused> {
    let Some(existing) = &context.existing else {
        return place::decide(context, configuration, command, now).map_err(first_only);
    };
    command.refuse_odd_values(configuration.title_level_requests)?;
    place::refuse_incomplete(context, configuration, command, now).map_err(first_only)?;
    refuse_change(existing, command)?;
    let mut request = command.request.clone();
    if let Some(item) = &context.item {
        request.set_holdings_record_id(item.holdings_record_id);
    }
    place::fill_expiration(&mut request, configuration.zone());
    copies::fill(&mut request, context, context.item.as_ref(), configuration);
    let open = request.is_open();
    // An open request keeps its position; a closed one leaves the queue.
    request.set_position(existing.position().filter(|_| open));
    let mut change = unchanged(RequestDeed::Changed, request, context);
    if !open {
        change.moved = queue_of(context, existing, configuration).without(existing.id()).moved();
    }
    change.items = match (open, command.kind()) {
        (true, Some(RequestKind::Page)) => paged(context.item.as_ref()),
        (true, _) => Vec::new(),
        (false, _) => released(context.item.as_ref(), context, existing.id()),
    };
    Ok(change)
}

/// Deletes a request; the others in its queue move up.
///
/// # Errors
/// [`NO_SUCH_REQUEST`].
pub fn delete(context: &RequestContext, configuration: &Configuration) -> Result<RequestChange, Refused> {
    let existing = context.existing.as_ref().ok_or(NO_SUCH_REQUEST)?;
    let mut change = unchanged(RequestDeed::Deleted, existing.clone(), context);
    if existing.is_open() {
        change.moved = queue_of(context, existing, configuration).without(existing.id()).moved();
        if existing.is_page() {
            change.items = released(context.item.as_ref(), context, existing.id());
        }
    }
    Ok(change)
}

/// A move to another item.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveCommand {
    /// Request type after the move; the current type if absent.
    pub kind: Option<String>,
    /// ID of the destination item.
    pub destination: Option<Uuid>,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

/// Moves a request to the end of another item's queue; it becomes a page if that item is available.
pub fn relocate(
    context: &RequestContext,
    configuration: &Configuration,
    command: &MoveCommand,
    now: Timestamp,
) -> Result<RequestChange, Refused> {
    let (kind, granted) = (command.kind.as_deref(), &command.granted);
    let existing = context.existing.as_ref().ok_or(NO_SUCH_REQUEST)?;
    refuse_to_move(existing, kind, configuration)?;
    let item = of_same_title(context, existing, command.destination)?;
    let command = moved_command(existing, kind, item, granted)?;
    place::refuse_move(context, configuration, &command, item)?.map_or(Ok(()), Err)?;
    let mut request = command.request.clone();
    copies::fill(&mut request, context, Some(item), configuration);
    let (position, moved) = places(context, existing, item, configuration);
    request.set_position(position);
    let mut change = unchanged(RequestDeed::Changed, request, context);
    change.moved = moved;
    change.item = Some(item.clone());
    change.relied_on = vec![item.clone()];
    if command.kind() == Some(RequestKind::Page) {
        change.items = paged(Some(item));
    }
    let source = context.source.as_ref().filter(|source| source.id != item.id);
    change.items.extend(released(source, context, existing.id()));
    let target = Target { item: Some(item.clone()), loan: context.loan.clone(), borrower: context.borrower.clone() };
    place::recall_loan(&mut change, command.kind(), &target, configuration, now)?;
    Ok(change)
}

/// Keeps only the first refusal of a new request.
fn first_only(mut refused: Refused) -> Refused {
    refused.0.truncate(1);
    refused
}

fn refuse_change(existing: &Request, command: &PlaceCommand) -> Result<(), Refusal> {
    let comments = existing.patron_comments();
    if comments != command.request.patron_comments() {
        return Err(COMMENTS_CHANGED.with("existingPatronComments", comments));
    }
    match existing.is_open() {
        true => Ok(()),
        false => Err(ALREADY_CLOSED.with("id", existing.id())),
    }
}

fn queue_of(context: &RequestContext, stored: &Request, configuration: &Configuration) -> Queue {
    context.queue(stored.item_id(), configuration)
}

fn unchanged(deed: RequestDeed, request: Request, context: &RequestContext) -> RequestChange {
    RequestChange {
        deed,
        request,
        items: Vec::new(),
        relied_on: Vec::new(),
        moved: Vec::new(),
        item: context.item.clone(),
        loan: context.loan.clone(),
        loan_before: None,
        through_override: false,
    }
}

/// An available item becomes paged.
fn paged(item: Option<&Item>) -> Vec<(Item, ItemStatus)> {
    let on_shelf = item.filter(|item| item.is(ItemStatus::Available));
    on_shelf.map(|item| (item.clone(), ItemStatus::Paged)).into_iter().collect()
}

/// A paged item without other requests becomes available.
fn released(item: Option<&Item>, context: &RequestContext, request: Uuid) -> Vec<(Item, ItemStatus)> {
    let waits = |item: &Item| {
        let mut others = context.requests.iter().map(|queued| &queued.request);
        others.any(|other| other.id() != request && other.item_id() == Some(item.id))
    };
    let free = item.filter(|item| item.is(ItemStatus::Paged) && !waits(item));
    free.map(|item| (item.clone(), ItemStatus::Available)).into_iter().collect()
}

fn refuse_to_move(stored: &Request, kind: Option<&str>, configuration: &Configuration) -> Result<(), Refusal> {
    let hold = RequestKind::Hold.name();
    let wording = if !stored.is_open() {
        ALREADY_CLOSED
    } else if !stored.is_title_level() {
        return Ok(());
    } else if !configuration.title_level_requests {
        TITLES_DISABLED
    } else if stored.is_hold() || kind.is_some_and(|kind| kind.eq_ignore_ascii_case(hold)) {
        HOLD_OF_TITLE
    } else {
        return Ok(());
    };
    Err(wording.with("id", stored.id()).with("requestId", stored.id()))
}

fn of_same_title<'c>(
    context: &'c RequestContext,
    stored: &Request,
    destination: Option<Uuid>,
) -> Result<&'c Item, Refusal> {
    let item = context.item.as_ref().filter(|item| Some(item.id) == destination);
    let same = context.item_title == stored.instance_id();
    item.filter(|_| same).ok_or_else(|| {
        let refusal = OTHER_TITLE.with("itemId", destination);
        refusal.with("instanceId", item.and(context.item_title))
    })
}

/// The stored request as a command for the destination item.
fn moved_command(
    existing: &Request,
    kind: Option<&str>,
    item: &Item,
    granted: &Granted,
) -> Result<PlaceCommand, Refusal> {
    let mut request = existing.clone();
    if let Some(kind) = kind {
        request.set_kind(kind);
    }
    if item.is(ItemStatus::Available) {
        request.set_kind(RequestKind::Page.name());
    }
    request.set_item_id(item.id);
    request.set_holdings_record_id(item.holdings_record_id);
    PlaceCommand::read(request.into_record().into(), granted.clone()).map_err(|_| NO_SUCH_REQUEST.into())
}

/// The position of a request that moves to `item`, and the other requests that change position.
fn places(context: &RequestContext, stored: &Request, item: &Item, configuration: &Configuration) -> (i64, Vec<Moved>) {
    let left = queue_of(context, stored, configuration).without(stored.id());
    if configuration.title_level_requests || stored.item_id() == Some(item.id) {
        return (left.next_place(), left.moved());
    }
    let joined = context.queue(Some(item.id), configuration);
    let mut moved = left.moved();
    moved.extend(joined.moved());
    (joined.next_place(), moved)
}

#[cfg(test)]
mod tests;
