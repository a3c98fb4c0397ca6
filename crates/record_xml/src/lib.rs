//! What the formats of the archives share: reading records that are JSON, writing XML that is well-formed, and labels of
//! values.

pub mod json;
mod lists;
pub mod read;
pub mod xml;

pub use lists::{Lists, Verbatim};
