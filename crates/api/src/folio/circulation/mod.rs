//! The desk (folio-circulation): rules, settings, history and what storage offers beside plain records.

mod history;
mod locks;
mod rules;
mod settings;
mod storage;

use crate::route::Routes;

/// Enters the routes of circulation.
pub fn routes(routes: &mut Routes) {
    rules::routes(routes);
    settings::routes(routes);
    history::routes(routes);
    storage::routes(routes);
    locks::routes(routes);
}
