//! Requests for any item of a title, where the library chooses item and type
//! (docs/folio/requests.md#requesting-any-item-of-a-title).

use jiff::Timestamp;
use refusals::{Refusal, Refused};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    Copy, RequestChange, RequestContext,
    kind::RequestKind,
    place::{self, PlaceCommand},
    refusal::{ANY_ITEM_ALREADY_REQUESTED, MEMBER_MISSING, NO_HOLDINGS, NO_ITEMS, RULES_FAILED_FOR_ITEM},
};
use crate::{
    blocks::Granted,
    configuration::Configuration,
    records::{ItemStatus, Loan, Request},
    refusal::{RULES_NOT_APPLICABLE, not_an_id},
};

/// Body member that this endpoint ignores.
const OVERRIDES: &str = "requestProcessingParameters";

/// Body members copied into each item-level request that is tried.
const KEPT: [&str; 6] =
    ["instanceId", "requesterId", "requestDate", "pickupServicePointId", "requestExpirationDate", "patronComments"];

/// A request for a title, as sent by the client.
#[derive(Debug, Clone, PartialEq)]
pub struct TitleCommand {
    /// ID of the instance.
    pub instance_id: Uuid,
    /// ID of the requester.
    pub requester_id: Uuid,
    /// ID of the proxy.
    pub proxy_user_id: Option<Uuid>,
    /// Blocks that the caller may override.
    pub granted: Granted,
    body: Value,
}

impl TitleCommand {
    /// Reads a request body.
    ///
    /// # Errors
    /// The first missing or invalid member.
    pub fn read(body: Value, granted: Granted) -> Result<TitleCommand, Refusal> {
        refuse_incomplete(&body)?;
        let id = |member: &'static str| {
            let text = body[member].as_str().unwrap_or_default();
            Uuid::try_parse(text).map_err(|_| not_an_id(member))
        };
        Ok(TitleCommand {
            instance_id: id("instanceId")?,
            requester_id: id("requesterId")?,
            proxy_user_id: id("proxyUserId").ok(),
            granted,
            body,
        })
    }
}

fn refuse_incomplete(body: &Value) -> Result<(), Refusal> {
    for (what, member) in
        [("a request date", "requestDate"), ("a requester id", "requesterId"), ("an instance id", "instanceId")]
    {
        if body[member].as_str().is_none_or(|text| text.trim().is_empty()) {
            return Err(MEMBER_MISSING.with("what", what).with("member", member));
        }
    }
    Ok(())
}

/// Tries a page, a recall and a hold: on the title if title-level requests are on, otherwise on one item after the
/// other. Places the first that passes all checks.
pub fn decide(
    context: &RequestContext,
    configuration: &Configuration,
    command: &TitleCommand,
    now: Timestamp,
) -> Result<RequestChange, Refused> {
    let TitleCommand { body, granted, .. } = command;
    if configuration.title_level_requests {
        let tries = RequestKind::ALL.map(|kind| (attempt(body, kind, None, granted), None));
        return first(context, configuration, tries, now);
    }
    let command_of = |kind, copy: &Copy| attempt(body, kind, Some(copy), granted);
    refuse_second(context, body)?;
    let copies = in_order(context, configuration, body);
    let tries = copies.iter().flat_map(|copy| RequestKind::ALL.map(|kind| (command_of(kind, copy), Some(*copy))));
    first(context, configuration, tries, now)
}

/// The command for one attempt.
fn attempt(body: &Value, kind: RequestKind, copy: Option<&Copy>, granted: &Granted) -> Result<PlaceCommand, Refusal> {
    let sent = body.as_object().cloned().unwrap_or_default();
    let kept = |member: &str| match copy {
        Some(_) => KEPT.contains(&member),
        None => member != OVERRIDES,
    };
    let kept: Map<_, _> = sent.into_iter().filter(|(member, value)| kept(member) && !value.is_null()).collect();
    let mut request = Request::new(kept);
    request.set_kind(kind.name());
    request.set_fulfillment_preference("Hold Shelf");
    request.set_level(if copy.is_some() { "Item" } else { "Title" });
    if let Some(Copy { item, .. }) = copy {
        request.set_item_id(item.id);
        request.set_holdings_record_id(item.holdings_record_id);
    }
    PlaceCommand::read(request.into_record().into(), granted.clone())
}

fn first<'c>(
    context: &RequestContext,
    configuration: &Configuration,
    tries: impl IntoIterator<Item = (Result<PlaceCommand, Refusal>, Option<&'c Copy>)>,
    now: Timestamp,
) -> Result<RequestChange, Refused> {
    let mut refused = Refused::default();
    let mut asked = context.clone();
    for (command, copy) in tries {
        let command = command?;
        if let Some(copy) = copy {
            asked.copies.clear();
            asked.item = Some(copy.item.clone());
            asked.loan.clone_from(&copy.loan);
            asked.borrower.clone_from(&copy.borrower);
        }
        match place::decide(&asked, configuration, &command, now) {
            Ok(change) => return Ok(change),
            // Reports only the first error of an attempt; a failure of the circulation rules becomes a refusal too.
            Err(Refused(first)) => match first.into_iter().next() {
                Some(failed) if failed.is(RULES_NOT_APPLICABLE) => {
                    refused.add(RULES_FAILED_FOR_ITEM.with("message", failed.message()));
                }
                first => first.into_iter().for_each(|refusal| refused.add(refusal)),
            },
        }
    }
    Err(refused)
}

fn refuse_second(context: &RequestContext, body: &Value) -> Result<(), Refusal> {
    if context.copies.is_empty() {
        return Err(match context.has_holdings {
            true => NO_ITEMS.with("items", "empty"),
            false => NO_HOLDINGS.with("holdingsRecords", "null"),
        });
    }
    let id = |member: &str| body[member].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let (requester, instance) = (id("requesterId"), id("instanceId"));
    let mut requests = context.requests.iter().map(|queued| &queued.request);
    let found = requests.find(|r| r.item_id().is_some() && r.requester_id() == requester);
    match found.and_then(|request| request.item_id()) {
        None => Ok(()),
        Some(item) => {
            let refusal = ANY_ITEM_ALREADY_REQUESTED.with("requesterId", requester);
            Err(refusal.with("itemId", item).with("instanceId", instance))
        }
    }
}

/// Sorts available copies first, starting with those the pickup service point serves. The others follow by fewest
/// requests, earliest due date, and whether the pickup service point serves their location.
fn in_order<'c>(context: &'c RequestContext, configuration: &Configuration, body: &Value) -> Vec<&'c Copy> {
    let pickup = body["pickupServicePointId"].as_str();
    let pickup = pickup.and_then(|id| Uuid::try_parse(id).ok());
    let far = |copy: &Copy| {
        let place = configuration.location(copy.item.effective_location_id);
        !place.is_some_and(|place| pickup.is_some_and(|id| place.is_served_by(id)))
    };
    let waiting = |copy: &Copy| {
        let requests = context.requests.iter().map(|queued| queued.request.item_id());
        requests.filter(|item| *item == Some(copy.item.id)).count()
    };
    let mut copies: Vec<&Copy> = context.copies.iter().collect();
    copies.sort_by_cached_key(|copy| {
        let out = !copy.item.is(ItemStatus::Available);
        let due = copy.loan.as_ref().and_then(Loan::due_date);
        let due = due.unwrap_or(Timestamp::MAX);
        (out, if out { waiting(copy) } else { 0 }, due, far(copy))
    });
    copies
}
