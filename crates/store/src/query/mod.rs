//! From CQL to SQL: the meaning of a query (docs/folio/cql.md), and the statement that answers it.
//!
//! [`plan`] turns a parsed query into a condition and an order on a collection's table; [`page`] builds the statement
//! of a list from them; [`list`] and [`stream`] run it. [`expression`] gives the SQL expression of a field to indexes
//! and conditions alike, so that they always match.

pub(crate) mod compact;
pub mod condition;
pub mod expression;
pub mod plain;
pub mod sql;

mod compare;
mod composed;
mod elements;
mod filtered;
pub(crate) mod flag;
mod identifier;
mod list;
mod listed;
mod log;
mod member;
mod number;
mod order;
mod page;
mod planner;
mod stamped;
mod target;
mod told_apart;
mod uncommon;
mod whole;
mod words;
mod writer;

pub use composed::Composed;
pub use list::{ListRequest, Page, QueryError, Streamed, list, read, stream, unresolved};
pub use log::log_page;
pub use order::OrderColumn;
pub use page::{Statement, page};
pub use planner::{Plan, plan};
pub use stamped::{stamped, with_stamp};
pub use writer::EXACT_UP_TO;

use crate::collection::Collection;

use identifier::IdColumn;

/// The id column behind a field: the primary key or a reference.
fn id_column(collection: &Collection, field: &str) -> Option<IdColumn> {
    if field == "id" {
        return Some(IdColumn { name: "id".into(), primary: true, few: true });
    }
    collection.reference_on(field).map(|reference| IdColumn {
        name: reference.column(),
        primary: false,
        few: reference.few,
    })
}
