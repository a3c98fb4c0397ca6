//! The database: connections, all SQL statements, and the declared collections.

pub mod archives;
pub mod bulk;
pub mod bundle;
pub mod circulation;
pub mod collection;
pub mod db;
pub mod doctor;
pub mod embedded;
mod error;
pub mod events;
pub mod fees;
pub mod hrid;
mod id;
pub mod inventory;
pub mod jobs;
pub mod notes;
pub mod patron_blocks;
pub mod platform;
pub mod query;
pub mod record;
pub mod records;
pub mod schema;
pub mod self_check;
pub mod snapshot;
pub mod statements;
pub mod tenants;

pub use db::{Database, Session};
pub use error::{StoreError, named_values, with_causes};
pub use id::new_id;
