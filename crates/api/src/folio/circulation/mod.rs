//! The desk (folio-circulation): rules, settings, history and what storage offers beside plain records.

mod check_in;
mod check_out;
mod history;
mod items_by_instance;
mod loan_changes;
mod loans;
mod locks;
mod lost_items;
pub(crate) mod notice_jobs;
mod patron_blocks;
mod print_events;
mod renew;
mod request_changes;
mod request_jobs;
mod request_reports;
mod requests;
mod rules;
mod rules_queries;
mod sessions;
mod settings;
mod storage;
mod surroundings;
mod told;
mod use_at_location;

use std::sync::Arc;

use store::collection::Collection;

use crate::route::Routes;

/// Enters the routes of circulation.
pub fn routes(routes: &mut Routes, declared: &[Arc<Collection>]) {
    check_out::routes(routes);
    check_in::routes(routes);
    renew::routes(routes);
    use_at_location::routes(routes);
    items_by_instance::routes(routes, &super::declared(declared, "instance"));
    sessions::routes(routes);
    loans::routes(routes);
    loan_changes::routes(routes);
    lost_items::routes(routes);
    patron_blocks::routes(routes);
    requests::routes(routes);
    request_changes::routes(routes);
    request_reports::routes(routes);
    request_jobs::routes(routes);
    notice_jobs::routes(routes);
    print_events::routes(routes);
    rules::routes(routes);
    rules_queries::routes(routes);
    settings::routes(routes);
    history::routes(routes);
    storage::routes(routes, declared);
    locks::routes(routes);
}
