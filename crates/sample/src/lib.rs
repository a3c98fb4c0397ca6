//! Generates a realistic library of any size from a seed: inventory, locations, patrons, the desk's rules, and archives.
//!
//! Records come in the form in which a client would post them. The crate reads no clock and keeps no library in memory:
//! each record is a function of the [`Plan`] and its number.

pub mod archives;
pub mod barcode;
mod dice;
pub mod inventory;
mod library;
pub mod loans;
mod patrons;
mod places;
mod reference;
pub mod settings;
mod words;
mod work;

pub use library::{Library, Plan};
