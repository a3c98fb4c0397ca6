//! Writing instances, holdings and items: read what the change depends on, decide, write it (two round trips for
//! any number of records).
//!
//! A single POST, PUT or PATCH is a batch of one. All records of a batch are written or none.

mod draft;
mod holdings;
mod instances;
mod items;

pub use holdings::{new_holdings, write_holdings};
pub use instances::{new_instance, write_instances};
pub use items::{new_item, write_items};

use serde_json::Value;
use store::{
    StoreError,
    catalogue::Record,
    collection::{Collection, Fault},
    record::Rejection,
};
use uuid::Uuid;

/// How often a change is decided again when somebody else was faster.
const ATTEMPTS: usize = 5;

/// What the client wants done with the records it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Add them.
    Create,
    /// Replace those that exist; an unknown id is refused.
    Replace,
    /// Replace one, or add it under the id of the path.
    ReplaceOrCreate,
    /// Replace those that exist and add the others; a record without `hrid` keeps the stored one.
    Upsert,
    /// Change the members sent; `null` removes one.
    Patch,
}

/// A rule of the operation on a record that is replaced: the stored record and the new one.
pub type Rule<'a> = &'a (dyn Fn(&Record, &Record) -> Result<(), Fault> + Sync);

/// A change of records of one collection.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// The declared collection.
    pub collection: &'a Collection,
    /// What is wanted.
    pub intent: Intent,
    /// Whether a record must carry the stored `_version` (docs/folio/inventory.md#optimistic-locking).
    pub locking: bool,
    /// `metadata` of a record created now by the caller.
    pub metadata: &'a Value,
    /// The instant of the change, as stored: `2020-01-01T00:00:00.000+00:00`.
    pub now: &'a str,
    /// A rule beyond the collection's own.
    pub rule: Option<Rule<'a>>,
}

impl Change<'_> {
    /// Checks a record that replaces a stored one.
    fn check(&self, stored: Option<&Record>, record: &Record) -> Result<(), Fault> {
        match (self.rule, stored) {
            (Some(rule), Some(stored)) => rule(stored, record),
            _ => Ok(()),
        }
    }
}

/// A record as the client sent it, with the id it has or gets.
#[derive(Clone, Debug)]
pub struct Sent {
    /// From the path, from the record, or new.
    pub id: Uuid,
    /// The record, or for [`Intent::Patch`] the members to change.
    pub record: Value,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Refused {
    /// A record breaks its declaration.
    Rejected(Rejection),
    /// A record breaks a rule of its own.
    Fault(Fault),
    /// There is no record with this id.
    NotFound(Uuid),
    /// The record was changed by somebody else.
    Stale {
        /// The record.
        id: Uuid,
        /// Its `_version`.
        stored: i64,
        /// The `_version` the client knows.
        sent: Option<i64>,
    },
    /// The human-readable id cannot change.
    HridChanged {
        /// As sent.
        new: Option<String>,
        /// As stored.
        old: Option<String>,
    },
    /// An item names a holdings record that does not exist.
    NoHoldings(String),
    /// The database refused, because of one of these records.
    Store(StoreError, Vec<Record>),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Refused::Store(error, Vec::new())
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Refused::Fault(fault)
    }
}

impl From<Rejection> for Refused {
    fn from(rejection: Rejection) -> Self {
        Refused::Rejected(rejection)
    }
}

/// The text of a member, when it is one.
fn text<'a>(record: &'a Record, member: &str) -> Option<&'a str> {
    record.get(member).and_then(Value::as_str)
}

fn version(record: &Record) -> Option<i64> {
    record.get("_version").and_then(Value::as_i64)
}
