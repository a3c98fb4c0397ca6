//! The queue of open requests for an item or its title (docs/folio/request-queues.md#which-request-an-item-fulfils).

use refusals::Refusal;
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    policy_choice::{Borrowing, choose},
    records::{Item, QueuedRequest, Request, RequestStatus},
    rules::PolicyKind,
};

/// What a request is looked for; the rules for title-level recalls differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Check-out.
    CheckOut,
    /// Check-in.
    CheckIn,
}

/// The open requests of an item, by position, including those for its title if title-level requests are on. If they are
/// off, earlier title-level requests keep their positions, so that no two requests of the item share one, but they are
/// hidden and never fulfilled.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Queue {
    requests: Vec<QueuedRequest>,
    title_level: bool,
}

/// A request that changes position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// ID of the request.
    pub id: Uuid,
    /// New position, from 1.
    pub position: i64,
}

impl Queue {
    /// Selects the requests that belong to the queue of an item.
    pub fn new(requests: Vec<QueuedRequest>, item: Uuid, title_level: bool) -> Queue {
        let belongs = |queued: &QueuedRequest| title_level || queued.request.item_id() == Some(item);
        let mut requests: Vec<_> = requests.into_iter().filter(belongs).collect();
        requests.sort_by_key(|queued| queued.request.position().unwrap_or_default());
        Queue { requests, title_level }
    }

    /// Number of requests.
    pub fn len(&self) -> usize {
        self.requests().count()
    }

    /// True if there are no requests.
    pub fn is_empty(&self) -> bool {
        self.requests().next().is_none()
    }

    /// Position for a request that joins the queue.
    pub(crate) fn next_place(&self) -> i64 {
        self.requests.len() as i64 + 1
    }

    /// The requests, by position.
    pub fn requests(&self) -> impl Iterator<Item = &QueuedRequest> {
        let served = |queued: &&QueuedRequest| self.serves(&queued.request);
        self.requests.iter().filter(served)
    }

    fn records(&self) -> impl Iterator<Item = &Request> {
        self.requests().map(|queued| &queued.request)
    }

    /// False for title-level requests while they are turned off.
    fn serves(&self, request: &Request) -> bool {
        self.title_level || !request.is_title_level()
    }

    /// The first request that the item can fulfil.
    ///
    /// # Errors
    /// [`RULES_NOT_APPLICABLE`](crate::refusal::RULES_NOT_APPLICABLE) if the decision needs the circulation rules and
    /// they cannot be applied.
    pub(crate) fn fulfillable_by(
        &self,
        item: &Item,
        instance: Uuid,
        purpose: Purpose,
        configuration: &Configuration,
    ) -> Result<Option<&QueuedRequest>, Refusal> {
        for queued in self.requests().filter(|q| is_fulfillable(&q.request)) {
            if fits(queued, item, instance, purpose, configuration)? {
                return Ok(Some(queued));
            }
        }
        Ok(None)
    }

    /// True if an unfilled hold waits for this item or for any copy of the title.
    pub(crate) fn has_waiting_hold(&self, item: Uuid) -> bool {
        self.records().any(|request| {
            let for_item = request.item_id().is_none_or(|id| id == item);
            request.is_hold() && request.is(RequestStatus::NotYetFilled) && for_item
        })
    }

    /// True if this item has an open recall.
    pub(crate) fn has_recall_of(&self, item: Uuid) -> bool {
        self.recall_of(item).is_some()
    }

    /// The first open recall of this item.
    pub(crate) fn recall_of(&self, item: Uuid) -> Option<Uuid> {
        let mut recalls = self.recalls_of(item);
        recalls.next().map(|request| request.id())
    }

    /// True if this item has an unfilled recall.
    pub(crate) fn has_waiting_recall_of(&self, item: Uuid) -> bool {
        let mut recalls = self.recalls_of(item);
        recalls.any(|request| request.is(RequestStatus::NotYetFilled))
    }

    fn recalls_of(&self, item: Uuid) -> impl Iterator<Item = &Request> {
        self.records().filter(move |request| request.is_recall() && request.item_id() == Some(item))
    }

    /// True if a hold is first among the requests for this item and the holds for any copy of the title.
    pub(crate) fn begins_with_hold_of(&self, item: Uuid) -> bool {
        let first = self.records().find(|request| {
            let any_copy = request.is_title_level() && request.is_hold();
            request.item_id() == Some(item) || (any_copy && request.item_id().is_none())
        });
        first.is_some_and(Request::is_hold)
    }

    /// Removes a request.
    pub fn without(mut self, request: Uuid) -> Queue {
        self.requests.retain(|queued| queued.request.id() != request);
        self
    }

    /// Moves a request ahead of the unfilled ones; returns the new positions. They are those that the requests had, even with gaps: a
    /// closed request that kept its position (the storage API allows it) may have a missing one.
    pub(crate) fn ahead_of_unfilled(mut self, request: Uuid) -> Vec<Moved> {
        let at = self.requests.iter().position(|q| q.request.id() == request);
        let first_unfilled =
            self.requests.iter().position(|q| q.request.id() != request && q.request.is(RequestStatus::NotYetFilled));
        match (at, first_unfilled) {
            (Some(at), Some(first)) if first < at => {
                let places: Vec<_> = self.requests.iter().filter_map(|queued| queued.request.position()).collect();
                let moved = self.requests.remove(at);
                self.requests.insert(first, moved);
                if places.len() < self.requests.len() { self.moved() } else { self.moved_to(places) }
            }
            _ => Vec::new(),
        }
    }

    /// Sorts the requests by `place`.
    pub fn arranged(mut self, place: impl Fn(Uuid) -> Option<i64>) -> Queue {
        let serves = |queued: &QueuedRequest| self.serves(&queued.request);
        let mut requests: Vec<_> = self.requests().cloned().collect();
        requests.sort_by_key(|queued| place(queued.request.id()));
        let slots: Vec<_> = self.requests.iter().map(serves).collect();
        let slots = self.requests.iter_mut().zip(slots);
        let slots = slots.filter_map(|(slot, served)| served.then_some(slot));
        for (slot, request) in slots.zip(requests) {
            *slot = request;
        }
        self
    }

    /// The requests whose stored position differs from their place in the queue, counted from 1.
    pub fn moved(&self) -> Vec<Moved> {
        self.moved_to(1..)
    }

    fn moved_to(&self, places: impl IntoIterator<Item = i64>) -> Vec<Moved> {
        places
            .into_iter()
            .zip(&self.requests)
            .filter(|(place, queued)| queued.request.position() != Some(*place))
            .map(|(position, queued)| Moved { id: queued.request.id(), position })
            .collect()
    }
}

/// True for hold shelf and delivery requests; no other fulfillment preference can be fulfilled.
fn is_fulfillable(request: &Request) -> bool {
    matches!(request.fulfillment_preference(), Some("Hold Shelf" | "Delivery"))
}

fn fits(
    queued: &QueuedRequest,
    item: &Item,
    instance: Uuid,
    purpose: Purpose,
    configuration: &Configuration,
) -> Result<bool, Refusal> {
    let request = &queued.request;
    let this_item = request.item_id() == Some(item.id);
    let this_title = request.instance_id() == Some(instance);
    if !request.is_title_level() {
        return Ok(this_item);
    }
    let open_recall = request.is_recall() && request.is(RequestStatus::NotYetFilled);
    match purpose {
        Purpose::CheckOut if !this_title => Ok(false),
        Purpose::CheckOut if request.is_recall() => Ok(this_item),
        Purpose::CheckIn if !this_item && !this_title => Ok(false),
        // A title-level recall takes any returned copy, not only the one it recalled.
        Purpose::CheckIn if open_recall => may_have(queued, item, configuration),
        _ if this_item || request.item_id().is_none() => may_have(queued, item, configuration),
        _ => Ok(false),
    }
}

/// True if the circulation rules let the requester place this type of request on the item, and borrow it.
fn may_have(queued: &QueuedRequest, item: &Item, configuration: &Configuration) -> Result<bool, Refusal> {
    let borrowing = Borrowing::new(item, queued.requester.as_ref())?;
    let request_policy = choose(PolicyKind::Request, borrowing, configuration)?;
    let requestable = configuration
        .request_policies
        .get(&request_policy.id)
        .is_some_and(|policy| policy.request_types.iter().any(|kind| queued.request.kind() == Some(kind)));
    if !requestable {
        return Ok(false);
    }
    let loan_policy = choose(PolicyKind::Loan, borrowing, configuration)?;
    let policy = configuration.loan_policies.get(&loan_policy.id);
    Ok(policy.is_some_and(|policy| policy.loanable))
}

/// Changes to an item's queue when it is checked out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueueChange {
    /// The filled request: closed, and without a position.
    pub filled: Option<Uuid>,
    /// The requests that move up.
    pub moved: Vec<Moved>,
}

#[cfg(test)]
mod tests;
