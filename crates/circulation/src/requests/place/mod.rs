//! Placing a request (docs/folio/requests.md#placing-a-request): runs all checks in order and reports all refusals
//! together, then sets the item, the position and the copied members of the record.

mod checks;
pub(crate) mod refusal;
mod title;

use jiff::{Timestamp, tz::TimeZone};
use refusals::{Refusal, Refused};
use serde_json::Value;
use uuid::Uuid;

pub(crate) use checks::{refuse_incomplete, refuse_move};

use super::{RequestChange, RequestContext, RequestDeed, copies, kind::RequestKind};
use crate::{
    blocks::{BlockKind, Granted, Overrides},
    configuration::Configuration,
    dates::end_of_day_of,
    records::{Item, ItemStatus, Loan, Patron, Request, RequestStatus},
    refusal::{NOT_AN_OBJECT, not_an_id},
    requests::recall::recall,
    text::text,
    trace::Trace,
};
use refusal::{FULFILMENT_NOT_ALLOWED, LEVEL_NOT_ALLOWED, STATUS_UNKNOWN};

/// Members of a displayed request that are not stored, or that only the server sets.
const SHOWN_ONLY: [&str; 9] = [
    "item",
    "instance",
    "requester",
    "proxy",
    "loan",
    "pickupServicePoint",
    "deliveryAddress",
    "requestProcessingParameters",
    "metadata",
];

/// Members that name other records.
const IDS: [&str; 5] = ["itemId", "instanceId", "requesterId", "proxyUserId", "pickupServicePointId"];

/// Fulfillment preferences.
const FULFILMENTS: [&str; 2] = ["Hold Shelf", "Delivery"];

/// A request, as sent by the client.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceCommand {
    /// The client's record, without display-only members.
    pub request: Request,
    /// The client works with items only: the instance is taken from the item.
    pub knows_items_only: bool,
    /// Blocks to override.
    pub overrides: Overrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

impl PlaceCommand {
    /// Reads a request body.
    ///
    /// # Errors
    /// The first invalid member.
    pub fn read(body: Value, granted: Granted) -> Result<PlaceCommand, Refusal> {
        let Value::Object(mut record) = body else {
            return Err(NOT_AN_OBJECT.into());
        };
        let parameters = record.get("requestProcessingParameters").cloned();
        let overrides = Overrides::read(&parameters.unwrap_or_default()["overrideBlocks"]);
        let knows = |member: &str| record.contains_key(member);
        let knows_items_only = !["requestLevel", "holdingsRecordId", "instanceId"].into_iter().any(knows);
        SHOWN_ONLY.iter().for_each(|member| drop(record.shift_remove(*member)));
        if let Some(Value::Object(printed)) = record.get_mut("printDetails") {
            printed.shift_remove("lastPrintRequester");
        }
        let mut request = Request::new(record);
        settle_status(&mut request)?;
        // Storage rejects an invalid ID of the request itself, after all other checks.
        for member in IDS {
            let written = request.record().get(member).and_then(text);
            if written.is_some_and(|id| Uuid::try_parse(&id).is_err()) {
                return Err(not_an_id(member));
            }
        }
        Ok(PlaceCommand { knows_items_only, overrides, granted, request })
    }

    /// Adapts the command for PUT: only POST accepts clients that know items only.
    pub fn put(self) -> PlaceCommand {
        PlaceCommand { knows_items_only: false, ..self }
    }

    /// The request type; `None` if FOLIO does not know it.
    pub fn kind(&self) -> Option<RequestKind> {
        RequestKind::named(self.request.kind()?)
    }

    /// True for a title-level request.
    pub fn is_title_level(&self) -> bool {
        self.request.is_title_level()
    }

    /// True for an item-level request.
    pub(crate) fn is_item_level(&self) -> bool {
        self.knows_items_only || self.request.level() == Some("Item")
    }

    /// True for pickup at the hold shelf.
    pub(crate) fn is_for_hold_shelf(&self) -> bool {
        self.request.fulfillment_preference() == Some(FULFILMENTS[0])
    }

    /// True for a primary or intermediate request of a consortium; its item is chosen elsewhere.
    pub(crate) fn is_of_consortium(&self) -> bool {
        matches!(self.request.ecs_phase(), Some("Primary" | "Intermediate"))
    }

    /// Checks level and fulfillment preference before everything else, one at a time.
    pub(crate) fn refuse_odd_values(&self, titles: bool) -> Result<(), Refusal> {
        let level = self.request.level();
        let known = self.is_item_level() || (titles && self.is_title_level());
        if !known {
            let allowed = match titles {
                true => "\"Item\", \"Title\"",
                false => "\"Item\"",
            };
            let refusal = LEVEL_NOT_ALLOWED.with("allowed", allowed);
            return Err(refusal.with("requestLevel", level));
        }
        let preference = self.request.fulfillment_preference();
        match preference.is_some_and(|preference| FULFILMENTS.contains(&preference)) {
            true => Ok(()),
            false => Err(FULFILMENT_NOT_ALLOWED.with("fulfillmentPreference", preference)),
        }
    }
}

/// Fills in the initial status if it is missing, and normalizes the case of a given status.
fn settle_status(request: &mut Request) -> Result<(), Refusal> {
    let status = match request.record().contains_key("status") {
        false => RequestStatus::NotYetFilled,
        true => {
            let written = request.status_text().unwrap_or_default();
            let mut known = RequestStatus::ALL.iter().copied();
            let named = known.find(|status| status.name().eq_ignore_ascii_case(written));
            named.ok_or_else(status_unknown)?
        }
    };
    request.set_status(status);
    Ok(())
}

/// Lists all statuses, in order.
fn status_unknown() -> Refusal {
    let names = RequestStatus::ALL.iter().map(|status| format!("\"{status}\""));
    let names: Vec<_> = names.collect();
    STATUS_UNKNOWN.with("statuses", names.join(", "))
}

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
    decide_and_note(context, configuration, command, now, Trace::OFF)
}

/// The same, with notes of what decides.
pub(crate) fn decide_and_note(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
    trace: Trace<'_>,
) -> Result<RequestChange, Refused> {
    command.refuse_odd_values(configuration.title_level_requests)?;
    let (kind, target) = checks::admit(context, configuration, command, now, trace)?;
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
    let paged = item.as_ref().filter(|item| kind == RequestKind::Page && item.is(ItemStatus::Available));
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
