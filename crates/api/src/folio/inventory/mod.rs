//! The inventory: instances, holdings, items and their reference data (docs/folio/inventory.md).
//!
//! Plain reference data needs no code here: `inventory::collections` declares it and [`crate::collections`] serves it.

mod batch;
mod business;
mod changed_links;
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

pub(super) use kind::write_items_together;

use inventory::write::NotWritten;

use crate::{answer::Problem, call::Call, collections::Channel, route::Routes};

/// The refusal of a change of an item that another record makes, as a PUT of the item would get it.
pub(super) fn item_problem(call: &Call, refused: NotWritten) -> Problem {
    refusals::problem(call, kind::Kind::Items, Channel::Put, refused)
}

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
