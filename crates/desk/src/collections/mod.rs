//! What circulation keeps, declared: docs/folio/policies.md, docs/folio/loans.md#stored-loans,
//! docs/folio/requests.md#stored-requests, docs/folio/desk-records.md and docs/folio/calendars.md.
//!
//! Routes, validation, tables, CQL and OpenAPI of these records come from their declarations. Loans get their
//! history, counters and the one-open-loan rule in `store/sql/replaceable/`.

mod calendars;
mod loans;
pub mod notice_policy;
mod policies;
mod requests;
mod sessions;
mod settings;

pub use loans::{LOAN_MEMBERS, loan_history, loans};
pub use requests::requests;
pub use settings::circulation_rules;

use store::collection::Collection;

/// A length of time, as policies write it.
pub(crate) const PERIOD: &str = "{duration*:int, intervalId*:(Minutes|Hours|Days|Weeks|Months)}";

/// Every collection of circulation; a table comes after those it refers to.
#[must_use]
pub fn collections() -> Vec<Collection> {
    let mut all = policies::collections();
    all.extend(settings::collections());
    all.extend([loans(), loan_history(), requests()]);
    all.extend(sessions::collections());
    all.push(calendars::calendars());
    all
}
