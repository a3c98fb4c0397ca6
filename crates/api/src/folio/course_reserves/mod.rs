//! mod-courses (docs/folio/course-reserves.md): terms, departments and the like need only their declarations.

pub(super) mod declarations;
mod listings;
mod refusals;
mod reserves;

use std::sync::Arc;

use store::collection::Collection;

pub(super) use refusals::TABLE;

use super::declared;
use crate::route::Routes;

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    listings::routes(routes, all);
    reserves::routes(routes, &declared(all, declarations::RESERVES));
}

/// The same records, shown by another expression.
fn shown(collection: &Collection, sql: &str) -> Arc<Collection> {
    Arc::new(collection.clone().shown_as(collection.path, collection.list, sql.to_owned()))
}
