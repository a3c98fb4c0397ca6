//! The three kinds of inventory record, and how changes to them are carried out.

use std::sync::Arc;

use inventory::{
    collections::{HOLDINGS_TABLE, INSTANCE_TABLE, ITEM_TABLE},
    write::{self, Change, Intent, NotWritten, Rule, Sent},
};
use serde_json::Value;
use store::{
    StoreError,
    collection::Collection,
    inventory::{Links, Together},
    record::{self, print_instant},
};
use uuid::Uuid;

use crate::{answer::Problem, call::Call};

/// A kind of inventory record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Instances.
    Instances,
    /// Holdings records.
    Holdings,
    /// Items.
    Items,
}

impl Kind {
    /// All three kinds.
    pub const ALL: [Kind; 3] = [Kind::Instances, Kind::Holdings, Kind::Items];

    /// Path of the storage collection, for example `/item-storage/items`.
    pub fn path(self) -> &'static str {
        match self {
            Kind::Instances => "/instance-storage/instances",
            Kind::Holdings => "/holdings-storage/holdings",
            Kind::Items => "/item-storage/items",
        }
    }

    /// Path of the batch operations, without the last segment.
    #[must_use]
    pub(crate) fn batch_path(self) -> &'static str {
        match self {
            Kind::Instances => "/instance-storage/batch",
            Kind::Holdings => "/holdings-storage/batch",
            Kind::Items => "/item-storage/batch",
        }
    }

    /// The declared collection, before the application is built.
    pub fn declared(self) -> Collection {
        match self {
            Kind::Instances => inventory::collections::instances(),
            Kind::Holdings => inventory::collections::holdings(),
            Kind::Items => inventory::collections::items(),
        }
    }

    fn table(self) -> &'static str {
        match self {
            Kind::Instances => INSTANCE_TABLE,
            Kind::Holdings => HOLDINGS_TABLE,
            Kind::Items => ITEM_TABLE,
        }
    }

    /// The application's collection of this kind. Fails if the application was built without it.
    pub fn collection(self, call: &Call) -> Result<Arc<Collection>, Problem> {
        let missing = || Problem::Internal(format!("the collection {} is missing", self.table()));
        call.app.collection(self.table()).ok_or_else(missing)
    }
}

/// Writes records of one kind. Returns a single added record as JSON.
pub async fn write(
    call: &Call,
    kind: Kind,
    intent: Intent,
    locking: bool,
    sent: &[Sent],
) -> Result<Option<String>, NotWritten> {
    Writing { kind, intent, locking, rule: None, links: None }.run(call, sent).await
}

/// A change to records of one kind, with every option an operation may use.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The kind of record to change.
    pub kind: Kind,
    /// The kind of change.
    pub intent: Intent,
    /// Whether `_version` must match the stored one.
    pub locking: bool,
    /// An additional rule of the operation, if any.
    pub rule: Option<Rule<'a>>,
    /// The links sent with an instance. Absent for other kinds.
    pub links: Option<&'a Value>,
}

impl Writing<'_> {
    /// Carries out the change. Returns a single added record as JSON.
    pub async fn run(&self, call: &Call, sent: &[Sent]) -> Result<Option<String>, NotWritten> {
        let collection = existing(call, self.kind)?;
        let metadata = call.metadata();
        let change = Change {
            collection: &collection,
            intent: self.intent,
            locking: self.locking,
            metadata: &metadata,
            now: &print_instant(call.now),
            rule: self.rule,
        };
        let links = self.links.map(|lists| Links { lists, stamp: &metadata });
        match self.kind {
            Kind::Instances => write::write_instances(&call.session, change, sent, links).await,
            Kind::Holdings => write::write_holdings(&call.session, change, sent).await,
            Kind::Items => write::write_items(&call.session, change, sent).await,
        }
    }
}

/// Writes items, perhaps none, and what is written together with them. Returns what that returns.
pub async fn write_items_together(
    call: &Call,
    intent: Intent,
    sent: &[Sent],
    together: Together<'_>,
) -> Result<Option<String>, NotWritten> {
    let collection = existing(call, Kind::Items)?;
    let (metadata, now) = (call.metadata(), print_instant(call.now));
    let change = Change { collection: &collection, intent, locking: false, metadata: &metadata, now: &now, rule: None };
    write::write_items_together(&call.session, change, sent, together).await
}

fn existing(call: &Call, kind: Kind) -> Result<Arc<Collection>, StoreError> {
    let table = kind.table();
    call.app.collection(table).ok_or_else(|| StoreError::Other(format!("the collection {table} is missing")))
}

/// A record with its own id, or a new one if it has none.
#[must_use]
pub(crate) fn with_own_id(record: Value) -> Sent {
    let own = record.get("id").and_then(Value::as_str);
    let own = own.filter(|id| record::is_uuid(id)).and_then(|id| Uuid::parse_str(id).ok());
    Sent { id: own.unwrap_or_else(store::new_id), record }
}
