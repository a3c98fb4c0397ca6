//! The catalogue: instances, holdings, items and what describes them (docs/folio/inventory.md).
//!
//! Plain reference data has no code here: it is declared in `inventory::collections` and served by
//! [`crate::collections`].

mod batch;
mod business;
mod circulation_notes;
mod hierarchy;
mod hrid_settings;
mod instance_batch;
mod instances;
mod isbn;
mod items;
mod kind;
mod links;
mod locations;
mod marks;
mod moves;
mod ownership;
mod reference_data;
mod refusals;
mod storage;
mod views;

use crate::route::Routes;

/// Enters the catalogue's routes.
pub fn routes(routes: &mut Routes) {
    for enter in [
        storage::routes,
        batch::routes,
        hrid_settings::routes,
        isbn::routes,
        locations::routes,
        reference_data::routes,
        links::routes,
        items::routes,
        marks::routes,
        moves::routes,
        ownership::routes,
        instances::routes,
        instance_batch::routes,
        views::routes,
        hierarchy::routes,
    ] {
        enter(routes);
    }
}
