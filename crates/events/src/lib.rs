//! Delivers events from the outbox: to webhooks, and to Kafka where that is built in (decision 0017).
//!
//! Each subscriber has a line of its own, which one process at a time works off; events about one record arrive in the
//! order in which they happened, each at least once.

pub mod address;
pub mod envelope;
#[cfg(feature = "kafka")]
mod kafka;
mod line;
mod pump;
pub mod retry;
pub mod signature;
mod webhook;

pub use pump::{Clock, Pump, Tenants};

/// What an operator can set about events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Webhooks may go to this machine and to private networks.
    pub private_webhooks: bool,
    /// Where clients reach the gateway; webhooks are told.
    pub okapi_url: String,
    /// So many events may wait for a subscriber before it counts as broken.
    pub backlog_events: i64,
    /// So many hours an event may wait before its subscriber counts as broken.
    pub backlog_hours: u32,
    /// Brokers of Kafka, `host:port,…`; without any, nothing goes there.
    pub kafka_brokers: Option<String>,
    /// What topics in Kafka begin with, FOLIO's `ENV`.
    pub kafka_environment: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            private_webhooks: false,
            okapi_url: String::new(),
            backlog_events: 100_000,
            backlog_hours: 72,
            kafka_brokers: None,
            kafka_environment: "folio".into(),
        }
    }
}

/// The events of mod-circulation and mod-feesfines, which travel in mod-pubsub's envelope.
pub const BUSINESS: &[&str] = &[
    "ITEM_CHECKED_OUT",
    "ITEM_CHECKED_IN",
    "ITEM_DECLARED_LOST",
    "ITEM_AGED_TO_LOST",
    "ITEM_CLAIMED_RETURNED",
    "LOAN_DUE_DATE_CHANGED",
    "LOAN_CLOSED",
    "FEE_FINE_BALANCE_CHANGED",
    "LOAN_RELATED_FEE_FINE_CLOSED",
    "LOG_RECORD",
];

/// The changes of records.
pub const RECORDS: &[&str] = &[
    "circulation.loan",
    "circulation.request",
    "circulation.check-in",
    "circulation.rules",
    "circulation.circulation-settings",
    "circulation.request-queue-reordering",
    "inventory.instance",
    "inventory.holdings-record",
    "inventory.item",
    "users.users",
];
