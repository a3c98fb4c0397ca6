//! The catalogue: instances, holdings, items and what describes them (folio-platform §4).
//!
//! Plain reference data has no code here: it is declared in `inventory::collections` and served by
//! [`crate::collections`].

mod batch;
mod hrid_settings;
mod isbn;
mod kind;
mod locations;
mod reference_data;
mod refusals;
mod storage;

use crate::route::Routes;

/// Enters the catalogue's routes.
pub fn routes(routes: &mut Routes) {
    storage::routes(routes);
    batch::routes(routes);
    hrid_settings::routes(routes);
    isbn::routes(routes);
    locations::routes(routes);
    reference_data::routes(routes);
}
