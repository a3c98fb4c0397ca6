//! The memory budget for request bodies.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The bytes still free in the budget that all bodies in flight share.
#[derive(Debug)]
pub struct Room(AtomicUsize);

impl Room {
    /// A budget of `bytes`.
    pub fn of(bytes: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(bytes)))
    }

    /// Free bytes.
    #[cfg(test)]
    pub(crate) fn left(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

/// A share of the budget, returned on drop.
#[derive(Debug)]
pub(crate) struct Held {
    room: Arc<Room>,
    bytes: usize,
}

impl Held {
    pub(crate) fn nothing(room: &Arc<Room>) -> Self {
        let room = Arc::clone(room);
        Self { room, bytes: 0 }
    }

    /// Grows the share to `total` bytes. Returns false if the budget is used up.
    pub(crate) fn grow(&mut self, total: usize) -> bool {
        let more = total.saturating_sub(self.bytes);
        let take = |left: usize| left.checked_sub(more);
        let taken = self.room.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, take);
        if taken.is_ok() {
            self.bytes += more;
        }
        taken.is_ok()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.0.fetch_add(self.bytes, Ordering::AcqRel);
    }
}
