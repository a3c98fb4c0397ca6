//! Reordering a queue: read, decide, write. Two round trips.

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    records::QueuedRequest,
    requests::{
        queue::{Moved, Queue},
        reorder::{self, NewPlace, QueueOwner},
        representation::RequestRow,
    },
};
use jiff::Timestamp;
use serde_json::Value;
use store::{
    Session, StoreError,
    statements::circulation::{READ_QUEUE, REORDER_QUEUE},
};
use uuid::Uuid;

use super::Changes;
use crate::{Columns, Desk, Failed, Operator, at_rest::until_at_rest, updated};

/// A queue with the records needed to show its requests.
#[derive(Debug)]
pub struct ShownQueue {
    /// The requests, by position.
    pub rows: Vec<RequestRow>,
    /// The configuration to show them with.
    pub configuration: Arc<Configuration>,
}

/// Reorders a queue as the client asks. Two round trips.
pub async fn reorder_queue(
    desk: &Desk,
    session: &Session,
    owner: QueueOwner,
    order: &[NewPlace],
    operator: Operator,
    now: Timestamp,
) -> Result<ShownQueue, Failed> {
    let (item, title) = match owner {
        QueueOwner::Item(id) => (Some(id), None),
        QueueOwner::Title(id) => (None, Some(id)),
    };
    until_at_rest("the queue", || async {
        let row = session.get(READ_QUEUE, &[&item, &title]).await?;
        let configuration = desk.configuration(session, row.column("configuration_version")?).await?;
        let mut rows: Vec<RequestRow> = row.record("requests")?.unwrap_or_default();
        let read: Vec<QueuedRequest> = rows.iter().map(queued).collect();
        let titles = configuration.title_level_requests;
        let queue = Queue::new(read.clone(), item.unwrap_or_default(), titles);
        let moved = reorder::reorder(&queue, owner, titles, order)?;
        let stamp = updated(operator, now);
        write(session, (item, title), &read, &moved, &stamp).await?;
        rows.retain(|row| queue.requests().any(|q| q.request == row.request));
        place(&mut rows, &moved);
        Ok(ShownQueue { rows, configuration })
    })
    .await
}

async fn write(
    session: &Session,
    (item, title): (Option<Uuid>, Option<Uuid>),
    read: &[QueuedRequest],
    moved: &[Moved],
    stamp: &Value,
) -> Result<(), StoreError> {
    let mut changes = Changes::new(item, title, read);
    changes.shift(moved);
    session.query(REORDER_QUEUE, &[&changes.into_value(), stamp]).await?;
    Ok(())
}

fn queued(row: &RequestRow) -> QueuedRequest {
    QueuedRequest { request: row.request.clone(), requester: row.requester.clone() }
}

/// Sets the new positions of moved requests and sorts all by position.
fn place(rows: &mut [RequestRow], moved: &[Moved]) {
    for row in rows.iter_mut() {
        let place = moved.iter().find(|moved| moved.id == row.request.id());
        if let Some(place) = place {
            row.request.set_position(place.position);
        }
    }
    rows.sort_by_key(|row| row.request.position());
}
