//! The declared collections of patrons, their money and blocks, and the desk's settings and neighbours.
//!
//! Routes, validation, tables, CQL and OpenAPI of these records come from their declarations; the handlers of
//! `api::folio` have the routes that a declaration names in `without`.

mod blocks;
mod fees_fines;
mod notes;
mod people;
mod satellites;
mod settings;

pub use people::{USERS, users};

use store::collection::Collection;

/// Every collection of this domain; a table comes after those it refers to.
#[must_use]
pub fn collections() -> Vec<Collection> {
    let mut all = people::collections();
    all.extend(satellites::collections());
    all.extend(fees_fines::collections());
    all.extend(blocks::collections());
    all.extend(notes::collections());
    all.extend(settings::collections());
    all
}

/// The text of a member, when it is one.
pub(crate) fn text<'a>(
    record: &'a serde_json::Map<String, serde_json::Value>,
    member: &str,
) -> Option<&'a str> {
    record.get(member).and_then(serde_json::Value::as_str)
}
