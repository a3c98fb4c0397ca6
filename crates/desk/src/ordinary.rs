//! Ordinary check-outs and check-ins, nearly all of them: no request waits, no module listens to events, and the columns of a returned
//! loan have all that its return changes. One plain
//! statement writes them (decision 36), and takes what is known here instead of deriving it again.

use circulation::records::{Item, ItemStatus};
use serde_json::{Map, Value, json};
use store::{StoreError, db::Row};

use crate::Columns;

/// An item's state as it was read, with the version of its row: an ordinary write relies on it and replaces it.
#[derive(Debug, Clone)]
pub(crate) struct StateRead {
    /// Any change of the row gives it another one: a desk's, an edit of the item, a request that joins the queue.
    pub row: String,
    members: Map<String, Value>,
}

impl StateRead {
    /// Reads the columns `item_state` and `item_row`; `None` without an item.
    pub(super) fn of(row: &Row) -> Result<Option<Self>, StoreError> {
        let members = row.record("item_state")?;
        let version: Option<String> = row.column("item_row")?;
        Ok(version.zip(members).map(|(row, members)| Self { row, members }))
    }

    /// The state after a change, as `next_item_state` makes it: a transit destination that is not among the changed members
    /// is removed.
    pub fn next(&self, changed: &Value, stamp: &Value) -> Value {
        let mut members = self.members.clone();
        members.remove("inTransitDestinationServicePointId");
        let version = members.get("_version").and_then(Value::as_i64).unwrap_or_default() + 1;
        let mut metadata = members.remove("metadata").unwrap_or_else(|| json!({}));
        if let (Some(metadata), Some(stamp)) = (metadata.as_object_mut(), stamp.as_object()) {
            metadata.extend(stamp.clone());
        }
        members.extend(changed.as_object().cloned().unwrap_or_default());
        members.insert("_version".into(), version.into());
        members.insert("metadata".into(), metadata);
        Value::Object(members)
    }
}

/// The item of a row with the columns `item` and `item_state`.
pub(crate) fn item(row: &Row) -> Result<Option<Item>, StoreError> {
    let item: Option<Item> = row.record("item")?;
    Ok(match item {
        Some(item) => Some(item.in_state(row.record("item_state")?.unwrap_or_default())),
        None => None,
    })
}

/// What a change of a loan replaced, as `replaced_members` and `added_members` derive it.
#[derive(Debug, PartialEq)]
pub(crate) struct Replaced<'r> {
    /// The members that were others or are gone, with the values they had.
    pub members: Value,
    /// The names of those that were not there.
    pub added: Vec<&'r str>,
}

impl<'r> Replaced<'r> {
    pub fn of(before: &Map<String, Value>, after: &'r Map<String, Value>) -> Self {
        let gone = before.iter().filter(|(name, value)| after.get(*name) != Some(*value));
        let new = after.keys().filter(|name| !before.contains_key(*name));
        Self {
            members: gone.map(|(name, value)| (name.clone(), value.clone())).collect(),
            added: new.map(String::as_str).collect(),
        }
    }
}

/// True for the statuses that are not listed apart (decision 12).
pub(crate) fn has_common_status(item: &Item) -> bool {
    item.is(ItemStatus::Available) || item.is(ItemStatus::CheckedOut)
}
