//! Ordinary check-outs and check-ins, nearly all of them: no request waits and no module listens to events. One plain
//! statement writes them (decision 36).

use circulation::records::{Item, ItemStatus};
use store::{StoreError, db::Row};

use crate::Columns;

/// What was read of an item's queue beside its requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    /// How often the queue has changed; `None` without an item.
    changes: Option<i64>,
    /// Whether events of the tenant go to anyone.
    has_listeners: bool,
}

impl Queue {
    /// Reads the columns `queue` and `has_listeners`.
    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self { changes: row.column("queue")?, has_listeners: row.column("has_listeners")? })
    }

    /// The count of changes, on which an ordinary write relies; `None` if events are to be announced.
    pub(super) fn unwatched(self) -> Option<i64> {
        self.changes.filter(|_| !self.has_listeners)
    }
}

/// True for the statuses that are not listed apart (decision 12).
pub(crate) fn has_common_status(item: &Item) -> bool {
    item.is(ItemStatus::Available) || item.is(ItemStatus::CheckedOut)
}
