//! Reads and writes the records of a declared collection. Each function is one round trip.

use std::collections::HashSet;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{
    collection::Collection,
    db::{Rows, Session},
    error::StoreError,
    query::{
        Plan, Statement,
        condition::Condition,
        plain::{self, Written},
    },
};

/// A record as JSON text, assembled by PostgreSQL.
pub async fn find(session: &Session, collection: &Collection, id: Uuid) -> Result<Option<String>, StoreError> {
    let (relation, record) = (collection.relation(), collection.representation());
    let sql = format!("SELECT ({record})::text FROM {relation} r WHERE r.id = $1");
    session.lookups().find_value(&sql, &[&id]).await
}

/// Those of the records that exist, as a JSON array in the order of `ids`.
pub async fn find_all(session: &Session, collection: &Collection, ids: &[Uuid]) -> Result<String, StoreError> {
    let (relation, record) = (collection.relation(), collection.representation());
    let sql = format!(
        "SELECT '[' || coalesce(string_agg(({record})::text, ',' ORDER BY sent.place), '') || ']'
         FROM unnest($1::uuid[]) WITH ORDINALITY AS sent (id, place) JOIN {relation} r ON r.id = sent.id"
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
    if let Some(plural) = collection.written_as {
        session.execute(&format!("SELECT add_{plural}(ARRAY[$1::jsonb])"), &[&doc]).await?;
    } else if collection.volatile.is_empty() {
        let Written { names, values, from } = plain::written(collection, "FROM ", "$2::jsonb");
        let sql = format!("INSERT INTO {table} (id{names}) SELECT $1{values} {from}");
        session.execute(&sql, &[&id, &doc]).await?;
    } else {
        let sql = format!(
            "WITH added AS (INSERT INTO {table} (id, doc) VALUES ($1, $2))
             INSERT INTO {table}_state (id, state) VALUES ($1, $3)"
        );
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
    let sql = replace_sql(collection);
    let row = session.get(&sql, &[&id, &Value::Object(record), &expected]).await?;
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
    let (table, relation, record) = (collection.table, collection.relation(), collection.representation());
    let doc = match collection.metadata {
        true => {
            "$2::jsonb || jsonb_build_object('metadata', ($2::jsonb->'metadata') || (coalesce(old.rec->'metadata', '{}')
             - 'updatedDate' - 'updatedByUserId' - 'updatedByUsername'))"
        }
        false => "$2::jsonb",
    };
    let guard = match collection.versioned {
        true => "AND (old.rec->>'_version')::bigint IS NOT DISTINCT FROM $3",
        false => "",
    };
    let missing = match collection.upsert {
        true => "WHERE NOT EXISTS (SELECT FROM old)",
        false => "WHERE false",
    };
    let (changed, added) = match collection.written_as {
        Some(plural) => (
            format!("SELECT change_{plural}(ARRAY[new.doc]) FROM new"),
            format!("SELECT add_{plural}(ARRAY[$2::jsonb]) {missing}"),
        ),
        None => {
            let Written { names, values, from } = plain::written(collection, "FROM ", "$2::jsonb");
            let next = plain::written(collection, "FROM ", "new.doc");
            let [set, to] = [&next.names, &next.values].map(|list| list.trim_start_matches(", "));
            let derived = next.from;
            (
                format!(
                    "UPDATE {table} r SET ({set}) = (SELECT {to} {derived}) FROM new WHERE r.id = new.id RETURNING 1"
                ),
                format!("INSERT INTO {table} (id{names}) SELECT $1{values} {from} {missing} RETURNING 1"),
            )
        }
    };
    format!(
        "WITH old AS (SELECT r.id, {record} AS rec FROM {relation} r WHERE r.id = $1::uuid FOR UPDATE),
         new AS (SELECT old.id, {doc} AS doc FROM old WHERE true {guard}),
         changed AS ({changed}),
         added AS ({added})
         SELECT EXISTS (SELECT FROM old) AS found, (SELECT (rec->>'_version')::bigint FROM old) AS version,
                EXISTS (SELECT FROM changed) AS changed, EXISTS (SELECT FROM added) AS added,
                $2::jsonb IS NULL, $3::bigint IS NULL"
    )
}

/// Deletes a record; returns false if it does not exist.
///
/// # Errors
/// [`StoreError::ForeignKey`] if other records refer to it.
pub async fn delete(session: &Session, collection: &Collection, id: Uuid) -> Result<bool, StoreError> {
    if let Some(plural) = collection.written_as {
        let removed: i64 = session.value(&format!("SELECT remove_{plural}(ARRAY[$1::uuid])"), &[&id]).await?;
        return Ok(removed > 0);
    }
    let sql = format!("DELETE FROM {} WHERE id = $1", collection.table);
    Ok(session.execute(&sql, &[&id]).await? > 0)
}

/// Streams the ids of the records that match a query, as JSON texts in `id`, for answers that do not fit in memory. Of a part of them
/// each row has the number of all in `total`.
///
/// # Errors
/// [`StoreError`] if the statement cannot start; later errors come with the rows.
pub async fn stream_ids(
    session: &Session,
    collection: &Collection,
    plan: &Plan,
    limit: Option<i64>,
    offset: i64,
) -> Result<Rows, StoreError> {
    let mut parameters = Vec::new();
    let condition = plan.condition.sql().numbered(&mut parameters);
    let found = format!("FROM {} r WHERE {condition}", collection.relation());
    let (total, most) = match limit {
        Some(limit) => (format!("(SELECT count(*) {found})"), format!("LIMIT {limit}")),
        None => ("NULL::bigint".to_owned(), String::new()),
    };
    let sql = format!(
        "SELECT json_build_object('id', r.id)::text AS id, {total} AS total {found} ORDER BY r.seq {most} OFFSET {offset}"
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
    if let Some(plural) = collection.written_as {
        let added: i64 = session.value(&format!("SELECT add_missing_{plural}($1)"), &[&values(records)]).await?;
        return Ok(added.unsigned_abs());
    }
    insert_many(session, collection, records, "ON CONFLICT DO NOTHING").await
}

/// Adds complete records in one statement, all or none.
pub async fn insert_all(
    session: &Session,
    collection: &Collection,
    records: Vec<Map<String, Value>>,
) -> Result<(), StoreError> {
    if let Some(plural) = collection.written_as {
        session.execute(&format!("SELECT add_{plural}($1)"), &[&values(records)]).await?;
        return Ok(());
    }
    insert_many(session, collection, records, "").await.map(drop)
}

async fn insert_many(
    session: &Session,
    collection: &Collection,
    records: Vec<Map<String, Value>>,
    on_conflict: &str,
) -> Result<u64, StoreError> {
    let table = collection.table;
    let Written { names, values: columns, from } = plain::written(collection, ", ", "new.doc");
    let sql = format!(
        "INSERT INTO {table} (id{names})
         SELECT (new.doc->>'id')::uuid{columns}
         FROM unnest($1::jsonb[]) WITH ORDINALITY AS new (doc, place){from} ORDER BY new.place
         {on_conflict}"
    );
    session.execute(&sql, &[&values(records)]).await
}

fn values(records: Vec<Map<String, Value>>) -> Vec<Value> {
    records.into_iter().map(Value::Object).collect()
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
        let (table, relation) = (collection.table, collection.relation());
        match collection.written_as {
            Some(plural) => format!("SELECT remove_{plural}(array_agg(r.id)) FROM {relation} r WHERE {condition}"),
            None => format!("DELETE FROM {table} WHERE id IN (SELECT r.id FROM {relation} r WHERE {condition})"),
        }
    };
    let statement = Statement { sql, parameters };
    session.execute(&statement.sql, &statement.values()).await?;
    Ok(())
}

/// Adds a record, of a table with documents, and returns it as clients see it, with members computed at read time.
pub async fn insert_and_read(
    session: &Session,
    collection: &Collection,
    id: Uuid,
    record: Map<String, Value>,
) -> Result<String, StoreError> {
    let (table, shown) = (collection.table, collection.representation());
    let sql =
        format!("WITH r AS (INSERT INTO {table} (id, doc) VALUES ($1, $2) RETURNING *) SELECT ({shown})::text FROM r");
    session.value(&sql, &[&id, &Value::Object(record)]).await
}

/// True if the collection has no records.
pub async fn is_empty(session: &Session, collection: &Collection) -> Result<bool, StoreError> {
    let sql = format!("SELECT NOT EXISTS (SELECT FROM {})", collection.table);
    session.value(&sql, &[]).await
}
