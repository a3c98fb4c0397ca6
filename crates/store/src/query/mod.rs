//! From CQL to SQL.

pub mod expression;
mod list;

pub use list::{ListRequest, Page, QueryError, list};
