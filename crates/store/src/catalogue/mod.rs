//! Reading and writing instances, holdings and items, any number of them in one round trip.
//!
//! The `read_…` functions return what a change depends on, in the order of the ids asked for. The `write_…`
//! functions call `sql/replaceable/catalogue.sql`, which repeats the assumptions of the decision: when one of
//! them no longer holds, [`StoreError::Conflict`] asks to read and decide again.

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

/// A record as stored.
pub type Record = Map<String, Value>;

/// An item as it is and the holdings record it (or its replacement) belongs to.
#[derive(Debug, Clone)]
pub struct ItemContext {
    /// The item, when there is one with the id.
    pub stored: Option<Record>,
    /// Of the holdings record named in the request, or else the item's own, what the item takes part of.
    pub holdings: Option<Record>,
}

/// What a change of items depends on; `holdings_ids` names the holdings records the request puts them in.
///
/// # Errors
/// [`StoreError`].
pub async fn read_items(
    session: &Session,
    ids: &[Uuid],
    holdings_ids: &[Option<Uuid>],
) -> Result<Vec<ItemContext>, StoreError> {
    let sql = "SELECT r.doc || r.state, CASE WHEN h.id IS NOT NULL THEN holdings_inputs(h.doc) END
        FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS sent (id, holdings_id, place)
        LEFT JOIN item r ON r.id = sent.id
        LEFT JOIN holdings_record h ON h.id = coalesce(sent.holdings_id, r.holdingsrecordid)
        ORDER BY sent.place";
    let rows = session.query(sql, &[&ids, &holdings_ids]).await?;
    let context = |row: &Row| ItemContext {
        stored: record(row.get(0)),
        holdings: record(row.get(1)),
    };
    Ok(rows.iter().map(context).collect())
}

/// A holdings record as it is, with the items that a change of it concerns.
#[derive(Debug, Clone)]
pub struct HoldingsContext {
    /// The holdings record, when there is one with the id.
    pub stored: Option<Record>,
    /// The name of its source, `MARC` or `FOLIO`.
    pub source: Option<String>,
    /// When the change moves the record: the id of each item and the members its effective values are computed
    /// from.
    pub items: Option<Vec<(Uuid, Record)>>,
}

/// What a change of holdings records depends on. `sent` are the records of the request, or with `partial` the
/// members to change; items are read for those whose members in `moving` differ from what is stored.
///
/// # Errors
/// [`StoreError`].
pub async fn read_holdings(
    session: &Session,
    ids: &[Uuid],
    sent: &[Value],
    partial: bool,
    moving: &[&str],
) -> Result<Vec<HoldingsContext>, StoreError> {
    let sql = "SELECT r.doc, i.items, source.doc->>'name'
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
    let rows = session
        .query(sql, &[&ids, &sent, &partial, &moving])
        .await?;
    let context = |row: &Row| HoldingsContext {
        stored: record(row.get(0)),
        items: row.get::<_, Option<Value>>(1).map(item_inputs),
        source: row.get(2),
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

/// The instances with these ids.
///
/// # Errors
/// [`StoreError`].
pub async fn read_instances(
    session: &Session,
    ids: &[Uuid],
) -> Result<Vec<Option<Record>>, StoreError> {
    let sql = "SELECT r.doc FROM unnest($1::uuid[]) WITH ORDINALITY AS sent (id, place)
        LEFT JOIN instance r ON r.id = sent.id ORDER BY sent.place";
    let rows = session.query(sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| record(row.get(0))).collect())
}

/// Records to write, with the version each replaces; `None` adds it.
#[derive(Debug, Clone, Default)]
pub struct Writes {
    /// Complete records; a missing `hrid` (and `order` of an item) is given by the database.
    pub records: Vec<Record>,
    /// For each record the stored version it replaces.
    pub expected: Vec<Option<i64>>,
    /// Whether the added records are returned.
    pub answer: bool,
}

/// The links to write with an instance, by mod-inventory's member names, and the `metadata` of new ones.
#[derive(Debug, Clone, Copy)]
pub struct Links<'a> {
    /// Some of `parentInstances`, `childInstances`, `precedingTitles`, `succeedingTitles`.
    pub lists: &'a Value,
    /// `metadata` of links added.
    pub stamp: &'a Value,
}

/// Writes instances, and the links of the first one; returns those added as JSON texts.
///
/// # Errors
/// [`StoreError::Conflict`] to decide again; violations of keys.
pub async fn write_instances(
    session: &Session,
    writes: Writes,
    links: Option<Links<'_>>,
) -> Result<Vec<String>, StoreError> {
    let records = values(writes.records);
    let (expected, answer) = (&writes.expected, &writes.answer);
    let rows = match links {
        None => {
            let sql = "SELECT write_instances($1, $2, $3)";
            session.query(sql, &[&records, expected, answer]).await?
        }
        Some(Links { lists, stamp }) => {
            let sql = "SELECT write_instance_with_links($1, $2, $3, $4, $5)";
            let parameters: [Parameter<'_>; 5] = [&records, expected, answer, lists, stamp];
            session.query(sql, &parameters).await?
        }
    };
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// New effective values for the items of holdings records that move.
#[derive(Debug, Clone, Default)]
pub struct Recomputed {
    /// The holdings records that move.
    pub moved: Vec<Uuid>,
    /// All their items.
    pub item_ids: Vec<Uuid>,
    /// What the values of each item were computed from.
    pub inputs: Vec<Value>,
    /// The effective values of each item.
    pub effective: Vec<Value>,
    /// Who changed them and when, as members of `metadata`.
    pub stamp: Value,
}

/// Writes holdings records and the effective values of their items; returns those added as JSON texts.
///
/// # Errors
/// [`StoreError::Conflict`] to decide again; violations of keys.
pub async fn write_holdings(
    session: &Session,
    writes: Writes,
    items: &Recomputed,
) -> Result<Vec<String>, StoreError> {
    let records = values(writes.records);
    let sql = "SELECT write_holdings($1, $2, $3, $4, $5, $6, $7, $8)";
    let rows = session
        .query(
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
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Writes items; `holdings` are the holdings records, with their versions, that the effective values were
/// computed from. Returns the items added as JSON texts.
///
/// # Errors
/// [`StoreError::Conflict`] to decide again; violations of keys.
pub async fn write_items(
    session: &Session,
    writes: Writes,
    collection: &Collection,
    holdings: &[(Uuid, i64)],
) -> Result<Vec<String>, StoreError> {
    let records = writes.records.into_iter();
    let (docs, states): (Vec<_>, Vec<_>) = records.map(|record| collection.split(record)).unzip();
    let (ids, versions): (Vec<_>, Vec<_>) = holdings.iter().copied().unzip();
    let sql = "SELECT write_items($1, $2, $3, $4, $5, $6)";
    let rows = session
        .query(
            sql,
            &[
                &docs,
                &states,
                &writes.expected,
                &ids,
                &versions,
                &writes.answer,
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
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
pub async fn replace_titles(
    session: &Session,
    instance: Uuid,
    titles: Vec<Record>,
) -> Result<(), StoreError> {
    let titles = values(titles);
    let sql = "SELECT replace_titles($1, $2)";
    session.query(sql, &[&instance, &titles]).await?;
    Ok(())
}

/// Makes `contents` the holdings records an item is bound with; false when there is no such item.
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
    let row = session.get(sql, &[&item, &contents, stamp]).await?;
    Ok(row.get(0))
}

/// Whether a record exists, and which of `ids` are ids of records that could be moved to it.
///
/// # Errors
/// [`StoreError`].
pub async fn movable(
    session: &Session,
    target: (&str, Uuid),
    moved: (&str, &[Uuid]),
) -> Result<(bool, Vec<Uuid>), StoreError> {
    let ((target, to), (table, ids)) = (target, moved);
    let sql = format!(
        "SELECT EXISTS (SELECT FROM {target} WHERE id = $1),
                coalesce((SELECT array_agg(id) FROM {table} WHERE id = ANY ($2)), '{{}}')"
    );
    let row = session.get(&sql, &[&to, &ids]).await?;
    Ok((row.get(0), row.get(1)))
}

/// Takes the request that is being filled with an item back into the queue, unless its hold shelf date has passed
/// (docs/folio/inventory-business.md#marking-items).
///
/// # Errors
/// [`StoreError`].
pub async fn release_request(session: &Session, item: Uuid, now: &str) -> Result<(), StoreError> {
    let sql = "UPDATE request SET doc = doc || '{\"status\": \"Open - Not yet filled\"}'
        WHERE itemid = $1
          AND doc->>'status' IN ('Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
          AND coalesce(doc->>'holdShelfExpirationDate', $2) >= $2";
    session.execute(sql, &[&item, &now]).await?;
    Ok(())
}

/// Numbers of human-readable ids that are used: the next instance, holdings record and item are numbered higher.
///
/// # Errors
/// [`StoreError`].
pub async fn numbers_used(session: &Session, last: [u64; 3]) -> Result<(), StoreError> {
    let [instances, holdings, items] = last.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let sql = "SELECT setval('hrid_instances_seq', $1), setval('hrid_holdings_seq', $2), setval('hrid_items_seq', $3)";
    session.get(sql, &[&instances, &holdings, &items]).await?;
    Ok(())
}

/// Makes the next instance, holdings record and item be numbered higher than any that has the prefix of the settings,
/// after records came in with numbers of their own.
///
/// # Errors
/// [`StoreError`].
pub async fn number_past_all(session: &Session) -> Result<(), StoreError> {
    for (kind, table) in [
        ("instances", "instance"),
        ("holdings", "holdings_record"),
        ("items", "item"),
    ] {
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
