//! Declarations of the records that circulation stores: docs/folio/policies.md, docs/folio/loans.md#stored-loans,
//! docs/folio/requests.md#stored-requests, docs/folio/desk-records.md and docs/folio/calendars.md.
//!
//! Routes, validation, tables, CQL and OpenAPI of these records derive from the declarations. Loan history, counters
//! and the one-open-loan rule are in `store/sql/replaceable/`.

mod calendars;
mod loan_policies;
mod loans;
pub mod notice_policy;
mod policies;
mod refusal;
mod requests;
mod sessions;
mod settings;

pub use loans::{LOAN_MEMBERS, loan_columns, loan_history, loan_of_columns, loans};
pub(crate) use loans::{is_returned_in_columns, loan, rest};
pub use refusal::{CODED as CODED_REFUSALS, TABLE as REFUSALS};
pub use requests::requests;
pub use settings::circulation_rules;

use store::collection::Collection;

/// A period in policies.
pub(crate) const PERIOD: &str = "{duration*:int, intervalId*:(Minutes|Hours|Days|Weeks|Months)}";

/// Every circulation collection; a table follows those it refers to.
pub fn collections() -> Vec<Collection> {
    let mut all = policies::collections();
    all.extend(settings::collections());
    all.extend([loans(), loan_history(), requests()]);
    all.extend(sessions::collections());
    all.push(calendars::calendars());
    all
}
