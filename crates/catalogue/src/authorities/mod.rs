//! The search of authorities (contract 1.8): each heading of a record is a document, in an index of their own (decision 61).
//!
//! | Topic | Module |
//! |---|---|
//! | what can be searched | [`options`] |
//! | the documents of a record | [`document`] |
//! | results | [`find`], their form [`answer`] |
//! | lists in the order of headings | [`browse`] |
//! | keeping the index | [`source`] |

mod answer;
mod browse;
mod document;
mod find;
mod options;
pub(crate) mod source;

pub use browse::Browse;
pub(crate) use options::AUTHORITIES;
