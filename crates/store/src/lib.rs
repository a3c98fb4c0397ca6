//! Everything Carrel keeps: the database, every SQL statement, and the declared collections.

pub mod collection;
pub mod record;
