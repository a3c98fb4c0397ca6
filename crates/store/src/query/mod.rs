//! From CQL to SQL: what a query means (docs/folio/cql.md) and the one statement that answers it.
//!
//! [`plan`] turns a parsed query into a condition and an order on a collection's table; [`page`] makes the
//! statement of a list from them; [`list`] and [`stream`] do it all. [`expression`] says which SQL expression serves a field, for the indexes of
//! the tables as well as for the conditions, so that a condition always fits its index.

pub mod condition;
pub mod expression;
pub mod sql;

mod compare;
mod elements;
mod identifier;
mod list;
mod number;
mod order;
mod page;
mod planner;
mod target;
mod uncommon;
mod words;

pub use list::{ListRequest, Page, QueryError, Streamed, list, read, stream};
pub use order::OrderColumn;
pub use page::{EXACT_UP_TO, Statement, page};
pub use planner::{Plan, plan};

use crate::collection::Collection;

use identifier::IdColumn;

/// The column of ids that a field is: the primary key or a reference.
fn id_column(collection: &Collection, field: &str) -> Option<IdColumn> {
    if field == "id" {
        return Some(IdColumn {
            name: "id".into(),
            primary: true,
        });
    }
    collection.reference_on(field).map(|reference| IdColumn {
        name: reference.column(),
        primary: false,
    })
}
