//! The statement of a list: a page, assembled as JSON by PostgreSQL, and the total number.
//!
//! The total is exact if the page itself shows it, counted up to [`EXACT_UP_TO`], and estimated beyond. The estimate is
//! made only when needed: the planner's if an index keeps statistics of the compared expression, otherwise one from a
//! sample of the table. The text depends only on the shape of the query (values, limit and offset are parameters), so
//! it is prepared once.

use postgres_types::ToSql;

use crate::collection::Collection;

use super::condition::Condition;
use super::order::OrderColumn;
use super::planner::Plan;
use super::sql::Parameter;

/// Totals up to this number are counted exactly, and so are totals that the page itself shows.
pub const EXACT_UP_TO: i64 = 10_000;
/// If unique fields limit the result to this many records, all of them are fetched and counted.
const FEW: usize = 1_000;

/// SQL with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub sql: String,
    pub parameters: Vec<Parameter>,
}

impl Statement {
    pub fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        self.parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
    }
}

/// The statement of a page of at most `limit` records after the first `offset`.
///
/// Its only row has the columns `records` (text: a JSON array) and `total` (bigint). Without an order in the query,
/// records come in the order of insertion.
pub fn page(collection: &Collection, plan: &Plan, limit: i64, offset: i64) -> Statement {
    found(collection, plan, limit, offset, |found| {
        format!(
            "{}SELECT '[' || coalesce((SELECT string_agg(record, ',') FROM ({}) AS page), '') || ']' AS records, \
             ({}) AS total",
            found.with, found.records, found.total
        )
    })
}

/// The statement of the same page as rows, for pages that do not fit in memory.
///
/// Each row has a record in the column `record` (text); the last one has only the column `total` (bigint).
pub fn rows(collection: &Collection, plan: &Plan, limit: i64, offset: i64) -> Statement {
    found(collection, plan, limit, offset, |found| {
        format!(
            "{}SELECT record, NULL::bigint AS total FROM ({}) AS page \
             UNION ALL SELECT NULL, ({})",
            found.with, found.records, found.total
        )
    })
}

fn found(
    collection: &Collection,
    plan: &Plan,
    limit: i64,
    offset: i64,
    shape: impl FnOnce(Found) -> String,
) -> Statement {
    let mut parameters = Vec::new();
    let condition = plan.condition.sql().numbered(&mut parameters);
    let mut writer = Writer { collection, condition, order: Order::of(&plan.order), parameters };
    let found = match plan.condition.at_most() {
        _ if limit <= 0 => writer.count(),
        Some(rows) if rows <= FEW => writer.small_result(limit, offset),
        _ if plan.condition == Condition::All => writer.whole_table(limit, offset),
        _ => writer.filtered(plan, limit, offset),
    };
    Statement { sql: shape(found), parameters: writer.parameters }
}

/// The parts of a statement that finds a page.
struct Found {
    /// Common to both queries; empty or `WITH …`.
    with: String,
    /// A query of the column `record`, in order.
    records: String,
    /// A query of the total number.
    total: String,
}

struct Writer<'a> {
    collection: &'a Collection,
    condition: String,
    order: Order,
    parameters: Vec<Parameter>,
}

impl Writer<'_> {
    fn bind(&mut self, parameter: Parameter) -> String {
        let cast = match parameter {
            Parameter::Integer(_) => "bigint",
            _ => "text",
        };
        self.parameters.push(parameter);
        format!("${}::{cast}", self.parameters.len())
    }

    fn count(&self) -> Found {
        let (relation, condition) = (self.collection.relation(), &self.condition);
        Found {
            with: String::new(),
            records: "SELECT NULL AS record WHERE false".into(),
            total: format!("SELECT count(*) FROM {relation} r WHERE {condition}"),
        }
    }

    /// For a result known to be small: fetches all of it and cuts out the page.
    fn small_result(&mut self, limit: i64, offset: i64) -> Found {
        let (limit, offset) = (self.bind(Parameter::Integer(limit)), self.bind(Parameter::Integer(offset)));
        let (relation, condition) = (self.collection.relation(), &self.condition);
        let (record, keys) = (self.collection.representation(), self.order.keys());
        let by_key = self.order.by_key("");
        Found {
            with: format!(
                "WITH found AS MATERIALIZED (\
                 SELECT ({record})::text AS record, r.seq{keys} FROM {relation} r WHERE {condition}) "
            ),
            records: format!("SELECT record FROM found ORDER BY {by_key} LIMIT {limit} OFFSET {offset}"),
            total: "SELECT count(*) FROM found".into(),
        }
    }

    /// For all records: walks the table in order.
    fn whole_table(&mut self, limit: i64, offset: i64) -> Found {
        let (limit, offset) = (self.bind(Parameter::Integer(limit)), self.bind(Parameter::Integer(offset)));
        let (table, relation) = (self.collection.table, self.collection.relation());
        let (record, by_value) = (self.collection.representation(), self.order.by_value());
        let bound = bound(&limit, &offset);
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

    /// For a filtered list: finds records up to the bound in the fastest way, then counts and sorts them. If there are
    /// more, walks the table in order, which pays off then.
    fn filtered(&mut self, plan: &Plan, limit: i64, offset: i64) -> Found {
        let (limit, offset) = (self.bind(Parameter::Integer(limit)), self.bind(Parameter::Integer(offset)));
        let (table, relation) = (self.collection.table, self.collection.relation());
        let explained = self.bind(Parameter::Text(plan.condition.sql().inlined()));
        let has_statistics = plan.condition.unserved() == 0;
        let (record, condition) = (self.collection.representation(), &self.condition);
        let (keys, key_names) = (self.order.keys(), self.order.key_names());
        let (by_key, by_value) = (self.order.by_key(""), self.order.by_value());
        let by_page_key = self.order.by_key("page.");
        let bound = bound(&limit, &offset);
        Found {
            with: format!(
                "WITH found AS MATERIALIZED (\
                 SELECT r.id, r.seq{keys} FROM {relation} r WHERE {condition} LIMIT {bound} + 1), \
                 counted AS MATERIALIZED (\
                 SELECT count(*) AS number, count(*) > {bound} AS more FROM found) "
            ),
            records: format!(
                "(SELECT ({record})::text AS record FROM (\
                 SELECT id, seq{key_names} FROM found WHERE NOT (SELECT more FROM counted) \
                 ORDER BY {by_key} LIMIT {limit} OFFSET {offset}) AS page JOIN {relation} r ON r.id = page.id \
                 ORDER BY {by_page_key}) \
                 UNION ALL \
                 (SELECT ({record})::text AS record FROM {relation} r WHERE (SELECT more FROM counted) AND ({condition}) \
                 ORDER BY {by_value} LIMIT {limit} OFFSET {offset})"
            ),
            total: format!(
                "SELECT CASE WHEN more THEN carrel.row_estimate('{table}', '{relation}', {explained}, {has_statistics}, number) \
                 ELSE number END FROM counted"
            ),
        }
    }
}

/// A page always shows the number of records up to its end.
fn bound(limit: &str, offset: &str) -> String {
    format!("greatest({EXACT_UP_TO}, {limit} + {offset})")
}

/// The order of a list; records with equal keys come in the order of insertion.
struct Order {
    columns: Vec<OrderColumn>,
}

impl Order {
    fn of(columns: &[OrderColumn]) -> Self {
        Self { columns: columns.to_vec() }
    }

    /// The keys as additional columns of a subquery.
    fn keys(&self) -> String {
        let key = |(number, column): (usize, &OrderColumn)| format!(", {} AS key{number}", column.sql);
        self.columns.iter().enumerate().map(key).collect()
    }

    fn key_names(&self) -> String {
        (0..self.columns.len()).map(|number| format!(", key{number}")).collect()
    }

    /// Orders by the key columns of that subquery.
    fn by_key(&self, prefix: &str) -> String {
        let key = |(number, column): (usize, &OrderColumn)| format!("{prefix}key{number}{}, ", direction(column));
        let keys: String = self.columns.iter().enumerate().map(key).collect();
        format!("{keys}{prefix}seq")
    }

    /// Orders by expressions on the record, so that an index can be used.
    fn by_value(&self) -> String {
        let key = |column: &OrderColumn| format!("{}{}, ", column.sql, direction(column));
        let keys: String = self.columns.iter().map(key).collect();
        format!("{keys}r.seq")
    }
}

fn direction(column: &OrderColumn) -> &'static str {
    if column.descending { " DESC" } else { "" }
}
