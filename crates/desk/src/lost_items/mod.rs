//! Lost items: declared lost, aged to lost, billed (docs/folio/lost-items.md).

mod actual_cost;
mod ageing;
mod billing;
mod cost_expiry;
mod declared_lost;

pub use actual_cost::{CostDecision, decide_actual_cost};
pub use ageing::age_to_lost;
pub use billing::bill_lost_items;
pub use cost_expiry::expire_actual_costs;
pub use declared_lost::{declare_lost, mark_missing};
