//! The declared collections of patrons, their fees and blocks.
//!
//! Routes, validation, tables, CQL and OpenAPI follow from the declarations; handlers in `api::folio` serve the routes
//! that a declaration lists in `without`.

mod blocks;
mod fees_fines;
mod satellites;
mod users;

pub use users::{USERS, users};

use store::collection::Collection;

/// All collections of this crate, each after those it refers to.
pub fn collections() -> Vec<Collection> {
    let mut all = users::collections();
    all.extend(satellites::collections());
    all.extend(fees_fines::collections());
    all.extend(blocks::collections());
    all
}
