//! Reads and writes instances, holdings and items, any number in one round trip.
//!
//! The `read_…` functions return what a change depends on, in the order of the ids. The `write_…` functions call
//! `sql/replaceable/writes/inventory.sql`, which repeats the assumptions of the decision: if one no longer holds,
//! [`StoreError::Conflict`] asks the caller to read and decide again.

pub mod harvest;
pub mod views;

use serde_json::{Map, Value};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::{
    collection::Collection,
    db::{Parameter, Session},
    error::StoreError,
};

pub type Record = Map<String, Value>;

/// An item, and the holdings record that it (or its replacement) belongs to.
#[derive(Debug, Clone)]
pub struct ItemContext {
    /// The stored item, if there is one with this id.
    pub stored: Option<Record>,
    /// What the item inherits from the holdings record named in the request, or from its own.
    pub holdings: Option<Record>,
}

/// Reads what a change of items depends on; `holdings_ids` are the holdings records named in the request.
pub async fn read_items(
    session: &Session,
    ids: &[Uuid],
    holdings_ids: &[Option<Uuid>],
) -> Result<Vec<ItemContext>, StoreError> {
    let sql =
        "SELECT r.doc || r.state AS stored, CASE WHEN h.id IS NOT NULL THEN holdings_inputs(h.doc) END AS holdings
        FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS sent (id, holdings_id, place)
        LEFT JOIN item_record r ON r.id = sent.id
        LEFT JOIN holdings_record h ON h.id = coalesce(sent.holdings_id, r.holdingsrecordid)
        ORDER BY sent.place";
    let rows = session.query(sql, &[&ids, &holdings_ids]).await?;
    let context = |row: &Row| ItemContext { stored: record(row.get("stored")), holdings: record(row.get("holdings")) };
    Ok(rows.iter().map(context).collect())
}

/// A holdings record, and the items that a change of it affects.
#[derive(Debug, Clone)]
pub struct HoldingsContext {
    /// The stored holdings record, if there is one with this id.
    pub stored: Option<Record>,
    /// Name of its source, `MARC` or `FOLIO`.
    pub source: Option<String>,
    /// If the change moves the record: the id of each item, with the members that determine its effective values.
    pub items: Option<Vec<(Uuid, Record)>>,
}

/// Reads what a change of holdings records depends on. `sent` holds the records of the request or, with `partial`, the
/// members to change. Items are read for records whose `moving` members differ from the stored ones.
pub async fn read_holdings(
    session: &Session,
    ids: &[Uuid],
    sent: &[Value],
    partial: bool,
    moving: &[&str],
) -> Result<Vec<HoldingsContext>, StoreError> {
    let sql = "SELECT r.doc AS stored, i.items, source.doc->>'name' AS source
        FROM unnest($1::uuid[], $2::jsonb[]) WITH ORDINALITY AS sent (id, doc, place)
        LEFT JOIN holdings_record r ON r.id = sent.id
        LEFT JOIN holdings_records_source source ON source.id = r.sourceid
        LEFT JOIN LATERAL (
          SELECT coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'inputs', item_inputs(i.doc))), '[]') AS items
          FROM item i WHERE i.holdingsrecordid = r.id
        ) i ON EXISTS (SELECT FROM unnest($4::text[]) AS member
                       WHERE coalesce(CASE WHEN $3 AND NOT sent.doc ? member THEN r.doc->>member
                                           ELSE sent.doc->>member END, '') <> coalesce(r.doc->>member, ''))
        ORDER BY sent.place";
    let rows = session.query(sql, &[&ids, &sent, &partial, &moving]).await?;
    let context = |row: &Row| HoldingsContext {
        stored: record(row.get("stored")),
        items: row.get::<_, Option<Value>>("items").map(item_inputs),
        source: row.get("source"),
    };
    Ok(rows.iter().map(context).collect())
}

fn item_inputs(items: Value) -> Vec<(Uuid, Record)> {
    let Value::Array(items) = items else {
        return Vec::new();
    };
    let input = |mut item: Value| {
        let id = item["id"].as_str()?.parse().ok()?;
        Some((id, record(Some(item["inputs"].take()))?))
    };
    items.into_iter().filter_map(input).collect()
}

pub async fn read_instances(session: &Session, ids: &[Uuid]) -> Result<Vec<Option<Record>>, StoreError> {
    let sql = "SELECT r.doc FROM unnest($1::uuid[]) WITH ORDINALITY AS sent (id, place)
        LEFT JOIN instance r ON r.id = sent.id ORDER BY sent.place";
    let found = session.values(sql, &[&ids]).await?;
    Ok(found.into_iter().map(record).collect())
}

/// Records to write, each with the version it replaces; `None` adds the record.
#[derive(Debug, Clone, Default)]
pub struct Writes {
    /// Complete records; the database sets a missing `hrid` and an item's missing `order`.
    pub records: Vec<Record>,
    /// The stored version that each record replaces.
    pub expected: Vec<Option<i64>>,
    /// Whether to return the added records.
    pub answer: bool,
}

/// Links to write with an instance, by mod-inventory's member names.
#[derive(Debug, Clone, Copy)]
pub struct Links<'a> {
    /// Some of `parentInstances`, `childInstances`, `precedingTitles`, `succeedingTitles`.
    pub lists: &'a Value,
    /// The `metadata` of added links.
    pub stamp: &'a Value,
}

/// Writes instances, and the links of the first one. Returns the added instances as JSON texts.
///
/// # Errors
/// [`StoreError::Conflict`] to read and decide again; violated keys.
pub async fn write_instances(
    session: &Session,
    writes: Writes,
    links: Option<Links<'_>>,
) -> Result<Vec<String>, StoreError> {
    let records = values(writes.records);
    let (expected, answer) = (&writes.expected, &writes.answer);
    match links {
        None => {
            let sql = "SELECT write_instances($1, $2, $3)";
            session.values(sql, &[&records, expected, answer]).await
        }
        Some(Links { lists, stamp }) => {
            let sql = "SELECT write_instance_with_links($1, $2, $3, $4, $5)";
            let parameters: [Parameter<'_>; 5] = [&records, expected, answer, lists, stamp];
            session.values(sql, &parameters).await
        }
    }
}

/// New effective values for the items of moved holdings records.
#[derive(Debug, Clone, Default)]
pub struct Recomputed {
    pub moved: Vec<Uuid>,
    /// All items of the moved records.
    pub item_ids: Vec<Uuid>,
    /// For each item, what its values were computed from.
    pub inputs: Vec<Value>,
    /// For each item, its effective values.
    pub effective: Vec<Value>,
    /// Who changed them and when, as members of `metadata`.
    pub stamp: Value,
}

/// Writes holdings records and the effective values of their items. Returns the added records as JSON texts.
///
/// # Errors
/// [`StoreError::Conflict`] to read and decide again; violated keys.
pub async fn write_holdings(session: &Session, writes: Writes, items: &Recomputed) -> Result<Vec<String>, StoreError> {
    let records = values(writes.records);
    let sql = "SELECT write_holdings($1, $2, $3, $4, $5, $6, $7, $8)";
    session
        .values(
            sql,
            &[
                &records,
                &writes.expected,
                &items.moved,
                &items.item_ids,
                &items.inputs,
                &items.effective,
                &items.stamp,
                &writes.answer,
            ],
        )
        .await
}

/// What is written in the same transaction as items: a statement that takes what `write_items` takes and then a value.
#[derive(Debug, Clone, Copy)]
pub struct Together<'a> {
    pub sql: &'static str,
    pub value: &'a Value,
}

/// Writes items. `holdings` are the holdings records, with versions, from which the effective values were computed.
/// Returns the added items as JSON texts, or what the statement of `together` returns.
///
/// # Errors
/// [`StoreError::Conflict`] to read and decide again; violated keys.
pub async fn write_items(
    session: &Session,
    writes: Writes,
    collection: &Collection,
    holdings: &[(Uuid, i64)],
    together: Option<Together<'_>>,
) -> Result<Vec<String>, StoreError> {
    let records = writes.records.into_iter();
    let (docs, states): (Vec<_>, Vec<_>) = records.map(|record| collection.split(record)).unzip();
    let (ids, versions): (Vec<_>, Vec<_>) = holdings.iter().copied().unzip();
    let sql = together.map_or("SELECT write_items($1, $2, $3, $4, $5, $6)", |together| together.sql);
    let mut parameters: Vec<Parameter<'_>> = vec![&docs, &states, &writes.expected, &ids, &versions, &writes.answer];
    parameters.extend(together.map(|together| together.value as Parameter<'_>));
    session.values(sql, &parameters).await
}

fn values(records: Vec<Record>) -> Vec<Value> {
    records.into_iter().map(Value::Object).collect()
}

fn record(value: Option<Value>) -> Option<Record> {
    match value {
        Some(Value::Object(members)) => Some(members),
        _ => None,
    }
}

/// Replaces all preceding and succeeding titles of an instance.
///
/// # Errors
/// [`StoreError::ForeignKey`] when an instance does not exist.
pub async fn replace_titles(session: &Session, instance: Uuid, titles: Vec<Record>) -> Result<(), StoreError> {
    let titles = values(titles);
    let sql = "SELECT replace_titles($1, $2)";
    session.query(sql, &[&instance, &titles]).await?;
    Ok(())
}

/// Replaces the holdings records that an item is bound with; returns false if the item does not exist.
///
/// # Errors
/// [`StoreError::ForeignKey`] when a holdings record does not exist.
pub async fn replace_bound_with(
    session: &Session,
    item: Uuid,
    contents: &[Uuid],
    stamp: &Value,
) -> Result<bool, StoreError> {
    let sql = "SELECT replace_bound_with($1, $2, $3)";
    session.value(sql, &[&item, &contents, stamp]).await
}

/// Whether the target record exists, and which of `ids` exist and could be moved to it.
pub async fn movable(
    session: &Session,
    target: (&str, Uuid),
    moved: (&str, &[Uuid]),
) -> Result<(bool, Vec<Uuid>), StoreError> {
    let ((target, to), (table, ids)) = (target, moved);
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {target} WHERE id = $1) AS target_exists,
                coalesce((SELECT array_agg(id) FROM {table} WHERE id = ANY ($2)), '{{}}') AS movable"
    );
    let row = session.get(&sql, &[&to, &ids]).await?;
    Ok((row.get("target_exists"), row.get("movable")))
}

/// Returns the request being filled with an item to the queue, unless its hold shelf date has passed
/// (docs/folio/inventory-business.md#marking-items).
pub async fn release_request(session: &Session, item: Uuid, now: &str) -> Result<(), StoreError> {
    session.execute(crate::statements::circulation::RELEASE_REQUEST, &[&item, &now]).await?;
    Ok(())
}

/// Moves the HRID counters past numbers already used, for instances, holdings and items.
pub async fn numbers_used(session: &Session, last: [u64; 3]) -> Result<(), StoreError> {
    let [instances, holdings, items] = last.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let sql = "SELECT setval('hrid_instances_seq', $1), setval('hrid_holdings_seq', $2), setval('hrid_items_seq', $3)";
    session.get(sql, &[&instances, &holdings, &items]).await?;
    Ok(())
}

/// Moves the HRID counters past every number with the prefix of the settings, after records with HRIDs of their own
/// were loaded.
pub async fn number_past_all(session: &Session) -> Result<(), StoreError> {
    for (kind, table) in [("instances", "instance"), ("holdings", "holdings_record"), ("items", "item")] {
        let sql = format!(
            "SELECT setval('hrid_{kind}_seq', used.number)
             FROM (SELECT coalesce(doc #>> '{{{kind},prefix}}', '') AS prefix FROM hrid_settings) settings,
                  LATERAL (SELECT max(substr(doc->>'hrid', length(prefix) + 1)::bigint) AS number FROM {table}
                           WHERE doc->>'hrid' ~ ('^' || replace(prefix, '.', '\\.') || '[0-9]{{1,11}}$')) used
             WHERE used.number >= (SELECT last_value FROM hrid_{kind}_seq)"
        );
        session.query(&sql, &[]).await?;
    }
    Ok(())
}
