//! Items that do not come back (docs/folio/lost-items.md): [`declared_lost`] by staff, or claimed returned; aged to lost
//! by their [`policy`]; what that costs ([`charges`], [`billing`], [`actual_cost`]).

pub mod actual_cost;
pub mod billing;
pub mod charges;
pub mod declared_lost;
pub mod policy;
