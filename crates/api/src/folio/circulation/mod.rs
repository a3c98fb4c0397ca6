//! Circulation (docs/folio/circulation.md): rules, settings, history, and the storage routes that differ from plain
//! records.

mod anonymization;
mod check_in;
mod check_out;
mod history;
mod items_by_instance;
mod loan_changes;
mod loans;
mod locks;
mod lost_items;
pub(crate) mod notice_jobs;
mod patron_block_events;
mod patron_block_synchronization;
mod patron_blocks;
mod print_events;
mod records;
mod refusals;
mod renew;
mod request_changes;
mod request_jobs;
mod request_reports;
mod requests;
mod rules;
mod rules_queries;
mod sessions;
mod settings;
mod shown;
mod shown_why;
mod storage;
mod surroundings;
mod title_level_toggle;
mod use_at_location;
mod why;

use std::sync::Arc;

use jobs::Kinds;
use store::collection::Collection;

pub(crate) use refusals::{DESK, SETTINGS, STORED, TEXTS};

use crate::{app::Place, route::Routes};

/// Adds the routes of circulation.
pub fn routes(routes: &mut Routes, declared: &[Arc<Collection>]) {
    check_out::routes(routes);
    check_in::routes(routes);
    renew::routes(routes);
    use_at_location::routes(routes);
    why::routes(routes);
    items_by_instance::routes(routes, &super::declared(declared, "instance"));
    sessions::routes(routes);
    loans::routes(routes);
    loan_changes::routes(routes);
    lost_items::routes(routes);
    patron_blocks::routes(routes);
    patron_block_events::routes(routes);
    patron_block_synchronization::routes(routes);
    requests::routes(routes);
    request_changes::routes(routes);
    request_reports::routes(routes);
    request_jobs::routes(routes);
    title_level_toggle::routes(routes);
    anonymization::routes(routes);
    notice_jobs::routes(routes);
    print_events::routes(routes);
    rules::routes(routes, &super::declared(declared, "circulation_rules"));
    rules_queries::routes(routes);
    settings::routes(routes);
    history::routes(routes);
    storage::routes(routes, declared);
    records::routes(routes, declared);
    locks::routes(routes);
}

/// Adds the jobs of circulation.
pub fn jobs(kinds: &mut Kinds<Place>) {
    anonymization::jobs(kinds);
    patron_block_synchronization::jobs(kinds);
    title_level_toggle::jobs(kinds);
}
