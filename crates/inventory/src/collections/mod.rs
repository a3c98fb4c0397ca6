//! The declarations of inventory's records (docs/folio/inventory.md).
//!
//! Routes, validation, tables, CQL and OpenAPI follow from them. [`crate::write`] does what instances, holdings and
//! items need beyond that: HRIDs, effective values, locking.

mod holdings;
mod instances;
mod items;
mod links;
mod locations;
mod reference_data;

pub use holdings::{HOLDINGS_TABLE, holdings};
pub use instances::{INSTANCE_TABLE, instances};
pub use items::{ITEM_TABLE, items};
pub use links::titles;

use store::collection::Collection;

/// All collections of inventory, each after those it refers to.
pub fn collections() -> Vec<Collection> {
    let mut all = reference_data::collections();
    all.extend(locations::collections());
    all.extend([instances(), holdings(), items()]);
    all.extend(links::collections());
    all
}
