//! What an operator can set about self-checks.

use std::time::Duration;

use sip2::Dialect;

use crate::tenants::TenantTable;

/// What an operator can set about self-checks; what a library sets is in its own settings
/// ([`circulation::configuration::SelfChecks`]).
#[derive(Debug, Clone)]
pub struct Settings {
    /// The tenant of terminals that name none.
    pub tenant: Option<String>,
    /// Which terminals belong to which tenant, and how they write.
    pub tenants: TenantTable,
    /// How terminals write of which nothing else is known.
    pub dialect: Dialect,
    /// Terminals connected at once at most.
    pub terminals: usize,
    /// A terminal that has signed in and is silent for so long is disconnected. A good one may be silent from closing
    /// time on; one that is gone is noticed within minutes by the line.
    pub idle: Duration,
    /// A terminal that has not signed in so long after it connected is disconnected.
    pub sign_in_within: Duration,
    /// A message must be complete so long after its first byte, and an answer taken.
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
