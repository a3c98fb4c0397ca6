//! Changes of the requests of one queue, as the database takes them: the queue as it was read, and for each request
//! that changes its id, the status it must still have, and members.

use circulation::{records::QueuedRequest, requests::queue::Moved};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The queue of an item and its title, and one entry for each request that changes.
#[derive(Debug)]
pub(crate) struct Changes<'q> {
    item: Option<Uuid>,
    title: Option<Uuid>,
    read: &'q [QueuedRequest],
    changes: Vec<Value>,
}

impl<'q> Changes<'q> {
    /// No change yet of the requests that were `read` for an item and its title.
    pub fn new(item: Option<Uuid>, title: Option<Uuid>, read: &'q [QueuedRequest]) -> Self {
        Changes {
            item,
            title,
            read,
            changes: Vec::new(),
        }
    }

    /// A request gets other members, and the place in the queue that `moved` gives it.
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

    /// The other requests of the queue that get another place.
    pub fn shift(&mut self, moved: &[Moved]) {
        let known: Vec<Value> = self.changes.iter().map(|c| c["id"].clone()).collect();
        for place in moved
            .iter()
            .filter(|place| !known.contains(&json!(place.id)))
        {
            if let Some(before) = self
                .read
                .iter()
                .find(|queued| queued.request.id == place.id)
            {
                self.change(before, Map::new(), moved);
            }
        }
    }

    /// As a parameter of a statement.
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
