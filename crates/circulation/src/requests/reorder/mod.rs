//! Reordering a request queue (docs/folio/request-queues.md#reordering-a-queue).

use std::collections::{HashMap, HashSet};

use refusals::Refusal;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    queue::{Moved, Queue},
    refusal::{
        BEGUN_NOT_AT_TOP, BEGUN_NOT_FIRST, NO_QUEUE, OTHER_REQUESTS, PAGE_NOT_FIRST, POSITIONS_WITH_GAPS, WRONG_QUEUE,
    },
};
use crate::records::Request;

/// The item or instance a queue belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOwner {
    /// An item, while title-level requests are off.
    Item(Uuid),
    /// An instance, while title-level requests are on.
    Title(Uuid),
}

/// The new position of a request, as sent by the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewPlace {
    /// ID of the request.
    pub id: Uuid,
    /// New position, from 1.
    pub new_position: i64,
}

impl QueueOwner {
    /// The ID of the item or instance.
    pub fn id(self) -> Uuid {
        match self {
            QueueOwner::Item(id) | QueueOwner::Title(id) => id,
        }
    }

    /// Refuses item queues while title-level requests are on, and instance queues while they are off.
    fn wrong_queue(self) -> Refusal {
        let (state, member) = match self {
            QueueOwner::Item(_) => ("ENABLED", "itemId"),
            QueueOwner::Title(_) => ("DISABLED", "instanceId"),
        };
        WRONG_QUEUE.with("state", state).about(member, self.id())
    }

    /// The record type named in the 404 message.
    fn name(self) -> &'static str {
        match self {
            QueueOwner::Item(_) => "Item",
            QueueOwner::Title(_) => "Instance",
        }
    }
}

/// Decides on a new order and returns the requests that move.
pub fn reorder(queue: &Queue, owner: QueueOwner, titles: bool, order: &[NewPlace]) -> Result<Vec<Moved>, Refusal> {
    if titles != matches!(owner, QueueOwner::Title(_)) {
        return Err(owner.wrong_queue());
    }
    if queue.is_empty() {
        let refusal = NO_QUEUE.with("owner", owner.name());
        return Err(refusal.with("id", owner.id()));
    }
    let places = consistent(queue, order)?;
    refuse_overtaking(queue, owner, &places)?;
    let arranged = queue.clone().arranged(|request| places.get(&request).copied());
    Ok(arranged.moved())
}

fn consistent(queue: &Queue, order: &[NewPlace]) -> Result<HashMap<Uuid, i64>, Refusal> {
    let mut positions: Vec<i64> = order.iter().map(|place| place.new_position).collect();
    positions.sort_unstable();
    if !positions.iter().copied().eq((1..).take(positions.len())) {
        return Err(POSITIONS_WITH_GAPS.into());
    }
    let named: HashSet<Uuid> = order.iter().map(|place| place.id).collect();
    let waiting = queue.requests().map(|queued| queued.request.id());
    if order.len() != queue.len() || named != waiting.collect() {
        return Err(OTHER_REQUESTS.into());
    }
    Ok(order.iter().map(|place| (place.id, place.new_position)).collect())
}

fn refuse_overtaking(queue: &Queue, owner: QueueOwner, places: &HashMap<Uuid, i64>) -> Result<(), Refusal> {
    let new_places = |holds: fn(&Request) -> bool| {
        let requests = queue.requests().map(|queued| &queued.request);
        let kept = requests.filter(move |request| holds(request));
        kept.filter_map(|request| places.get(&request.id()).copied())
    };
    let begun = new_places(Request::is_being_filled);
    let (kept_first, wording) = match owner {
        QueueOwner::Item(_) => {
            if new_places(Request::is_page).any(|place| place != 1) {
                return Err(PAGE_NOT_FIRST.into());
            }
            (begun.into_iter().all(|place| place == 1), BEGUN_NOT_FIRST)
        }
        QueueOwner::Title(_) => {
            let mut begun: Vec<i64> = begun.collect();
            begun.sort_unstable();
            let kept = begun.iter().copied().eq((1..).take(begun.len()));
            (kept, BEGUN_NOT_AT_TOP)
        }
    };
    match kept_first {
        true => Ok(()),
        false => Err(wording.into()),
    }
}

#[cfg(test)]
mod tests;
