//! Archives: the record types and rules of the archives API, which ArchivesSpace's clients speak.
//!
//! Everything in [`model`] is a pure function over JSON: which record types there are, what is checked of a request,
//! which texts follow from a record. Nothing here reads or writes anything.

pub mod model;
