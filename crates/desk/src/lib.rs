//! The desk: reads what a decision needs, decides and writes. A check-out or check-in takes two round trips, one more
//! if the cached configuration is outdated, and a check-out another one if the patron is near an item limit.
//!
//! Each write repeats the assumptions of its decision in the database. If one of them no longer holds because of a
//! concurrent change, the desk reads and decides again.

mod at_rest;
mod check_in;
mod check_out;
pub mod collections;
mod columns;
mod fees;
mod loans;
mod lost_items;
mod notices;
mod ordinary;
mod renew;
mod reports;
mod requests;
mod use_at_location;
pub mod why;

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use circulation::configuration::Configuration;
use jiff::Timestamp;
use refusals::{Refusal, Refused};
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    db::{Row, Transaction},
    record::Rejection,
    statements::circulation::READ_CONFIGURATION,
};
use uuid::Uuid;

pub use check_in::{CheckedIn, check_in};
pub use check_out::{CheckedOut, Policies, check_out, dry_run};
pub use fees::{Acted, act_upon_accounts, check_action};
pub use loans::{
    Anonymized, Changed, Forgets, PastLoans, add_info, anonymize_all_of_user, anonymize_and_tell, anonymize_listed,
    anonymize_request, anonymize_requests, anonymize_user, change_due_date, claim_returned, create_loan, forgets,
    replace_loan,
};
pub use lost_items::{
    CostDecision, age_to_lost, bill_lost_items, decide_actual_cost, declare_lost, expire_actual_costs, mark_missing,
};
pub use notices::{deal_with_events, process_reminders, process_scheduled};
pub use renew::{Renewed, renew};
pub use reports::{Report, SlipRow, hold_shelf_clearance, items_in_transit, slips};
pub use requests::{
    ChangedRequest, Copies, RequestSubject, ShownQueue, delete_request, expire_requests, move_request, place_request,
    place_title_request, read_request, reorder_queue, replace_request,
};
pub use use_at_location::{UsageChanged, change_usage};

use columns::Columns;

/// Per-tenant desk with its cached configuration.
pub struct Desk {
    configuration: ArcSwapOption<Configuration>,
    use_at_location: bool,
}

/// Why an operation failed.
#[derive(Debug)]
pub enum Failed {
    /// A check refused it.
    Refused(Refused),
    /// The record violates its schema.
    Rejected(Rejection),
    /// A database error.
    Store(StoreError),
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Failed::Store(error)
    }
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Failed::Refused(refused)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Failed::Refused(refusal.into())
    }
}

impl From<Rejection> for Failed {
    fn from(rejection: Rejection) -> Self {
        Failed::Rejected(rejection)
    }
}

/// The user who performs an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operator(pub Option<Uuid>);

impl Desk {
    /// Starts with an empty cache. `use_at_location` enables loans for use in the library.
    pub fn new(use_at_location: bool) -> Desk {
        Desk { configuration: ArcSwapOption::empty(), use_at_location }
    }

    /// The configuration in `version`; no round trip if it is cached.
    pub async fn configuration(&self, session: &Session, version: i64) -> Result<Arc<Configuration>, StoreError> {
        if let Some(known) = self.configuration.load_full().filter(|c| c.version == version) {
            return Ok(known);
        }
        self.reload(session).await
    }

    /// The same within a transaction, on its connection.
    pub(crate) async fn configuration_in(
        &self,
        transaction: &Transaction,
        version: i64,
    ) -> Result<Arc<Configuration>, StoreError> {
        let known = self.configuration.load_full();
        if let Some(known) = known.filter(|known| known.version == version) {
            return Ok(known);
        }
        let rows = transaction.query(READ_CONFIGURATION, &[]).await?;
        match rows.first() {
            Some(row) => self.keep(row),
            None => Err(StoreError::Other("the configuration has no version".into())),
        }
    }

    /// The cached configuration, possibly outdated until the desk's next statement; `None` before the first.
    pub fn remembered(&self) -> Option<Arc<Configuration>> {
        self.configuration.load_full()
    }

    /// The current configuration. One round trip, two if the cached one is outdated.
    pub async fn current(&self, session: &Session) -> Result<Arc<Configuration>, StoreError> {
        let sql = store::statements::circulation::CONFIGURATION_VERSION;
        let version = session.value(sql, &[]).await?;
        self.configuration(session, version).await
    }

    /// Reloads the configuration. One round trip.
    pub(crate) async fn reload(&self, session: &Session) -> Result<Arc<Configuration>, StoreError> {
        let row = session.get(READ_CONFIGURATION, &[]).await?;
        self.keep(&row)
    }

    fn keep(&self, row: &Row) -> Result<Arc<Configuration>, StoreError> {
        let (version, records): (i64, Value) = (row.column("version")?, row.column("records")?);
        let read = Arc::new(Configuration {
            use_at_location: self.use_at_location,
            has_listeners: row.column("has_listeners")?,
            ..Configuration::read(version, &records)
        });
        self.configuration.store(Some(Arc::clone(&read)));
        Ok(read)
    }
}

/// `metadata` of a new record.
fn created(operator: Operator, now: Timestamp) -> Value {
    let now = circulation::dates::stored(now).to_string();
    match operator.0 {
        Some(user) => json!({"createdDate": now, "createdByUserId": user,
            "updatedDate": now, "updatedByUserId": user}),
        None => json!({"createdDate": now, "updatedDate": now}),
    }
}

/// The members of `metadata` that a change sets.
fn updated(operator: Operator, now: Timestamp) -> Value {
    let now = circulation::dates::stored(now).to_string();
    match operator.0 {
        Some(user) => json!({"updatedDate": now, "updatedByUserId": user}),
        None => json!({"updatedDate": now}),
    }
}
