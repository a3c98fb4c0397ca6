//! From CQL to SQL.

pub mod expression;
