//! FOLIO's API, with a module for each area. To add an area, write a module with `routes(&mut Routes)` and, for plain
//! records, declare collections in its domain crate, or beside the routes if it has none.

mod authn;
mod authorities;
mod calendars;
pub mod circulation;
mod circulation_log;
mod course_reserves;
mod fees_fines;
mod inventory;
pub(crate) mod messages;
mod notes;
mod okapi;
mod password;
mod perms;
mod pubsub;
mod search;
mod settings;
pub(crate) mod users;
mod users_bl;

use std::sync::Arc;

use refusals::Table;
use store::collection::Collection;

pub(crate) use authn::LOG_IN_REFUSED;
pub use fees_fines::pay_in_order;
pub(crate) use search::catalogue;

use crate::{collections, platform, route::Routes};

/// Every declared collection, each after those it references.
pub fn all_collections() -> Vec<Arc<Collection>> {
    let declared = [
        identity::collections::collections(),
        ::inventory::collections::collections(),
        ::authorities::collections::collections(),
        patrons::collections::collections(),
        notes::declarations::collections(),
        settings::declarations::collections(),
        ::messages::collections::collections(),
        desk::collections::collections(),
        course_reserves::declarations::collections(),
        vec![circulation_log::collection()],
    ];
    declared.into_iter().flatten().map(Arc::new).collect()
}

/// Every route on the FOLIO port.
pub fn all_routes(declared: &[Arc<Collection>]) -> Routes {
    let mut routes = Routes::default();
    okapi::routes(&mut routes);
    authn::routes(&mut routes, declared);
    perms::routes(&mut routes, declared);
    users_bl::routes(&mut routes, declared);
    password::routes(&mut routes);
    for collection in declared {
        collections::enter(&mut routes, collection);
    }
    inventory::routes(&mut routes);
    calendars::routes(&mut routes, declared);
    fees_fines::routes(&mut routes, declared);
    messages::routes(&mut routes, declared);
    notes::routes(&mut routes, declared);
    settings::routes(&mut routes, declared);
    users::routes(&mut routes, declared);
    circulation::routes(&mut routes, declared);
    pubsub::routes(&mut routes);
    search::routes(&mut routes);
    authorities::routes(&mut routes, declared);
    course_reserves::routes(&mut routes, declared);
    circulation_log::routes(&mut routes, declared);
    routes
}

/// The refusal tables of all areas.
pub fn refusal_tables() -> Vec<&'static Table> {
    let others = [
        collections::REFUSALS,
        desk::collections::REFUSALS,
        desk::collections::CODED_REFUSALS,
        ::inventory::refusal::TABLE,
        inventory::STORAGE_REFUSALS,
        inventory::BUSINESS_REFUSALS,
        inventory::MOVES,
        patrons::refusal::USERS,
        patrons::refusal::BLOCKS,
        patrons::refusal::FEES,
        ::messages::refusal::TEMPLATES,
        ::messages::refusal::MESSAGES,
        ::messages::refusal::MAIL_SERVER,
        circulation::DESK,
        circulation::SETTINGS,
        circulation::STORED,
        circulation::TEXTS,
        users::TABLE,
        users::PINS,
        perms::TABLE,
        authn::LOG_IN,
        authn::TABLE,
        users_bl::TABLE,
        users_bl::PASSWORDS,
        password::TABLE,
        fees_fines::TABLE,
        fees_fines::TYPES,
        fees_fines::REPORTS,
        notes::TABLE,
        settings::TABLE,
        settings::STORED,
        settings::AUDIT,
        pubsub::TABLE,
        pubsub::DECLARATIONS,
        ::catalogue::refusal::TABLE,
        ::authorities::refusal::TABLE,
        course_reserves::TABLE,
        okapi::TABLE,
        platform::TABLE,
    ];
    [::circulation::REFUSALS, &others].concat()
}

/// Looks up the declaration of a table. Panics if no declared collection has it, which fails every test that boots.
fn declared(all: &[Arc<Collection>], table: &str) -> Arc<Collection> {
    let found = all.iter().find(|collection| collection.table == table);
    Arc::clone(found.unwrap_or_else(|| panic!("no collection is kept in {table}")))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn paths_and_tables_of_collections_occur_once() {
        let all = all_collections();
        for name in [|c: &Collection| c.path, |c: &Collection| c.table] {
            let names: HashSet<_> = all.iter().map(|collection| name(collection)).collect();
            assert_eq!(names.len(), all.len());
        }
    }

    #[test]
    fn every_searched_field_of_a_collection_is_declared() {
        for collection in all_collections() {
            let virtuals: Vec<_> = collection.virtuals.iter().map(|field| field.name).collect();
            let indexed = collection.indexes.iter().map(|index| index.field);
            let uniques = collection.uniques.iter();
            let unique = uniques.flat_map(|unique| unique.fields.iter().copied());
            let references = collection.references.iter();
            let referring = references.map(|reference| reference.field);
            for field in indexed.chain(unique).chain(referring) {
                let known = virtuals.contains(&field) || collection.schema.find(field).is_some();
                assert!(known, "{}: {field}", collection.path);
            }
        }
    }

    #[test]
    fn references_lead_to_tables_declared_before() {
        let mut known = HashSet::new();
        for collection in all_collections() {
            let references = collection.references.iter();
            for target in references.filter_map(|reference| reference.table) {
                let table = collection.table;
                assert!(known.contains(target), "{table} refers to {target}");
            }
            known.insert(collection.table);
        }
    }
}
