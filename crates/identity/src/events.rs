//! Entries of the log-in log, if a library enables it (`/authn/log/events`).

use jiff::Timestamp;
use serde_json::{Value, json};
use store::record::print_instant;
use uuid::Uuid;

/// The types of log-in events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    SignedIn,
    /// A wrong password.
    Failed,
    /// Too many wrong passwords: the user is now inactive.
    Blocked,
    /// A first password, through a reset link.
    PasswordCreated,
    /// A new password, through a reset link.
    PasswordReset,
    /// A new password, set by the user.
    PasswordChanged,
}

/// The origin of a request.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub tenant: String,
    /// The client's address from X-Forwarded-For.
    pub address: Option<String>,
    /// The User-Agent header.
    pub browser: Option<String>,
}

impl Origin {
    /// The event in stored form.
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
