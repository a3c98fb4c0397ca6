//! The three kinds of record the catalogue is made of, and how a change of each is carried out.

use std::sync::Arc;

use inventory::{
    collections::{HOLDINGS_TABLE, INSTANCE_TABLE, ITEM_TABLE},
    write::{self, Change, Intent, Refused, Rule, Sent},
};
use serde_json::Value;
use store::{
    StoreError,
    catalogue::Links,
    collection::Collection,
    record::{self, print_instant},
};
use uuid::Uuid;

use crate::{answer::Problem, call::Call};

/// A kind of record of the catalogue.
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
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Instances, Kind::Holdings, Kind::Items];

    /// Path of the storage collection.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Kind::Instances => "/instance-storage/instances",
            Kind::Holdings => "/holdings-storage/holdings",
            Kind::Items => "/item-storage/items",
        }
    }

    /// Path of the batch operations, without their last segment.
    #[must_use]
    pub fn batch_path(self) -> &'static str {
        match self {
            Kind::Instances => "/instance-storage/batch",
            Kind::Holdings => "/holdings-storage/batch",
            Kind::Items => "/item-storage/batch",
        }
    }

    /// The declaration.
    #[must_use]
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

    /// The declared collection.
    ///
    /// # Errors
    /// When the application was put together without it.
    pub fn collection(self, call: &Call) -> Result<Arc<Collection>, Problem> {
        let missing = || Problem::Internal(format!("the collection {} is missing", self.table()));
        call.app.collection(self.table()).ok_or_else(missing)
    }
}

/// Writes records of a kind; a single added record is returned as JSON.
///
/// # Errors
/// Why nothing was written.
pub async fn write(
    call: &Call,
    kind: Kind,
    intent: Intent,
    locking: bool,
    sent: &[Sent],
) -> Result<Option<String>, Refused> {
    Writing {
        kind,
        intent,
        locking,
        rule: None,
        links: None,
    }
    .run(call, sent)
    .await
}

/// A change of records of one kind, with all that an operation may ask for.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The kind.
    pub kind: Kind,
    /// What is wanted.
    pub intent: Intent,
    /// Whether `_version` must be the stored one.
    pub locking: bool,
    /// A rule of the operation.
    pub rule: Option<Rule<'a>>,
    /// The links of an instance.
    pub links: Option<&'a Value>,
}

impl Writing<'_> {
    /// Carries the change out; a single added record is returned as JSON.
    ///
    /// # Errors
    /// Why nothing was written.
    pub async fn run(&self, call: &Call, sent: &[Sent]) -> Result<Option<String>, Refused> {
        let table = self.kind.table();
        let missing = || StoreError::Other(format!("the collection {table} is missing"));
        let collection = call.app.collection(table).ok_or_else(missing)?;
        let metadata = call.metadata();
        let change = Change {
            collection: &collection,
            intent: self.intent,
            locking: self.locking,
            metadata: &metadata,
            now: &print_instant(call.now),
            rule: self.rule,
        };
        let links = self.links.map(|lists| Links {
            lists,
            stamp: &metadata,
        });
        match self.kind {
            Kind::Instances => write::write_instances(&call.session, change, sent, links).await,
            Kind::Holdings => write::write_holdings(&call.session, change, sent).await,
            Kind::Items => write::write_items(&call.session, change, sent).await,
        }
    }
}

/// A record with the id it names, or a new one.
#[must_use]
pub fn with_own_id(record: Value) -> Sent {
    let own = record.get("id").and_then(Value::as_str);
    let own = own
        .filter(|id| record::is_uuid(id))
        .and_then(|id| Uuid::parse_str(id).ok());
    Sent {
        id: own.unwrap_or_else(store::new_id),
        record,
    }
}
