//! Which records have a value of a list, and giving them another. No index knows: all records that have the text somewhere
//! are read, and their declarations tell whether it is a value of that list.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    db::{Parameter, Row, Transaction, only},
    statements::{
        archives::{LOCK_RECORDS_WITH_TEXT, RECORDS_WITH_TEXT},
        writes::{CHANGE_LISTED_VALUE, DROP_LISTED_VALUE, REWRITE_ARCHIVAL},
    },
};

use super::{VALUE, Which, accepted, get, leaving::leaving, texts};
use crate::{
    model::{
        RecordType,
        listed::{count_listed, properties_of_list, replace_listed},
        record_type,
    },
    records::{self, Author, Place},
    refusal::Refusal,
};

/// How many records are read at once.
const BATCH: i64 = 1_000;

/// A record that has the text somewhere.
struct Found {
    of: &'static RecordType,
    id: i64,
    repository: Option<i64>,
    /// The record at the top of its tree, and the node above.
    above: (Option<i64>, Option<i64>),
    doc: Map<String, Value>,
}

/// Where the next batch begins: after this record.
#[derive(Default)]
struct After {
    kind: String,
    id: i64,
}

impl After {
    /// The records of the next rows.
    fn take(&mut self, rows: Vec<Row>) -> Vec<Found> {
        let records = rows.into_iter().filter_map(|row| {
            (self.kind, self.id) = (row.get("kind"), row.get("id"));
            let Value::Object(doc) = row.get("doc") else { return None };
            let (repository, above) = (row.get("repository"), (row.get("root"), row.get("parent")));
            Some(Found { of: record_type(&self.kind)?, id: self.id, repository, above, doc })
        });
        records.collect()
    }
}

/// Whether a record has the value. A round trip for each thousand records that have the text.
pub(super) async fn is_used(session: &Session, list: &str, value: &str) -> Result<bool, StoreError> {
    let text = json!(value).to_string();
    let mut after = After::default();
    loop {
        let rows = session.query(RECORDS_WITH_TEXT, &[&text, &after.kind, &after.id, &BATCH]).await?;
        let is_last = rows.len() < BATCH as usize;
        if after.take(rows).iter().any(|found| count_listed(found.of, &found.doc, list, value) > 0) {
            return Ok(true);
        }
        if is_last {
            return Ok(false);
        }
    }
}

/// Gives all records with one value of a list another and removes the first from the list, all of it or nothing. Two round
/// trips for each thousand records that have the text.
///
/// # Errors
/// The list is fixed, the value cannot be removed, there is no such value, a record would be the same as another.
pub async fn migrate(session: &Session, id: i64, from: &str, to: &str, author: &Author) -> Result<(), Refusal> {
    let list = get(session, Which::Id(id)).await?;
    movable(&list, id, from, to)?;
    let name = list["name"].as_str().unwrap_or_default();
    leaving(session, name, &[from], async {
        let transaction = session.begin().await?;
        move_records(&transaction, name, (from, to), author).await?;
        transaction.execute(DROP_LISTED_VALUE, &[&id, &from]).await?;
        transaction.commit().await?;
        Ok(())
    })
    .await
}

/// Gives a value of a list another name, in the list and in all records that have it; returns its new version. `change` is what
/// `change_listed_value` takes.
///
/// # Errors
/// As [`super::change_value`]; a record would be the same as another.
pub(super) async fn rename(
    session: &Session,
    list: &str,
    (from, to): (&str, &str),
    change: &[Parameter<'_>],
    author: &Author,
) -> Result<i64, Refusal> {
    leaving(session, list, &[from], async {
        let transaction = session.begin().await?;
        let written = transaction.query(CHANGE_LISTED_VALUE, change).await?;
        let written: Value = written.first().map(only).transpose()?.unwrap_or_default();
        let version = accepted(&written, "lock_version", VALUE, "value")?;
        move_records(&transaction, list, (from, to), author).await?;
        transaction.commit().await?;
        Ok(version)
    })
    .await
}

async fn move_records(
    transaction: &Transaction,
    name: &str,
    (from, to): (&str, &str),
    author: &Author,
) -> Result<(), Refusal> {
    let mut after = After::default();
    let text = json!(from).to_string();
    loop {
        let rows = transaction.query(LOCK_RECORDS_WITH_TEXT, &[&text, &after.kind, &after.id, &BATCH]).await?;
        let is_last = rows.len() < BATCH as usize;
        let changed: Vec<Value> =
            after.take(rows).into_iter().filter_map(|found| with_value(found, name, from, to)).collect();
        rewrite(transaction, changed, name, (from, to), author).await?;
        if is_last {
            return Ok(());
        }
    }
}

/// Checks that a value of the list can be given up for another.
fn movable(list: &Value, id: i64, from: &str, to: &str) -> Result<(), Refusal> {
    if list["editable"] != true {
        return Err(Refusal::BadRequest(format!("Can't migrate values for non-editable enumeration {id}")));
    }
    let values = list["enumeration_values"].as_array().map(Vec::as_slice).unwrap_or_default();
    for value in [from, to] {
        if !values.iter().any(|listed| listed["value"] == value) {
            return Err(Refusal::NotFound(format!("Can't find a value '{value}' in enumeration {id}")));
        }
    }
    if texts(&list["readonly_values"]).contains(&from) {
        return Err(Refusal::BadRequest("Can't transfer from a read-only enumeration value".to_owned()));
    }
    if from == to {
        return Err(Refusal::BadRequest(format!("Can't transfer the value '{from}' to itself")));
    }
    Ok(())
}

/// The record with the other value, as `rewrite_archival` takes it; `None` if it does not have the value.
fn with_value(mut found: Found, list: &str, from: &str, to: &str) -> Option<Value> {
    if replace_listed(found.of, &mut found.doc, list, from, to) == 0 {
        return None;
    }
    let place = Place { kind: &found.of.name, repository: found.repository };
    Some(records::rewritten(place, found.id, found.above, found.doc))
}

async fn rewrite(
    transaction: &Transaction,
    changed: Vec<Value>,
    list: &str,
    (from, to): (&str, &str),
    author: &Author,
) -> Result<(), Refusal> {
    if changed.is_empty() {
        return Ok(());
    }
    let is_role = properties_of_list(list).contains(&"role");
    let roles = [from, to].map(|value| Some(value).filter(|_| is_role));
    let written =
        transaction.query(REWRITE_ARCHIVAL, &[&Value::Array(changed), &roles[0], &roles[1], &author.now]).await?;
    let answer: Value = written.first().map(only).transpose()?.unwrap_or_default();
    records::accepted(answer).map(|_| ())
}
