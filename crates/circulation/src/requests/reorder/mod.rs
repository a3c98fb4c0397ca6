//! Staff put a queue in another order (docs/folio/request-queues.md#reordering-a-queue).

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use uuid::Uuid;

use super::queue::{Moved, Queue};
use crate::{records::RequestRecord, refusal::Told};

/// Whose queue it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOwner {
    /// An item: where only items can be asked for.
    Item(Uuid),
    /// A title: where titles can be asked for, too.
    Title(Uuid),
}

/// The new place of a request, as a client wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewPlace {
    /// The request.
    pub id: Uuid,
    /// Its position, from 1.
    pub new_position: i64,
}

/// Why a queue stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReorderRefusal {
    /// Such queues are not reordered while titles can be asked for, or cannot.
    WrongQueue(QueueOwner),
    /// Nobody waits.
    NoQueue,
    /// The positions are not 1…n.
    Gaps,
    /// Not the requests that wait.
    OtherRequests,
    /// A page is fetched first.
    PageNotFirst,
    /// A request whose item is on its way is not overtaken.
    BegunNotFirst(QueueOwner),
}

impl QueueOwner {
    /// The item or the title.
    pub fn id(self) -> Uuid {
        match self {
            QueueOwner::Item(id) | QueueOwner::Title(id) => id,
        }
    }

    /// What the text of a 404 calls it.
    pub fn name(self) -> &'static str {
        match self {
            QueueOwner::Item(_) => "Item",
            QueueOwner::Title(_) => "Instance",
        }
    }
}

/// Decides about a new order; the requests that move.
///
/// # Errors
/// [`ReorderRefusal`].
pub fn reorder(
    queue: &Queue,
    owner: QueueOwner,
    titles: bool,
    order: &[NewPlace],
) -> Result<Vec<Moved>, ReorderRefusal> {
    if titles != matches!(owner, QueueOwner::Title(_)) {
        return Err(ReorderRefusal::WrongQueue(owner));
    }
    if queue.is_empty() {
        return Err(ReorderRefusal::NoQueue);
    }
    let places = consistent(queue, order)?;
    refuse_overtaking(queue, owner, &places)?;
    let arranged = queue
        .clone()
        .arranged(|request| places.get(&request).copied());
    Ok(arranged.moved())
}

fn consistent(queue: &Queue, order: &[NewPlace]) -> Result<HashMap<Uuid, i64>, ReorderRefusal> {
    let mut positions: Vec<i64> = order.iter().map(|place| place.new_position).collect();
    positions.sort_unstable();
    if !positions.iter().copied().eq((1..).take(positions.len())) {
        return Err(ReorderRefusal::Gaps);
    }
    let named: HashSet<Uuid> = order.iter().map(|place| place.id).collect();
    let waiting = queue.requests().map(|queued| queued.request.id);
    if order.len() != queue.len() || named != waiting.collect() {
        return Err(ReorderRefusal::OtherRequests);
    }
    Ok(order
        .iter()
        .map(|place| (place.id, place.new_position))
        .collect())
}

fn refuse_overtaking(
    queue: &Queue,
    owner: QueueOwner,
    places: &HashMap<Uuid, i64>,
) -> Result<(), ReorderRefusal> {
    let new_places = |holds: fn(&RequestRecord) -> bool| {
        let requests = queue.requests().map(|queued| &queued.request);
        let kept = requests.filter(move |request| holds(request));
        kept.filter_map(|request| places.get(&request.id).copied())
    };
    let begun = new_places(RequestRecord::is_being_filled);
    let kept_first = match owner {
        QueueOwner::Item(_) => {
            if new_places(RequestRecord::is_page).any(|place| place != 1) {
                return Err(ReorderRefusal::PageNotFirst);
            }
            begun.into_iter().all(|place| place == 1)
        }
        QueueOwner::Title(_) => {
            let mut begun: Vec<i64> = begun.collect();
            begun.sort_unstable();
            begun.iter().copied().eq((1..).take(begun.len()))
        }
    };
    match kept_first {
        true => Ok(()),
        false => Err(ReorderRefusal::BegunNotFirst(owner)),
    }
}

impl ReorderRefusal {
    /// The refusal as clients see it; `None` for a queue that is not there.
    pub fn told(self) -> Option<Told> {
        let at_position = |message: &str| Told::new(message).about("newPosition", None::<String>);
        Some(match self {
            Self::NoQueue => return None,
            Self::WrongQueue(owner) => {
                let (state, key) = match owner {
                    QueueOwner::Item(_) => ("ENABLED", "itemId"),
                    QueueOwner::Title(_) => ("DISABLED", "instanceId"),
                };
                Told::new(format!(
                    "Refuse to reorder request queue, TLR feature status is {state}."
                ))
                .about(key, Some(owner.id()))
            }
            Self::Gaps => at_position("Positions must have sequential order."),
            Self::OtherRequests => Told::new(
                "There is inconsistency between provided reordered queue and existing queue.",
            ),
            Self::PageNotFirst => {
                at_position("Page requests can not be displaced from position 1.")
            }
            Self::BegunNotFirst(QueueOwner::Item(_)) => {
                at_position("Requests can not be displaced from position 1 when fulfillment begun.")
            }
            Self::BegunNotFirst(QueueOwner::Title(_)) => at_position(
                "Requests can not be displaced from top positions when fulfillment begun.",
            ),
        })
    }
}

#[cfg(test)]
mod tests;
