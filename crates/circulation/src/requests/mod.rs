//! Requests. [`queue`] chooses the request that gets an item, and covers how check-outs and check-ins change a queue;
//! the modules beside it place, change, move and reorder requests, each as a decision about a [`RequestContext`].
//!
//! Which requests expire is decided in SQL: `store/sql/replaceable/set_rules/expiry.sql`, used by
//! `desk/src/requests/expiry.rs`.

pub mod by_instance;
pub mod change;
mod context;
pub(crate) mod copies;
pub(crate) mod fulfilment;
mod hold_shelf;
pub mod kind;
pub mod place;
mod policy;
pub mod queue;
pub(crate) mod recall;
pub mod refusal;
pub mod reorder;
pub mod representation;
pub mod service_points;

pub use context::{Copy, FoundRequester, RequestChange, RequestContext, RequestDeed};
