//! Delivers events from the outbox: to webhooks, and to Kafka if built with it
//! (docs/decisions/0017-events-leave-through-an-outbox.md).
//!
//! Each subscriber has its own queue, which one process at a time drains. Events about one record arrive in the
//! order in which they happened, each at least once.

pub mod address;
#[cfg(any(feature = "kafka", test))]
mod envelope;
#[cfg(feature = "kafka")]
mod kafka;
mod pump;
pub mod retry;
pub mod signature;
mod webhook;

pub use pump::{Clock, Pump, Tenants};

/// The operator's settings for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Whether webhooks may go to this machine and to private networks.
    pub private_webhooks: bool,
    /// Where clients reach the gateway; sent to webhooks.
    pub okapi_url: String,
    /// How many events may wait for a subscriber before it counts as broken.
    pub backlog_events: i64,
    /// How many hours an event may wait before its subscriber counts as broken.
    pub backlog_hours: u32,
    /// Kafka brokers, `host:port,…`; without any, nothing is sent to Kafka.
    pub kafka_brokers: Option<String>,
    /// Prefix of Kafka topics, FOLIO's `ENV`.
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

/// The events of record changes.
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
