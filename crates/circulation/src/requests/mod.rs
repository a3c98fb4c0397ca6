//! Requests. What lending and taking back do to a queue is in [`queue`]; making, changing, moving and reordering
//! requests are beside it, each a decision about a [`RequestContext`].

pub mod by_instance;
pub mod change;
mod context;
pub(crate) mod copies;
pub mod fulfilment;
mod hold_shelf;
pub mod kind;
pub mod place;
mod policy;
pub mod queue;
pub mod recall;
pub mod reorder;
pub mod representation;
pub mod service_points;

pub use context::{Copy, FoundRequester, RequestChange, RequestContext, RequestDeed};
