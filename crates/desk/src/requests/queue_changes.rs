//! Changes to the requests of one queue in the format the database expects: the queue as read, and for each changed
//! request its ID, its expected status and the changed members.

use circulation::{
    records::{QueuedRequest, Request},
    requests::queue::Moved,
};
use serde_json::{Value, json};
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

    /// Changes a request to `after`, and its position if `moved` contains it.
    pub fn change(&mut self, before: &Request, mut after: Request, moved: &[Moved]) {
        if let Some(place) = moved.iter().find(|moved| moved.id == before.id()) {
            after.set_position(place.position);
        }
        self.changes.push(json!({
            "id": before.id(), "status": before.status(), "members": after.changes_since(before),
        }));
    }

    /// Closes the request whose item is checked out to its requester.
    pub fn fill(&mut self, filled: Option<Uuid>) {
        let read = self.read.iter().find(|queued| Some(queued.request.id()) == filled);
        if let Some(QueuedRequest { request, .. }) = read {
            let mut after = request.clone();
            after.fill();
            self.change(request, after, &[]);
        }
    }

    /// Moves the other requests in `moved` to their new positions.
    pub fn shift(&mut self, moved: &[Moved]) {
        let known: Vec<Value> = self.changes.iter().map(|c| c["id"].clone()).collect();
        for place in moved.iter().filter(|place| !known.contains(&json!(place.id))) {
            let mut read = self.read.iter().map(|queued| &queued.request);
            if let Some(request) = read.find(|request| request.id() == place.id) {
                self.change(request, request.clone(), moved);
            }
        }
    }

    /// The statement parameter.
    pub fn into_value(self) -> Value {
        let mut read: Vec<_> = self
            .read
            .iter()
            .map(|queued| &queued.request)
            .map(|request| (request.id(), request.position(), request.status()))
            .collect();
        read.sort_unstable_by_key(|(id, ..)| *id);
        json!({"item": self.item, "title": self.title, "read": read, "changes": self.changes})
    }
}
