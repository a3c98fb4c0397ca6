//! Changing, cancelling, deleting and moving a request that is stored (docs/folio/requests.md#changing-a-request). The
//! first thing that speaks against it ends the change.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    RequestChange, RequestContext, RequestDeed, copies,
    kind::RequestKind,
    place::{self, NotPlaced, PlaceCommand, Target},
    queue::{Moved, Queue},
};
use crate::{
    blocks::Granted,
    configuration::Configuration,
    records::{Item, RequestRecord},
    refusal::Told,
};

/// Why a stored request is not changed.
#[derive(Debug, Clone, PartialEq)]
pub enum NotChanged {
    /// There is no such request.
    Unknown,
    /// What speaks against it.
    Refused(ChangeRefusal),
    /// What would speak against a new request, too.
    Placement(NotPlaced),
}

/// A reason not to change a stored request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeRefusal {
    /// It is over.
    AlreadyClosed(Uuid),
    /// Nobody rewrites what the patron has said.
    CommentsChanged(Option<String>),
    /// The destination is a copy of another title.
    OtherTitle {
        /// The destination.
        item: Option<Uuid>,
        /// Its title.
        instance: Option<Uuid>,
    },
    /// A request for a title, where titles cannot be asked for any more.
    TitlesDisabled(Uuid),
    /// A hold of a title waits for no item in particular.
    HoldOfTitle(Uuid),
}

impl<P: Into<NotPlaced>> From<P> for NotChanged {
    fn from(fault: P) -> Self {
        NotChanged::Placement(fault.into())
    }
}

impl ChangeRefusal {
    /// The refusal as clients see it.
    pub fn told(&self) -> Told {
        match self {
            Self::AlreadyClosed(id) => Told::new("The Request has already been closed")
                .code("REQUEST_ALREADY_CLOSED")
                .about("id", Some(*id)),
            Self::CommentsChanged(comments) => {
                Told::new("Patron comments are not allowed to change")
                    .about("existingPatronComments", comments.clone())
            }
            Self::OtherTitle { item, instance } => {
                Told::new("Request can only be moved to an item with the same instance ID")
                    .about("itemId", *item)
                    .about("instanceId", *instance)
            }
            Self::TitlesDisabled(id) => Told::new("Can not process TLR - TLR feature is disabled")
                .about("requestId", Some(*id)),
            Self::HoldOfTitle(id) => {
                Told::new("Not allowed to move from/to Hold TLR").about("requestId", Some(*id))
            }
        }
    }
}

/// Replaces a request by what a client wrote; an unknown one is placed.
///
/// # Errors
/// [`NotChanged`].
pub fn replace(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Result<RequestChange, NotChanged> {
    let Some(existing) = &context.existing else {
        return place::decide(context, configuration, command, now).map_err(first_only);
    };
    command.refuse_odd_values(configuration.title_level_requests)?;
    place::refuse_incomplete(context, configuration, command, now).map_err(first_only)?;
    let stored = read(existing);
    refuse_change(existing, &stored, command)?;
    let mut record = command.record.clone();
    if let Some(item) = &context.item {
        record.insert("holdingsRecordId".into(), json!(item.holdings_record_id));
    }
    command.fill_expiration(&mut record, configuration.zone());
    copies::fill(&mut record, context, context.item.as_ref(), configuration);
    let open = read(&record).is_open();
    let moved = settle_position(&mut record, context, &stored, open, configuration);
    let mut change = unchanged(RequestDeed::Changed, record, context);
    change.moved = moved;
    change.items = match (open, command.kind()) {
        (true, Some(RequestKind::Page)) => paged(context.item.as_ref()),
        (true, _) => Vec::new(),
        (false, _) => released(context.item.as_ref(), context, stored.id),
    };
    Ok(change)
}

/// Deletes a request; the others of its queue move up.
///
/// # Errors
/// [`NotChanged::Unknown`].
pub fn delete(
    context: &RequestContext,
    configuration: &Configuration,
) -> Result<RequestChange, NotChanged> {
    let existing = context.existing.as_ref().ok_or(NotChanged::Unknown)?;
    let stored = read(existing);
    let mut change = unchanged(RequestDeed::Deleted, existing.clone(), context);
    if stored.is_open() {
        change.moved = queue_of(context, &stored, configuration)
            .without(stored.id)
            .moved();
        if stored.is_page() {
            change.items = released(context.item.as_ref(), context, stored.id);
        }
    }
    Ok(change)
}

/// Where a request goes to.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveCommand {
    /// The type it is to have there; the present one by default.
    pub kind: Option<String>,
    /// The item.
    pub destination: Option<Uuid>,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

/// Moves a request to the end of another item's queue; it becomes a page when that item is on the shelf.
///
/// # Errors
/// [`NotChanged`].
pub fn relocate(
    context: &RequestContext,
    configuration: &Configuration,
    command: &MoveCommand,
    now: Timestamp,
) -> Result<RequestChange, NotChanged> {
    let (kind, granted) = (command.kind.as_deref(), &command.granted);
    let existing = context.existing.as_ref().ok_or(NotChanged::Unknown)?;
    let stored = read(existing);
    refuse_to_move(&stored, kind, configuration)?;
    let item = of_same_title(context, &stored, command.destination)?;
    let command = moved_command(existing, kind, item, granted)?;
    let refusal = place::refuse_move(context, configuration, &command, item)?;
    if let Some(refusal) = refusal {
        return Err(refusal.into());
    }
    let mut record = command.record.clone();
    copies::fill(&mut record, context, Some(item), configuration);
    let (position, moved) = places(context, &stored, item, configuration);
    record.insert("position".into(), position.into());
    let mut change = unchanged(RequestDeed::Changed, record, context);
    change.moved = moved;
    change.item = Some(item.clone());
    change.relied_on = vec![item.clone()];
    if command.kind() == Some(RequestKind::Page) {
        change.items = paged(Some(item));
    }
    let source = context
        .source
        .as_ref()
        .filter(|source| source.id != item.id);
    change.items.extend(released(source, context, stored.id));
    let target = Target {
        item: Some(item.clone()),
        loan: context.loan.clone(),
        borrower: context.borrower.clone(),
    };
    place::recall_loan(&mut change, command.kind(), &target, configuration, now)?;
    Ok(change)
}

fn read(record: &Map<String, Value>) -> RequestRecord {
    serde_json::from_value(Value::Object(record.clone())).unwrap_or_default()
}

/// Of what speaks against a new request only the first is told.
fn first_only(fault: NotPlaced) -> NotChanged {
    NotChanged::Placement(match fault {
        NotPlaced::Refused(mut refusals) => {
            refusals.truncate(1);
            NotPlaced::Refused(refusals)
        }
        failed => failed,
    })
}

fn refuse_change(
    existing: &Map<String, Value>,
    stored: &RequestRecord,
    command: &PlaceCommand,
) -> Result<(), NotChanged> {
    let comments = existing.get("patronComments").and_then(Value::as_str);
    if comments != command.text("patronComments") {
        let comments = comments.map(str::to_owned);
        return Err(NotChanged::Refused(ChangeRefusal::CommentsChanged(
            comments,
        )));
    }
    match stored.is_open() {
        true => Ok(()),
        false => Err(NotChanged::Refused(ChangeRefusal::AlreadyClosed(stored.id))),
    }
}

/// The request keeps its place while it is open, and leaves the queue when it closes.
fn settle_position(
    record: &mut Map<String, Value>,
    context: &RequestContext,
    stored: &RequestRecord,
    open: bool,
    configuration: &Configuration,
) -> Vec<Moved> {
    record.shift_remove("position");
    if open {
        record.extend(
            stored
                .position
                .map(|place| ("position".to_owned(), json!(place))),
        );
        return Vec::new();
    }
    let queue = queue_of(context, stored, configuration);
    queue.without(stored.id).moved()
}

fn queue_of(
    context: &RequestContext,
    stored: &RequestRecord,
    configuration: &Configuration,
) -> Queue {
    context.queue(stored.item_id, configuration)
}

fn unchanged(
    deed: RequestDeed,
    request: Map<String, Value>,
    context: &RequestContext,
) -> RequestChange {
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

/// An item on the shelf is paged.
fn paged(item: Option<&Item>) -> Vec<(Item, &'static str)> {
    let on_shelf = item.filter(|item| item.is("Available"));
    on_shelf
        .map(|item| (item.clone(), "Paged"))
        .into_iter()
        .collect()
}

/// A paged item that nobody else waits for is available again.
fn released(
    item: Option<&Item>,
    context: &RequestContext,
    request: Uuid,
) -> Vec<(Item, &'static str)> {
    let waits = |item: &Item| {
        let mut others = context.requests.iter().map(|queued| &queued.request);
        others.any(|other| other.id != request && other.item_id == Some(item.id))
    };
    let free = item.filter(|item| item.is("Paged") && !waits(item));
    free.map(|item| (item.clone(), "Available"))
        .into_iter()
        .collect()
}

fn refuse_to_move(
    stored: &RequestRecord,
    kind: Option<&str>,
    configuration: &Configuration,
) -> Result<(), NotChanged> {
    let hold = RequestKind::Hold.name();
    let refusal = if !stored.is_open() {
        ChangeRefusal::AlreadyClosed(stored.id)
    } else if !stored.is_title_level() {
        return Ok(());
    } else if !configuration.title_level_requests {
        ChangeRefusal::TitlesDisabled(stored.id)
    } else if stored.is_hold() || kind.is_some_and(|kind| kind.eq_ignore_ascii_case(hold)) {
        ChangeRefusal::HoldOfTitle(stored.id)
    } else {
        return Ok(());
    };
    Err(NotChanged::Refused(refusal))
}

fn of_same_title<'c>(
    context: &'c RequestContext,
    stored: &RequestRecord,
    destination: Option<Uuid>,
) -> Result<&'c Item, NotChanged> {
    let item = context
        .item
        .as_ref()
        .filter(|item| Some(item.id) == destination);
    let same = context.item_title == stored.instance_id;
    item.filter(|_| same)
        .ok_or(NotChanged::Refused(ChangeRefusal::OtherTitle {
            item: destination,
            instance: item.and(context.item_title),
        }))
}

/// The stored request as if it were asked of the destination.
fn moved_command(
    existing: &Map<String, Value>,
    kind: Option<&str>,
    item: &Item,
    granted: &Granted,
) -> Result<PlaceCommand, NotChanged> {
    let mut record = existing.clone();
    if let Some(kind) = kind {
        record.insert("requestType".into(), kind.into());
    }
    if item.is("Available") {
        record.insert("requestType".into(), RequestKind::Page.name().into());
    }
    record.insert("itemId".into(), json!(item.id));
    record.insert("holdingsRecordId".into(), json!(item.holdings_record_id));
    PlaceCommand::read(Value::Object(record), granted.clone()).map_err(|_| NotChanged::Unknown)
}

/// The place of a request that moves to `item`, and the others that get another one.
fn places(
    context: &RequestContext,
    stored: &RequestRecord,
    item: &Item,
    configuration: &Configuration,
) -> (usize, Vec<Moved>) {
    let left = queue_of(context, stored, configuration).without(stored.id);
    if configuration.title_level_requests || stored.item_id == Some(item.id) {
        return (left.next_place(), left.moved());
    }
    let joined = context.queue(Some(item.id), configuration);
    let mut moved = left.moved();
    moved.extend(joined.moved());
    (joined.next_place(), moved)
}

#[cfg(test)]
mod tests;
