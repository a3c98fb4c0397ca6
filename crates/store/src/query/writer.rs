//! What the statements of pages are written from.

use std::borrow::Cow;

use crate::collection::Collection;

use super::order::Order;
use super::sql::Parameter;

/// Totals up to this number are counted exactly, and so are totals that the page itself shows.
pub const EXACT_UP_TO: i64 = 10_000;
/// If unique fields limit the result to this many records, all of them are fetched and counted.
pub(super) const FEW: usize = 1_000;

/// The parts of a statement that finds a page.
pub(super) struct Found {
    /// Common to both queries; empty or `WITH …`.
    pub with: String,
    /// A query of the column `record`, in order.
    pub records: String,
    /// A query of the total number.
    pub total: String,
}

/// What a statement is written from, and its parameters so far.
pub(super) struct Writer<'a> {
    pub collection: &'a Collection,
    /// The condition's SQL.
    pub condition: String,
    pub order: Order,
    pub parameters: Vec<Parameter>,
}

impl Writer<'_> {
    /// What records are searched in: the table alone, unless the condition or the order is about volatile members, or a view
    /// composes the records.
    /// PostgreSQL leaves a useless join out by itself, but not where a step runs only if those before did not answer, and it
    /// does not walk an index alone then.
    pub(super) fn searched(&self) -> Cow<'static, str> {
        let is_volatile = |sql: &str| sql.contains("state");
        match self.collection.is_composed() || is_volatile(&self.condition) || is_volatile(&self.order.by_value()) {
            true => self.collection.relation(),
            false => self.collection.table.into(),
        }
    }

    pub(super) fn bind_number(&mut self, number: i64) -> String {
        self.bind(Parameter::Integer(number))
    }

    pub(super) fn bind(&mut self, parameter: Parameter) -> String {
        let cast = match parameter {
            Parameter::Integer(_) => "bigint",
            _ => "text",
        };
        self.parameters.push(parameter);
        format!("${}::{cast}", self.parameters.len())
    }
}
