//! Changes of requests, as the database takes them: id, the status a request must still have, members.

use serde_json::{Map, Value, json};

use crate::{records::QueuedRequest, requests::queue::Moved};

/// One entry for each request that changes.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<Value>);

impl Changes {
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
        self.0.push(json!({
            "id": before.request.id, "status": before.request.status, "members": members,
        }));
    }

    /// The other requests of the queue that get another place.
    pub fn shift(&mut self, queue: &[QueuedRequest], moved: &[Moved]) {
        let known: Vec<Value> = self.0.iter().map(|change| change["id"].clone()).collect();
        for place in moved
            .iter()
            .filter(|place| !known.contains(&json!(place.id)))
        {
            if let Some(before) = queue.iter().find(|queued| queued.request.id == place.id) {
                self.change(before, Map::new(), moved);
            }
        }
    }

    /// As a parameter of a statement.
    pub fn into_value(self) -> Value {
        Value::Array(self.0)
    }
}
