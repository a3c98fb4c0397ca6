//! The catalogue's rules: how an item gets its call number, shelf position, location and status.
//!
//! Everything here is a pure decision over values that were read before: no I/O, no clock, no randomness.
//! Their contract is docs/folio/inventory.md, with the pages it links to.

pub mod call_number;
pub mod collections;
pub mod effective_location;
pub mod hrid;
pub mod isbn;
pub mod item_status;
pub mod location;
pub mod note;
pub mod service_point;
pub mod shelving;
pub mod write;
