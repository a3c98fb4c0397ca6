//! The desk at work: reads what a decision needs, decides, writes. Two round trips for a check-out or
//! a check-in, one more when the configuration in memory is out of date.
//!
//! What is written repeats the assumptions of the decision in the database. When one of them no longer
//! holds, somebody else was faster: the desk reads and decides again.

mod at_rest;
mod check_in;
mod check_out;
pub mod collections;
mod columns;
mod fees;
mod loans;
mod lost_items;
mod notices;
mod renew;
mod reports;
mod requests;
mod use_at_location;

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use circulation::configuration::Configuration;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    collection::Fault,
    db::{Row, Transaction},
    record::Rejection,
    statements::circulation::READ_CONFIGURATION,
};
use uuid::Uuid;

pub use check_in::{CheckedIn, check_in};
pub use check_out::{CheckedOut, Policies, check_out, dry_run};
pub use fees::{Acted, act_upon_accounts, check_action};
pub use loans::{
    Anonymized, Changed, Forgets, PastLoans, add_info, anonymize_and_tell, anonymize_requests,
    change_due_date, claim_returned, create_loan, forgets, replace_loan,
};
pub use lost_items::{
    CostDecision, age_to_lost, bill_lost_items, decide_actual_cost, declare_lost,
    expire_actual_costs, mark_missing,
};
pub use notices::{deal_with_events, process_reminders, process_scheduled};
pub use renew::{Renewed, renew};
pub use reports::{Report, SlipRow, hold_shelf_clearance, items_in_transit, slips};
pub use requests::{
    ChangedRequest, Copies, RequestSubject, ShownQueue, delete_request, expire_requests,
    move_request, place_request, place_title_request, read_request, reorder_queue, replace_request,
};
pub use use_at_location::{UsageChanged, change_usage};

use columns::Columns;

/// What the desk keeps in memory for a tenant.
pub struct Desk {
    configuration: ArcSwapOption<Configuration>,
    use_at_location: bool,
}

/// Why the desk did nothing.
#[derive(Debug)]
pub enum Failed<R> {
    /// It decided so.
    Refused(R),
    /// The record breaks its declaration.
    Unkept(Unkept),
    /// The database failed.
    Store(StoreError),
}

impl<R> From<StoreError> for Failed<R> {
    fn from(error: StoreError) -> Self {
        Failed::Store(error)
    }
}

/// Why a record is not kept.
#[derive(Debug)]
pub enum Unkept {
    /// It breaks its schema.
    Rejected(Rejection),
    /// It breaks a rule of its collection.
    Fault(Fault),
}

impl From<Rejection> for Unkept {
    fn from(rejection: Rejection) -> Self {
        Unkept::Rejected(rejection)
    }
}

impl From<Fault> for Unkept {
    fn from(fault: Fault) -> Self {
        Unkept::Fault(fault)
    }
}

/// Who works at the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operator(pub Option<Uuid>);

impl Desk {
    /// A desk that remembers nothing yet. With `use_at_location` items may be lent to be read in the library.
    #[must_use]
    pub fn new(use_at_location: bool) -> Desk {
        Desk {
            configuration: ArcSwapOption::empty(),
            use_at_location,
        }
    }

    /// The configuration in `version`; no round trip when it is the one in memory.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn configuration(
        &self,
        session: &Session,
        version: i64,
    ) -> Result<Arc<Configuration>, StoreError> {
        if let Some(known) = self
            .configuration
            .load_full()
            .filter(|c| c.version == version)
        {
            return Ok(known);
        }
        self.reload(session).await
    }

    /// The same inside a transaction, which needs no other connection for it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn configuration_in(
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

    /// The configuration in memory, which may be out of date until the next statement of the desk; none before the
    /// first.
    #[must_use]
    pub fn remembered(&self) -> Option<Arc<Configuration>> {
        self.configuration.load_full()
    }

    /// The configuration that holds now. One round trip, two when the one in memory is out of date.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn current(&self, session: &Session) -> Result<Arc<Configuration>, StoreError> {
        let row = session
            .get(store::statements::circulation::CONFIGURATION_VERSION, &[])
            .await?;
        self.configuration(session, row.column(0)?).await
    }

    /// Reads the configuration again. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn reload(&self, session: &Session) -> Result<Arc<Configuration>, StoreError> {
        let row = session.get(READ_CONFIGURATION, &[]).await?;
        self.keep(&row)
    }

    fn keep(&self, row: &Row) -> Result<Arc<Configuration>, StoreError> {
        let (version, records): (i64, Value) = (row.column(0)?, row.column(1)?);
        let read = Arc::new(Configuration {
            use_at_location: self.use_at_location,
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

/// What a change adds to `metadata`.
fn updated(operator: Operator, now: Timestamp) -> Value {
    let now = circulation::dates::stored(now).to_string();
    match operator.0 {
        Some(user) => json!({"updatedDate": now, "updatedByUserId": user}),
        None => json!({"updatedDate": now}),
    }
}

/// Notes a change in the `metadata` of a record.
fn stamp_record(record: &mut Map<String, Value>, stamp: &Value) {
    let metadata = record.entry("metadata").or_insert_with(|| json!({}));
    if let (Value::Object(metadata), Value::Object(stamp)) = (metadata, stamp) {
        metadata.extend(stamp.clone());
    }
}
