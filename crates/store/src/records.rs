//! Reads and writes the records of a declared collection. Each function is one round trip.

use std::collections::HashSet;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    collection::Collection,
    db::{Rows, Session},
    error::StoreError,
    query::{Plan, Statement, condition::Condition},
};

/// A record as JSON text, assembled by PostgreSQL.
pub async fn find(session: &Session, collection: &Collection, id: Uuid) -> Result<Option<String>, StoreError> {
    let (table, record) = (collection.table, collection.representation());
    let sql = format!("SELECT ({record})::text FROM {table} r WHERE r.id = $1");
    session.find_value(&sql, &[&id]).await
}

/// Those of the records that exist, as a JSON array in the order of `ids`.
pub async fn find_all(session: &Session, collection: &Collection, ids: &[Uuid]) -> Result<String, StoreError> {
    let (table, record) = (collection.table, collection.representation());
    let sql = format!(
        "SELECT '[' || coalesce(string_agg(({record})::text, ',' ORDER BY sent.place), '') || ']'
         FROM unnest($1::uuid[]) WITH ORDINALITY AS sent (id, place) JOIN {table} r ON r.id = sent.id"
    );
    session.value(&sql, &[&ids]).await
}

pub async fn insert(
    session: &Session,
    collection: &Collection,
    id: Uuid,
    record: Map<String, Value>,
) -> Result<(), StoreError> {
    let table = collection.table;
    let (doc, state) = collection.split(record);
    if collection.volatile.is_empty() {
        let sql = format!("INSERT INTO {table} (id, doc) VALUES ($1, $2)");
        session.execute(&sql, &[&id, &doc]).await?;
    } else {
        let sql = format!("INSERT INTO {table} (id, doc, state) VALUES ($1, $2, $3)");
        session.execute(&sql, &[&id, &doc, &state]).await?;
    }
    Ok(())
}

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    Done,
    /// The record did not exist and was added (collections that [upsert](Collection::upsert)).
    Created,
    NotFound,
    /// The record has changed; this is the stored `_version`.
    Stale(i64),
}

/// Replaces a record but keeps who created it and when. In a versioned collection the record must contain the stored
/// `_version`, which is then raised by one.
pub async fn replace(
    session: &Session,
    collection: &Collection,
    id: Uuid,
    mut record: Map<String, Value>,
) -> Result<Update, StoreError> {
    let expected = record.get("_version").and_then(Value::as_i64).unwrap_or(-1);
    if collection.versioned {
        record.insert("_version".into(), (expected + 1).into());
    }
    let (doc, state) = collection.split(record);
    let sql = replace_sql(collection);
    let row = session.get(&sql, &[&id, &doc, &state, &expected]).await?;
    let (found, version, done, created): (bool, Option<i64>, bool, bool) =
        (row.get("found"), row.get("version"), row.get("changed"), row.get("added"));
    Ok(match (found, done, created) {
        (_, _, true) => Update::Created,
        (false, ..) => Update::NotFound,
        (true, true, _) => Update::Done,
        (true, false, _) => Update::Stale(version.unwrap_or_default()),
    })
}

fn replace_sql(collection: &Collection) -> String {
    let (table, record) = (collection.table, collection.representation());
    let created = "jsonb_build_object('metadata', (new.c->'metadata') || (coalesce(old.rec->'metadata', '{}')
         - 'updatedDate' - 'updatedByUserId' - 'updatedByUsername'))";
    let keep = |column: &str| {
        if collection.metadata && collection.column_of("metadata") == column {
            let parameter = if column == "doc" { "$2::jsonb" } else { "$3::jsonb" };
            format!("{parameter} || {}", created.replace("new.c", parameter))
        } else if column == "doc" {
            "$2::jsonb".to_owned()
        } else {
            "$3::jsonb".to_owned()
        }
    };
    let state = if collection.volatile.is_empty() { String::new() } else { format!(", state = {}", keep("state")) };
    let guard = if collection.versioned { "AND (old.rec->>'_version')::bigint IS NOT DISTINCT FROM $4" } else { "" };
    let insert = if collection.upsert {
        let (columns, values) = if collection.volatile.is_empty() { ("", "") } else { (", state", ", $3::jsonb") };
        format!(
            "INSERT INTO {table} (id, doc{columns}) SELECT $1, $2::jsonb{values} WHERE NOT EXISTS (SELECT FROM old) RETURNING 1"
        )
    } else {
        "SELECT 1 WHERE false".to_owned()
    };
    format!(
        "WITH old AS (SELECT r.id, {record} AS rec FROM {table} r WHERE r.id = $1 FOR UPDATE),
         changed AS (UPDATE {table} r SET doc = {doc}{state} FROM old WHERE r.id = old.id {guard} RETURNING 1),
         added AS ({insert})
         SELECT EXISTS (SELECT FROM old) AS found, (SELECT (rec->>'_version')::bigint FROM old) AS version,
                EXISTS (SELECT FROM changed) AS changed, EXISTS (SELECT FROM added) AS added,
                $3::jsonb IS NULL, $4::bigint IS NULL",
        doc = keep("doc"),
    )
}

/// Deletes a record; returns false if it does not exist.
///
/// # Errors
/// [`StoreError::ForeignKey`] if other records refer to it.
pub async fn delete(session: &Session, collection: &Collection, id: Uuid) -> Result<bool, StoreError> {
    let sql = format!("DELETE FROM {} WHERE id = $1", collection.table);
    Ok(session.execute(&sql, &[&id]).await? > 0)
}

/// Streams the ids of the records that match a query, as JSON texts, for answers that do not fit in memory.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn stream_ids(
    session: &Session,
    collection: &Collection,
    plan: &Plan,
    limit: i64,
    offset: i64,
) -> Result<Rows, StoreError> {
    let mut parameters = Vec::new();
    let condition = plan.condition.sql().numbered(&mut parameters);
    let sql = format!(
        "SELECT json_build_object('id', r.id)::text FROM {} r WHERE {condition} ORDER BY r.seq LIMIT {limit} OFFSET {offset}",
        collection.table
    );
    let statement = Statement { sql, parameters };
    session.stream(&statement.sql, &statement.values()).await
}

/// Adds complete records in one statement, skipping those whose id or unique value exists already. Returns the number
/// added.
pub async fn insert_missing(
    session: &Session,
    collection: &Collection,
    records: Vec<Map<String, Value>>,
) -> Result<u64, StoreError> {
    insert_many(session, collection, records, "ON CONFLICT DO NOTHING").await
}

/// Adds complete records in one statement, all or none.
pub async fn insert_all(
    session: &Session,
    collection: &Collection,
    records: Vec<Map<String, Value>>,
) -> Result<(), StoreError> {
    insert_many(session, collection, records, "").await.map(drop)
}

async fn insert_many(
    session: &Session,
    collection: &Collection,
    records: Vec<Map<String, Value>>,
    on_conflict: &str,
) -> Result<u64, StoreError> {
    let (docs, states): (Vec<_>, Vec<_>) = records.into_iter().map(|record| collection.split(record)).unzip();
    let table = collection.table;
    let (columns, values) = if collection.volatile.is_empty() { ("", "") } else { (", state", ", new.state") };
    let sql = format!(
        "INSERT INTO {table} (id, doc{columns})
         SELECT (new.doc->>'id')::uuid, new.doc{values}
         FROM unnest($1::jsonb[], $2::jsonb[]) WITH ORDINALITY AS new (doc, state, place) ORDER BY new.place
         {on_conflict}"
    );
    session.execute(&sql, &[&docs, &states]).await
}

/// Those of the ids that exist.
pub async fn known_ids(session: &Session, collection: &Collection, ids: &[Uuid]) -> Result<HashSet<Uuid>, StoreError> {
    let sql = format!("SELECT id FROM {} WHERE id = ANY($1)", collection.table);
    let known = session.values(&sql, &[&ids]).await?;
    Ok(known.into_iter().collect())
}

/// The outcome of deleting a record whose uses are not all foreign keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    Done,
    /// The record is in use and was kept.
    InUse,
    NotFound,
}

/// Deletes a record unless the SQL condition `used`, in which `$1` is its id, says that it is in use.
///
/// # Errors
/// [`StoreError::ForeignKey`] if other records refer to it.
pub async fn delete_unused(
    session: &Session,
    collection: &Collection,
    id: Uuid,
    used: &str,
) -> Result<Removal, StoreError> {
    let table = collection.table;
    let sql = format!(
        "WITH used AS MATERIALIZED (SELECT EXISTS ({used}) AS yes),
         gone AS (DELETE FROM {table} WHERE id = $1::uuid AND NOT (SELECT yes FROM used) RETURNING 1)
         SELECT (SELECT yes FROM used) AS is_used, EXISTS (SELECT FROM gone) AS is_gone"
    );
    let row = session.get(&sql, &[&id]).await?;
    Ok(match (row.get("is_used"), row.get("is_gone")) {
        (true, _) => Removal::InUse,
        (false, true) => Removal::Done,
        (false, false) => Removal::NotFound,
    })
}

/// Deletes the records that match a query.
///
/// # Errors
/// [`StoreError::ForeignKey`] if other records refer to one of them.
pub async fn delete_found(session: &Session, collection: &Collection, plan: &Plan) -> Result<(), StoreError> {
    let mut parameters = Vec::new();
    let sql = if collection.truncated && plan.condition == Condition::All {
        format!("TRUNCATE {}", collection.table)
    } else {
        let condition = plan.condition.sql().numbered(&mut parameters);
        format!("DELETE FROM {} r WHERE {condition}", collection.table)
    };
    let statement = Statement { sql, parameters };
    session.execute(&statement.sql, &statement.values()).await?;
    Ok(())
}

/// Adds a record and returns it as clients see it, with members computed at read time.
pub async fn insert_and_read(
    session: &Session,
    collection: &Collection,
    id: Uuid,
    record: Map<String, Value>,
) -> Result<String, StoreError> {
    let (table, shown) = (collection.table, collection.representation());
    let (doc, state) = collection.split(record);
    let sql = if collection.volatile.is_empty() {
        format!(
            "WITH r AS (INSERT INTO {table} (id, doc) SELECT $1, $2::jsonb WHERE $3::jsonb IS NOT NULL RETURNING *)
             SELECT ({shown})::text FROM r"
        )
    } else {
        format!(
            "WITH r AS (INSERT INTO {table} (id, doc, state) VALUES ($1, $2, $3) RETURNING *)
             SELECT ({shown})::text FROM r"
        )
    };
    session.value(&sql, &[&id, &doc, &state]).await
}

/// True if the collection has no records.
pub async fn is_empty(session: &Session, collection: &Collection) -> Result<bool, StoreError> {
    let sql = format!("SELECT NOT EXISTS (SELECT FROM {})", collection.table);
    session.value(&sql, &[]).await
}
