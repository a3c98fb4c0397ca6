//! A believable library of any size, made from a seed: the catalogue, the shelves, the patrons, the desk's rules.
//!
//! Records come in the form a client would post them in. Nothing here reads a clock or keeps a library in memory:
//! each record is a function of the [`Plan`] and its number.

pub mod barcode;
pub mod catalogue;
pub mod dice;
pub mod library;
pub mod loans;
pub mod patrons;
mod places;
pub mod reference;
pub mod settings;
pub mod words;

pub use library::{Library, Plan};
