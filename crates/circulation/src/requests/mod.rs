//! Requests. What lending and taking back do to a queue is in [`queue`]; making, moving, reordering
//! and expiring requests has its place beside it.

pub(crate) mod copies;
pub mod queue;
