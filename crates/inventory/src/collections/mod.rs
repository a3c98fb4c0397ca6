//! What the catalogue keeps, declared (docs/folio/inventory.md).
//!
//! Routes, validation, tables, CQL and OpenAPI of these records come from their declarations. What instances,
//! holdings and items do beyond that (numbers, effective values, locking) is written in `store::catalogue`.

mod holdings;
mod instances;
mod items;
mod links;
mod locations;
mod reference_data;

pub use holdings::{HOLDINGS_TABLE, holdings};
pub use instances::{INSTANCE_TABLE, instances};
pub use items::{ITEM_STATE, ITEM_TABLE, items};
pub use links::titles;

use store::collection::Collection;

/// Every collection of the catalogue; a table comes after those it refers to.
#[must_use]
pub fn collections() -> Vec<Collection> {
    let mut all = reference_data::collections();
    all.extend(locations::collections());
    all.extend([instances(), holdings(), items()]);
    all.extend(links::collections());
    all
}

/// The text of a member, when it is one.
pub(crate) fn text<'a>(
    record: &'a serde_json::Map<String, serde_json::Value>,
    member: &str,
) -> Option<&'a str> {
    record.get(member).and_then(serde_json::Value::as_str)
}
