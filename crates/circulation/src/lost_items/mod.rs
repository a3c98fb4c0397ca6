//! Lost items (docs/folio/lost-items.md): [`declared_lost`] by staff or claimed returned; aged to lost by
//! [policy](crate::policies::lost_item); the resulting fees ([`charges`], [`billing`], [`actual_cost`]).
//!
//! Which loans age to lost is decided in SQL (`store/sql/replaceable/set_rules/ageing.sql`, used by
//! `desk/src/lost_items/ageing.rs`), and so is which actual costs expire (`set_rules/cost_expiry.sql`,
//! `desk/src/lost_items/cost_expiry.rs`).

pub mod actual_cost;
pub mod billing;
pub(crate) mod charges;
pub mod declared_lost;
pub mod refusal;
