//! What is written into the log of log-ins, where a library keeps one (`/authn/log/events`).

use jiff::Timestamp;
use serde_json::{Value, json};
use store::record::print_instant;
use uuid::Uuid;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// Signed in.
    SignedIn,
    /// A wrong password.
    Failed,
    /// Too many wrong passwords: the user is inactive now.
    Blocked,
    /// A first password by a reset link.
    PasswordCreated,
    /// A new password by a reset link.
    PasswordReset,
    /// A new password by the user.
    PasswordChanged,
}

/// Where a request comes from.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// Tenant.
    pub tenant: String,
    /// Address of the client, as X-Forwarded-For tells.
    pub address: Option<String>,
    /// User-Agent.
    pub browser: Option<String>,
}

impl Origin {
    /// The event as it is stored.
    #[must_use]
    pub fn event(&self, happening: Happening, user: Uuid, now: Timestamp) -> Value {
        let kind = match happening {
            Happening::SignedIn => "SUCCESSFUL_LOGIN_ATTEMPT",
            Happening::Failed => "FAILED_LOGIN_ATTEMPT",
            Happening::Blocked => "USER_BLOCK",
            Happening::PasswordCreated => "PASSWORD_CREATE",
            Happening::PasswordReset => "PASSWORD_RESET",
            Happening::PasswordChanged => "PASSWORD_CHANGE",
        };
        let mut event = json!({"eventType": kind, "tenant": self.tenant, "userId": user,
            "timestamp": print_instant(now)});
        for (name, value) in [("ip", &self.address), ("browserInformation", &self.browser)] {
            if let Some(value) = value {
                event[name] = value.as_str().into();
            }
        }
        event
    }
}
