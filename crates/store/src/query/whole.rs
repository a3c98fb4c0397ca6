//! The page of a list without a condition: a walk through the table in order.

use super::writer::{EXACT_UP_TO, Found, Writer};

/// From this offset on, the walk reads only what it orders by, and records only at its end.
const DEEP: i64 = 1_000;

/// The page of a list of all records. Where no index gives the order, all of them are sorted by their keys alone.
pub(super) fn whole_table(writer: &mut Writer<'_>, limit: i64, offset: i64) -> Found {
    let (bound_limit, bound_offset) = (writer.bind_number(limit), writer.bind_number(offset));
    if offset >= DEEP || !writer.order.is_walkable() {
        return deep(writer, &bound_limit, &bound_offset);
    }
    let (table, relation) = (writer.collection.table, writer.collection.relation());
    let (record, by_value) = (writer.collection.representation(), writer.order.by_value());
    let (limit, offset) = (bound_limit, bound_offset);
    let bound = format!("greatest({EXACT_UP_TO}, {limit} + {offset})");
    Found {
        with: format!(
            "WITH page AS MATERIALIZED (\
             SELECT ({record})::text AS record FROM {relation} r ORDER BY {by_value} LIMIT {limit} OFFSET {offset}) "
        ),
        records: "SELECT record FROM page".into(),
        total: format!(
            "SELECT CASE WHEN number < {limit} AND (number > 0 OR {offset} = 0) THEN {offset} + number \
             ELSE (SELECT CASE WHEN counted > {bound} THEN carrel.row_estimate('{table}', '{table}', 'TRUE', true, counted) \
             ELSE counted END FROM (SELECT count(*) AS counted FROM (\
             SELECT FROM {table} LIMIT {bound} + 1) AS first) AS counting) END \
             FROM (SELECT count(*) AS number FROM page) AS shown"
        ),
    }
}

/// Skips keys only: an index on `seq` or on the id has all that such a walk reads. One row more than the page has tells
/// whether records follow it.
fn deep(writer: &Writer<'_>, limit: &str, offset: &str) -> Found {
    let Writer { collection, order, .. } = writer;
    let (table, relation, record) = (collection.table, collection.relation(), collection.representation());
    let searched = writer.searched();
    let (by_value, by_page_key, keys) = (order.by_value(), order.by_key("page."), order.keys());
    let (place, columns) = order.place();
    let estimate = |least: &str| format!("carrel.row_estimate('{table}', '{table}', 'TRUE', true, {least})");
    Found {
        with: format!(
            "WITH walked AS MATERIALIZED (\
             SELECT {columns}{keys} FROM {searched} r ORDER BY {by_value} LIMIT {limit} + 1 OFFSET {offset}), \
             page AS MATERIALIZED (SELECT * FROM walked LIMIT {limit}) "
        ),
        records: format!(
            "SELECT ({record})::text AS record FROM page JOIN {relation} r ON r.{place} = page.{place} \
             ORDER BY {by_page_key}"
        ),
        total: format!(
            "SELECT CASE WHEN number > {limit} AND {offset} + number > {EXACT_UP_TO} THEN {more} \
             WHEN number > {limit} THEN (SELECT CASE WHEN counted > {EXACT_UP_TO} THEN {many} ELSE counted END \
             FROM (SELECT count(*) AS counted FROM (SELECT FROM {table} LIMIT {EXACT_UP_TO} + 1) AS first) AS counting) \
             WHEN number > 0 OR {offset} = 0 THEN {offset} + number ELSE (SELECT count(*) FROM {table}) END \
             FROM (SELECT count(*) AS number FROM walked) AS shown",
            more = estimate(&format!("{offset} + number")),
            many = estimate("counted"),
        ),
    }
}
