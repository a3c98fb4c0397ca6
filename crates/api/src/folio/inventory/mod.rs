//! The inventory: instances, holdings, items and their reference data (docs/folio/inventory.md).
//!
//! Plain reference data needs no code here: `inventory::collections` declares it and [`crate::collections`] serves it.

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

pub(crate) use refusals::{BUSINESS as BUSINESS_REFUSALS, MOVES, STORAGE as STORAGE_REFUSALS};

use crate::route::Routes;

/// Adds the routes of the inventory.
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
