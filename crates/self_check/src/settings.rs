//! The operator's settings for self-checks.

use std::time::Duration;

use sip2::Dialect;

use crate::tenants::TenantTable;

/// The operator's settings; those of a library are in [`circulation::configuration::SelfChecks`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The tenant of terminals that do not name one.
    pub tenant: Option<String>,
    /// Which terminals belong to which tenant, and their dialects.
    pub tenants: TenantTable,
    /// The dialect of terminals that are not in that table.
    pub dialect: Dialect,
    /// The most terminals connected at once.
    pub terminals: usize,
    /// How long a terminal that has signed in may be silent. A working one may be silent from closing time on; a dead
    /// one is noticed within minutes by [`crate::line`].
    pub idle: Duration,
    /// How long a terminal may take to sign in.
    pub sign_in_within: Duration,
    /// How long a message may take from its first byte to its last, and an answer to be received.
    pub message_within: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tenant: None,
            tenants: TenantTable::default(),
            dialect: Dialect::default(),
            terminals: 1_000,
            idle: Duration::from_secs(24 * 3_600),
            sign_in_within: Duration::from_secs(60),
            message_within: Duration::from_secs(10),
        }
    }
}
