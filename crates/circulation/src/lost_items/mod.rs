//! Lost items (docs/folio/lost-items.md): [`declared_lost`] by staff or claimed returned; aged to lost by
//! [policy](crate::policies::lost_item); the resulting fees ([`charges`], [`billing`], [`actual_cost`]).

pub mod actual_cost;
pub mod billing;
pub(crate) mod charges;
pub mod declared_lost;
pub mod refusal;
