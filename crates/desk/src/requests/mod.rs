//! Requests at the desk.
//!
//! - [`change`]: placing, replacing, deleting and moving them.
//! - [`reorder`]: a new order of a queue.
//! - [`expiry`]: those that nobody fetched or filled in time.

mod change;
mod expiry;
mod queue_changes;
mod reorder;

pub use change::{
    ChangedRequest, Copies, RequestSubject, delete_request, move_request, place_request, place_title_request,
    read_request, replace_request,
};
pub use expiry::expire_requests;
pub(crate) use queue_changes::Changes;
pub use reorder::{ShownQueue, reorder_queue};
