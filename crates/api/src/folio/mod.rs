//! FOLIO's API, a module for each of its areas. To add an area, give it a module with
//! `routes(&mut Routes)` and, for plain records, declare collections in its domain crate.

mod authn;
mod calendars;
mod catalogue;
pub mod circulation;
mod fees_fines;
mod notes;
mod okapi;
mod password;
mod perms;
mod settings;
pub(crate) mod users;
mod users_bl;

use std::sync::Arc;

use store::collection::Collection;

use crate::{collections, route::Routes};

/// Every declared collection, in an order in which references point backwards.
#[must_use]
pub fn all_collections() -> Vec<Arc<Collection>> {
    let declared = [
        identity::collections::collections(),
        inventory::collections::collections(),
        patrons::collections::collections(),
        ::circulation::collections::collections(),
    ];
    declared.into_iter().flatten().map(Arc::new).collect()
}

/// Every route of the FOLIO port.
#[must_use]
pub fn all_routes(declared: &[Arc<Collection>]) -> Routes {
    let mut routes = Routes::default();
    okapi::routes(&mut routes);
    authn::routes(&mut routes);
    perms::routes(&mut routes);
    users_bl::routes(&mut routes);
    password::routes(&mut routes);
    for collection in declared {
        collections::enter(&mut routes, collection);
    }
    catalogue::routes(&mut routes);
    calendars::routes(&mut routes, declared);
    fees_fines::routes(&mut routes, declared);
    notes::routes(&mut routes, declared);
    settings::routes(&mut routes, declared);
    users::routes(&mut routes, declared);
    circulation::routes(&mut routes, declared);
    routes
}

/// The declaration of a table.
///
/// # Panics
/// When none of the declared collections has it, which the first test that boots notices.
fn declared(all: &[Arc<Collection>], table: &str) -> Arc<Collection> {
    let found = all.iter().find(|collection| collection.table == table);
    Arc::clone(found.unwrap_or_else(|| panic!("no collection is kept in {table}")))
}
