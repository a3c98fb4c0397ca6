//! What the runner needs from its program.

use std::{collections::BTreeMap, future::Future};

use jiff::Timestamp;
use store::{Database, Session, StoreError};

use crate::schedule::Scheduled;

/// A program with tenants whose jobs are run.
pub trait Host: Send + Sync + 'static {
    /// What handlers get.
    type Context: Send + Sync + 'static;

    /// The current time.
    fn now(&self) -> Timestamp;

    /// The database with the queues.
    fn database(&self) -> &Database;

    /// A tenant's session; `None` for a tenant that this process does not know yet, or no longer.
    fn session(&self, tenant: &str) -> Option<Session>;

    /// A handler's context; `None` as above.
    fn context(&self, tenant: &str) -> Option<Self::Context>;

    /// Each tenant's scheduled jobs. At most one round trip.
    fn schedules(&self) -> impl Future<Output = Result<BTreeMap<String, Vec<Scheduled>>, StoreError>> + Send;
}
