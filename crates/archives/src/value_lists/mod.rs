//! The value lists of a library (contract 3.3, `/config/enumerations`; 5): read, add, change, and move records from one value
//! to another.

mod leaving;
mod usage;

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::Transaction,
    statements::{
        archives::{LIST_OF_VALUE, LISTED_VALUE, LISTED_VALUES, VALUE_LISTS},
        writes::{ADD_LISTED_VALUES, ADD_VALUE_LIST, BEGIN_VALUE_LISTS, CHANGE_LISTED_VALUE, CHANGE_VALUE_LIST},
    },
};

use crate::{
    model::{NewValue, ValueLists, listed::properties_of_list, lists::starting_lists},
    records::Author,
    refusal::Refusal,
};

use leaving::leaving;
pub use usage::migrate;
use usage::{is_used, rename};

/// The names that clients see in refusals.
const LIST: &str = "enumeration";
const VALUE: &str = "enumeration_value";
/// How many characters a value has at most.
const LONGEST: usize = 255;

/// The lists of a library, as records are checked against them.
#[derive(Debug, Default)]
pub struct Lists(HashMap<String, List>);

#[derive(Debug)]
struct List {
    editable: bool,
    values: Vec<String>,
    known: HashSet<String>,
}

impl Lists {
    /// The lists as they are now; a library without any gets those that every library starts with. One round trip, three
    /// the first time.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn read(session: &Session, now: Timestamp) -> Result<Self, StoreError> {
        let found = Self::find(session).await?;
        if !found.0.is_empty() {
            return Ok(found);
        }
        session.execute(BEGIN_VALUE_LISTS, &[&json!(starting_lists()), &now]).await?;
        Self::find(session).await
    }

    async fn find(session: &Session) -> Result<Self, StoreError> {
        let rows = session.query(LISTED_VALUES, &[]).await?;
        let lists = rows.into_iter().map(|row| {
            let values: Vec<String> = row.get::<_, Option<Vec<String>>>("values").unwrap_or_default();
            let known = values.iter().cloned().collect();
            (row.get("name"), List { editable: row.get("editable"), values, known })
        });
        Ok(Self(lists.collect()))
    }
}

impl ValueLists for Lists {
    fn has(&self, list: &str, value: &str) -> bool {
        self.0.get(list).is_some_and(|list| list.known.contains(value))
    }

    fn values(&self, list: &str) -> Vec<String> {
        self.0.get(list).map(|list| list.values.clone()).unwrap_or_default()
    }

    fn is_editable(&self, list: &str) -> bool {
        self.0.get(list).is_some_and(|list| list.editable)
    }
}

/// Adds values that an import brought to the end of their lists; those that are there stay. One round trip.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn add_values(transaction: &Transaction, new: &[NewValue], author: &Author) -> Result<(), StoreError> {
    if new.is_empty() {
        return Ok(());
    }
    let added: Value = new.iter().map(|new| json!({"list": new.list, "value": new.value})).collect();
    transaction.execute(ADD_LISTED_VALUES, &[&added, &author.name, &author.now]).await?;
    Ok(())
}

/// Which list is meant.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    Id(i64),
    Name(&'a str),
}

/// All lists as clients read them. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn all(session: &Session) -> Result<Vec<Value>, StoreError> {
    lists(session, None, None).await
}

/// A list as clients read it. One round trip.
///
/// # Errors
/// Not found.
pub async fn get(session: &Session, which: Which<'_>) -> Result<Value, Refusal> {
    let found = match which {
        Which::Id(id) => lists(session, Some(id), None).await?,
        Which::Name(name) => lists(session, None, Some(name)).await?,
    };
    found.into_iter().next().ok_or_else(|| Refusal::no(LIST))
}

async fn lists(session: &Session, id: Option<i64>, name: Option<&str>) -> Result<Vec<Value>, StoreError> {
    let mut records: Vec<Value> = session.values(VALUE_LISTS, &[&id, &name]).await?;
    for record in &mut records {
        record["relationships"] = json!(properties_of_list(record["name"].as_str().unwrap_or_default()));
    }
    Ok(records)
}

/// A value as clients read it. One round trip.
///
/// # Errors
/// Not found.
pub async fn get_value(session: &Session, id: i64) -> Result<Value, Refusal> {
    let found = session.find_value(LISTED_VALUE, &[&id]).await?;
    found.ok_or_else(|| Refusal::no(VALUE))
}

/// Adds a list; returns its id. One round trip.
///
/// # Errors
/// A list has the name.
pub async fn add(session: &Session, record: &Map<String, Value>, author: &Author) -> Result<i64, Refusal> {
    let name = record.get("name").and_then(Value::as_str).unwrap_or_default();
    let (values, usual) = (values_of(record)?, default_of(record));
    let written = session.value(ADD_VALUE_LIST, &[&name, &values, &usual, &author.name, &author.now]).await?;
    accepted(&written, "id", LIST, "name")
}

/// Gives a list of the version that the client read other values; returns the new version. Two round trips, and more if values are
/// removed: all records that may have one are read, twice, and those who are saving records are waited for.
///
/// # Errors
/// The list is fixed, a value cannot be removed or is in use, not found, stale.
pub async fn change(
    session: &Session,
    id: i64,
    version: i64,
    record: &Map<String, Value>,
    author: &Author,
) -> Result<i64, Refusal> {
    let list = get(session, Which::Id(id)).await?;
    let (values, usual) = (values_of(record)?, default_of(record));
    let before: Vec<&str> = texts(&list["values"]);
    let removed: Vec<&str> = before.iter().copied().filter(|value| !values.iter().any(|new| new == value)).collect();
    let differs = !removed.is_empty() || values.iter().any(|value| !before.contains(&value.as_str()));
    if differs && list["editable"] != true && usual.is_none() {
        return Err(Refusal::Denied);
    }
    let readonly = texts(&list["readonly_values"]);
    if removed.iter().any(|value| readonly.contains(value)) {
        return Err(Refusal::Denied);
    }
    let (values, removed) = if list["editable"] == true {
        (values, removed)
    } else {
        (before.iter().map(|value| (*value).to_owned()).collect(), Vec::new())
    };
    let name = list["name"].as_str().unwrap_or_default();
    let version = i32::try_from(version).unwrap_or(-1);
    let change = async {
        let parameters: [store::db::Parameter<'_>; 6] = [&id, &version, &values, &usual, &author.name, &author.now];
        let written = session.value(CHANGE_VALUE_LIST, &parameters).await?;
        accepted(&written, "lock_version", LIST, "name")
    };
    if removed.is_empty() {
        return change.await;
    }
    // Most values that are used are found before anybody is refused them.
    unused(session, name, &removed).await?;
    leaving(session, name, &removed, async {
        unused(session, name, &removed).await?;
        change.await
    })
    .await
}

/// Refuses if a record has one of the values.
async fn unused(session: &Session, list: &str, values: &[&str]) -> Result<(), Refusal> {
    for value in values {
        if is_used(session, list, value).await? {
            return Err(Refusal::Conflict(format!("Can't delete a value that's in use: {value}")));
        }
    }
    Ok(())
}

/// What of a value is changed.
#[derive(Debug, Default)]
pub struct ValueChange<'a> {
    /// The version that the client read; without it the change is made whatever the version.
    pub version: Option<i64>,
    pub value: Option<&'a str>,
    /// Its place in the list, from 0. It changes places with the value there.
    pub position: Option<i64>,
    pub suppressed: Option<bool>,
}

/// Changes a value; returns its version. One round trip, one more with a value, and if that is another, those of giving it to all
/// records that have the old one.
///
/// # Errors
/// Not found, stale, the list has the value, it may not be called otherwise.
pub async fn change_value(
    session: &Session,
    id: i64,
    change: &ValueChange<'_>,
    author: &Author,
) -> Result<i64, Refusal> {
    let number = |given: Option<i64>| {
        given.map(|number| i32::try_from(number).unwrap_or(if number < 0 { -1 } else { i32::MAX }))
    };
    let (version, place) = (number(change.version), number(change.position));
    let value = change.value.map(str::trim);
    let parameters: [store::db::Parameter<'_>; 7] =
        [&id, &version, &value, &place, &change.suppressed, &author.name, &author.now];
    if let Some(value) = value {
        let found = session.find(LIST_OF_VALUE, &[&id]).await?.ok_or_else(|| Refusal::no(VALUE))?;
        let (list, before): (String, String) = (found.get("list"), found.get("value"));
        if value.is_empty() {
            return Err(Refusal::parameter("value", "Property is required but was missing"));
        }
        if value != before {
            let may_change: bool = found.get("may_change");
            return if may_change {
                rename(session, &list, (&before, value), &parameters, author).await
            } else {
                Err(Refusal::Denied)
            };
        }
    }
    let written = session.value(CHANGE_LISTED_VALUE, &parameters).await?;
    accepted(&written, "lock_version", VALUE, "value")
}

/// The number that a write returns, or why it was refused.
fn accepted(written: &Value, number: &str, kind: &str, unique: &str) -> Result<i64, Refusal> {
    if written["gone"] == true {
        return Err(Refusal::no(kind));
    }
    if written["taken"] == true {
        return Err(Refusal::Taken(Map::from_iter([(unique.to_owned(), json!(["Must be unique"]))])));
    }
    written[number].as_i64().ok_or_else(Refusal::stale)
}

/// The values that a client wants a list to have, without surrounding spaces. None is longer than a value can be that is changed alone.
fn values_of(record: &Map<String, Value>) -> Result<Vec<String>, Refusal> {
    let wanted = record.get("values").map(texts).unwrap_or_default();
    if let Some(long) = wanted.iter().position(|value| value.trim().chars().count() > LONGEST) {
        let text = format!("Must be {LONGEST} characters or fewer");
        return Err(Refusal::parameter(&format!("values/{long}"), text));
    }
    Ok(wanted.into_iter().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect())
}

fn default_of(record: &Map<String, Value>) -> Option<&str> {
    record.get("default_value").and_then(Value::as_str)
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
