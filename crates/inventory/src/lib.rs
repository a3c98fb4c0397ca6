//! Inventory: instances, holdings, items and the locations they belong to (docs/folio/inventory.md).
//!
//! [`collections`] declares the records, and [`write`] reads, decides and writes changes of instances, holdings and
//! items. The other modules are pure rules: how an item gets its call number, shelving order, location and status.

mod call_number;
pub mod collections;
mod effective_location;
pub mod hrid;
pub mod isbn;
pub mod item_status;
mod location;
mod note;
pub mod refusal;
mod service_point;
pub mod shelving;
pub mod write;
