//! A request for a title by a client that leaves the item and the type to the library
//! (docs/folio/requests.md#requesting-any-item-of-a-title).

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    Copy, RequestChange, RequestContext,
    kind::RequestKind,
    place::{self, NotPlaced, PlaceCommand, PlaceRefusal, Unreadable},
};
use crate::{blocks::Granted, configuration::Configuration, records::Loan, refusal::Told};

/// Why no request was placed.
#[derive(Debug, Clone, PartialEq)]
pub enum NothingPlaced {
    /// A member is missing: what FOLIO calls it, and its name.
    Missing(&'static str, &'static str),
    /// A member that no request can have.
    Unreadable(Unreadable),
    /// The title has no holdings, or they have no items.
    NoCopies {
        /// There are holdings.
        holdings: bool,
    },
    /// The requester waits for a copy already.
    AlreadyRequested {
        /// The requester.
        requester: Uuid,
        /// The copy.
        item: Uuid,
        /// The title.
        instance: Uuid,
    },
    /// What speaks against each try, once.
    Refused(Vec<PlaceRefusal>),
}

impl NothingPlaced {
    /// The refusals as clients see them; none for a body that cannot be read.
    pub fn told(&self, granted: &Granted) -> Vec<Told> {
        match self {
            Self::Missing(what, member) => {
                vec![Told::new(format!("Request must have {what}")).about(member, None::<String>)]
            }
            Self::NoCopies { holdings: false } => vec![
                Told::new("There are no holdings for this instance")
                    .about("holdingsRecords", Some("null")),
            ],
            Self::NoCopies { holdings: true } => vec![
                Told::new("There are no items for this instance").about("items", Some("empty")),
            ],
            Self::AlreadyRequested {
                requester,
                item,
                instance,
            } => vec![
                Told::new(
                    "This requester already has an open request for an item of this instance",
                )
                .about("requesterId", Some(*requester))
                .about("itemId", Some(*item))
                .about("instanceId", Some(*instance)),
            ],
            Self::Refused(refusals) => refusals.iter().map(|r| r.told(granted)).collect(),
            Self::Unreadable(_) => Vec::new(),
        }
    }
}

/// What a client of this endpoint has no say in.
const OVERRIDES: &str = "requestProcessingParameters";

/// The members of the body that become members of each request for an item that is tried.
const KEPT: [&str; 6] = [
    "instanceId",
    "requesterId",
    "requestDate",
    "pickupServicePointId",
    "requestExpirationDate",
    "patronComments",
];

/// What a client asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct TitleCommand {
    /// The title.
    pub instance_id: Uuid,
    /// Who asks.
    pub requester_id: Uuid,
    /// Who acts for them.
    pub proxy_user_id: Option<Uuid>,
    /// Blocks that the caller may override.
    pub granted: Granted,
    body: Value,
}

impl TitleCommand {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`NothingPlaced::Missing`], the first thing, and [`NothingPlaced::Unreadable`].
    pub fn read(body: Value, granted: Granted) -> Result<TitleCommand, NothingPlaced> {
        refuse_incomplete(&body)?;
        let id = |member: &'static str| {
            let text = body[member].as_str().unwrap_or_default();
            Uuid::try_parse(text).map_err(|_| NothingPlaced::Unreadable(Unreadable::Id(member)))
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

fn refuse_incomplete(body: &Value) -> Result<(), NothingPlaced> {
    for (what, member) in [
        ("a request date", "requestDate"),
        ("a requester id", "requesterId"),
        ("an instance id", "instanceId"),
    ] {
        if body[member]
            .as_str()
            .is_none_or(|text| text.trim().is_empty())
        {
            return Err(NothingPlaced::Missing(what, member));
        }
    }
    Ok(())
}

/// Tries a page, a recall and a hold: of the title, where titles can be asked for, else of one item after the other.
/// The first that nothing speaks against is placed.
///
/// # Errors
/// [`NothingPlaced`].
pub fn decide(
    context: &RequestContext,
    configuration: &Configuration,
    command: &TitleCommand,
    now: Timestamp,
) -> Result<RequestChange, NothingPlaced> {
    let TitleCommand { body, granted, .. } = command;
    if configuration.title_level_requests {
        let tries = RequestKind::ALL.map(|kind| (attempt(body, kind, None, granted), None));
        return first(context, configuration, tries, now);
    }
    let command_of = |kind, copy: &Copy| attempt(body, kind, Some(copy), granted);
    refuse_second(context, body)?;
    let copies = in_order(context, configuration, body);
    let tries = copies
        .iter()
        .flat_map(|copy| RequestKind::ALL.map(|kind| (command_of(kind, copy), Some(*copy))));
    first(context, configuration, tries, now)
}

/// The command of one try.
fn attempt(
    body: &Value,
    kind: RequestKind,
    copy: Option<&Copy>,
    granted: &Granted,
) -> Result<PlaceCommand, Unreadable> {
    let sent = body.as_object().cloned().unwrap_or_default();
    let kept = |member: &str| match copy {
        Some(_) => KEPT.contains(&member),
        None => member != OVERRIDES,
    };
    let mut record: Map<_, _> = sent
        .into_iter()
        .filter(|(member, value)| kept(member) && !value.is_null())
        .collect();
    record.insert("requestType".into(), kind.name().into());
    record.insert("fulfillmentPreference".into(), "Hold Shelf".into());
    let level = if copy.is_some() { "Item" } else { "Title" };
    record.insert("requestLevel".into(), level.into());
    if let Some(Copy { item, .. }) = copy {
        record.insert("itemId".into(), json!(item.id));
        record.insert("holdingsRecordId".into(), json!(item.holdings_record_id));
    }
    PlaceCommand::read(Value::Object(record), granted.clone())
}

fn first<'c>(
    context: &RequestContext,
    configuration: &Configuration,
    tries: impl IntoIterator<Item = (Result<PlaceCommand, Unreadable>, Option<&'c Copy>)>,
    now: Timestamp,
) -> Result<RequestChange, NothingPlaced> {
    let mut refused = Vec::new();
    let mut asked = context.clone();
    for (command, copy) in tries {
        let command = command.map_err(NothingPlaced::Unreadable)?;
        if let Some(copy) = copy {
            asked.copies.clear();
            asked.item = Some(copy.item.clone());
            asked.loan.clone_from(&copy.loan);
            asked.borrower.clone_from(&copy.borrower);
        }
        match place::decide(&asked, configuration, &command, now) {
            Ok(change) => return Ok(change),
            Err(NotPlaced::RulesFailed(text)) => {
                let failed = PlaceRefusal::RulesFailed(text);
                if !refused.contains(&failed) {
                    refused.push(failed);
                }
            }
            Err(NotPlaced::Refused(refusals)) => {
                let new = refusals
                    .into_iter()
                    .take(1)
                    .filter(|r| !refused.contains(r));
                let new: Vec<_> = new.collect();
                refused.extend(new);
            }
        }
    }
    Err(NothingPlaced::Refused(refused))
}

fn refuse_second(context: &RequestContext, body: &Value) -> Result<(), NothingPlaced> {
    if context.copies.is_empty() {
        return Err(NothingPlaced::NoCopies {
            holdings: context.has_holdings,
        });
    }
    let id = |member: &str| {
        body[member]
            .as_str()
            .and_then(|id| Uuid::try_parse(id).ok())
    };
    let (requester, instance) = (id("requesterId"), id("instanceId"));
    let mut requests = context.requests.iter().map(|queued| &queued.request);
    let found = requests.find(|r| r.item_id.is_some() && r.requester_id == requester);
    match found.and_then(|request| request.item_id) {
        None => Ok(()),
        Some(item) => Err(NothingPlaced::AlreadyRequested {
            requester: requester.unwrap_or_default(),
            item,
            instance: instance.unwrap_or_default(),
        }),
    }
}

/// What is on the shelf first, before all where it is fetched; then what fewest wait for, what is due first, and what
/// belongs where it is fetched.
fn in_order<'c>(
    context: &'c RequestContext,
    configuration: &Configuration,
    body: &Value,
) -> Vec<&'c Copy> {
    let pickup = body["pickupServicePointId"].as_str();
    let pickup = pickup.and_then(|id| Uuid::try_parse(id).ok());
    let far = |copy: &Copy| {
        let place = configuration.location(copy.item.effective_location_id);
        !place.is_some_and(|place| pickup.is_some_and(|id| place.is_served_by(id)))
    };
    let waiting = |copy: &Copy| {
        let requests = context.requests.iter().map(|queued| queued.request.item_id);
        requests.filter(|item| *item == Some(copy.item.id)).count()
    };
    let mut copies: Vec<&Copy> = context.copies.iter().collect();
    copies.sort_by_cached_key(|copy| {
        let out = !copy.item.is("Available");
        let due = copy.loan.as_ref().and_then(Loan::due_date);
        let due = due.unwrap_or(Timestamp::MAX);
        (out, if out { waiting(copy) } else { 0 }, due, far(copy))
    });
    copies
}
