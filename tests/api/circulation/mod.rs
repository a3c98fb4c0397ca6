//! The desk (docs/folio/circulation.md).

mod anonymization;
mod block_synchronization;
mod blocks;
mod check_in;
mod check_out;
mod contention;
mod events;
mod fines;
mod item_facts;
mod items_by_instance;
pub(crate) mod lending_library;
mod loans;
mod log;
mod log_ageing;
mod log_pages;
mod lost_items;
mod plans;
mod policies;
mod refusals;
mod renew;
mod request_copies;
mod request_corners;
mod request_faults;
mod request_queues;
mod request_races;
mod request_services;
mod requests;
mod rules;
mod storm;
mod titles_off;
mod use_at_location;
pub(crate) mod webhooks;
mod why;
mod why_blocked;
mod why_refused_return;

use lending_library::{LendingLibrary, id};
