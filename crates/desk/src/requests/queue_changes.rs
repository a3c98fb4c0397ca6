//! Changes to the requests of one queue in the format the database expects: the queue as read, and for each changed
//! request its ID, its expected status and the changed members.

use circulation::{records::QueuedRequest, requests::queue::Moved};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The queue of an item and its title, with one entry for each changed request.
#[derive(Debug)]
pub(crate) struct Changes<'q> {
    item: Option<Uuid>,
    title: Option<Uuid>,
    read: &'q [QueuedRequest],
    changes: Vec<Value>,
}

impl<'q> Changes<'q> {
    /// Starts without changes; `read` holds the requests read for an item and its title.
    pub fn new(item: Option<Uuid>, title: Option<Uuid>, read: &'q [QueuedRequest]) -> Self {
        Changes { item, title, read, changes: Vec::new() }
    }

    /// Changes members of a request, and its position if `moved` contains it.
    pub fn change(
        &mut self,
        before: &QueuedRequest,
        mut members: Map<String, Value>,
        moved: &[Moved],
    ) {
        let place = moved.iter().find(|moved| moved.id == before.request.id);
        if let Some(place) = place {
            members.insert("position".into(), place.position.into());
        }
        self.changes.push(json!({
            "id": before.request.id, "status": before.request.status, "members": members,
        }));
    }

    /// Moves the other requests in `moved` to their new positions.
    pub fn shift(&mut self, moved: &[Moved]) {
        let known: Vec<Value> = self.changes.iter().map(|c| c["id"].clone()).collect();
        for place in moved.iter().filter(|place| !known.contains(&json!(place.id))) {
            if let Some(before) = self.read.iter().find(|queued| queued.request.id == place.id) {
                self.change(before, Map::new(), moved);
            }
        }
    }

    /// The statement parameter.
    pub fn into_value(self) -> Value {
        let mut read: Vec<_> = self
            .read
            .iter()
            .map(|queued| &queued.request)
            .map(|request| (request.id, request.position, &request.status))
            .collect();
        read.sort_unstable_by_key(|(id, ..)| *id);
        json!({"item": self.item, "title": self.title, "read": read, "changes": self.changes})
    }
}
