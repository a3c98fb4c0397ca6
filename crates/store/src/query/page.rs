//! The statement of a list: a page, assembled as JSON by PostgreSQL, and the total number.
//!
//! The total is exact if the page itself shows it, counted up to [`EXACT_UP_TO`](super::EXACT_UP_TO), and estimated beyond. The estimate is
//! made only when needed: the planner's if an index keeps statistics of the compared expression, otherwise one from a
//! sample of the table. The text depends only on the shape of the query (values, limit and offset are parameters), so
//! it is prepared once.

use postgres_types::ToSql;

use crate::collection::Collection;

use super::condition::Condition;
use super::filtered::filtered;
use super::order::Order;
use super::planner::Plan;
use super::sql::Parameter;
use super::whole::whole_table;
use super::writer::{FEW, Found, Writer};

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
        _ if plan.condition == Condition::All => whole_table(&mut writer, limit, offset),
        _ => filtered(&mut writer, plan, limit, offset),
    };
    Statement { sql: shape(found), parameters: writer.parameters }
}

impl Writer<'_> {
    fn count(&self) -> Found {
        let (relation, condition) = (self.searched(), &self.condition);
        Found {
            with: String::new(),
            records: "SELECT NULL AS record WHERE false".into(),
            total: format!("SELECT count(*) FROM {relation} r WHERE {condition}"),
        }
    }

    /// For a result known to be small: fetches all of it and cuts out the page.
    fn small_result(&mut self, limit: i64, offset: i64) -> Found {
        let (limit, offset) = (self.bind_number(limit), self.bind_number(offset));
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
}
