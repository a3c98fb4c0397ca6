//! Writes instances, holdings and items: read what the change depends on, decide, write; two round trips for any number
//! of records.
//!
//! A single POST, PUT or PATCH is a batch of one. A batch is written completely or not at all.

mod draft;
mod holdings;
mod instances;
mod items;

pub use holdings::{new_holdings, write_holdings};
pub use instances::{new_instance, write_instances};
pub use items::{new_item, write_items, write_items_together};

use refusals::Refused;
use serde_json::Value;
use store::{
    StoreError,
    collection::Collection,
    inventory::Record,
    record::{Rejection, text},
};
use uuid::Uuid;

/// How often a change is decided again after a conflict.
const ATTEMPTS: usize = 5;

/// What to do with the records sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Add them.
    Create,
    /// Replace existing records; refuse an unknown id.
    Replace,
    /// Replace a record, or add it with the id from the path.
    ReplaceOrCreate,
    /// Replace existing records and add the others; a record without `hrid` keeps the stored one.
    Upsert,
    /// Change the members sent; `null` removes one.
    Patch,
}

/// A rule of the operation about a replaced record, with the stored and the new record.
pub type Rule<'a> = &'a (dyn Fn(&Record, &Record) -> Result<(), Refused> + Sync);

/// A change of records of one collection.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub collection: &'a Collection,
    pub intent: Intent,
    /// Whether a record must carry the stored `_version` (docs/folio/inventory.md#optimistic-locking).
    pub locking: bool,
    /// `metadata` of a record that the caller creates now.
    pub metadata: &'a Value,
    /// The time of the change as stored: `2020-01-01T00:00:00.000+00:00`.
    pub now: &'a str,
    /// A rule beyond the collection's own.
    pub rule: Option<Rule<'a>>,
}

impl Change<'_> {
    /// Applies the operation's rule to a record that replaces a stored one.
    fn check(&self, stored: Option<&Record>, record: &Record) -> Result<(), Refused> {
        match (self.rule, stored) {
            (Some(rule), Some(stored)) => rule(stored, record),
            _ => Ok(()),
        }
    }
}

/// A record as the client sent it, with its id.
#[derive(Clone, Debug)]
pub struct Sent {
    /// From the path or the record, or new.
    pub id: Uuid,
    /// The record, or for [`Intent::Patch`] the members to change.
    pub record: Value,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum NotWritten {
    /// A record does not fit its collection.
    Rejected(Rejection),
    /// A record breaks a rule of its own.
    Refused(Refused),
    /// No record has this id.
    NotFound(Uuid),
    /// The record has changed since the client read it.
    Stale {
        id: Uuid,
        /// The current `_version`.
        stored: i64,
        /// The `_version` that the client sent.
        sent: Option<i64>,
    },
    /// The HRID cannot change.
    HridChanged { new: Option<String>, old: Option<String> },
    /// An item's holdings record does not exist.
    NoHoldings(String),
    /// The database refused one of these records.
    Store(StoreError, Vec<Record>),
}

impl From<StoreError> for NotWritten {
    fn from(error: StoreError) -> Self {
        NotWritten::Store(error, Vec::new())
    }
}

impl From<Refused> for NotWritten {
    fn from(refused: Refused) -> Self {
        NotWritten::Refused(refused)
    }
}

impl From<Rejection> for NotWritten {
    fn from(rejection: Rejection) -> Self {
        NotWritten::Rejected(rejection)
    }
}

fn version(record: &Record) -> Option<i64> {
    record.get("_version").and_then(Value::as_i64)
}
