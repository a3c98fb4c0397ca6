//! Log-in: two round trips, one to read the account and one to write the result.
//!
//! An unknown name, a wrong password, an inactive user and a user without credentials get the same refusal after the
//! same work, so that the answer does not reveal which names exist.

use jiff::Timestamp;
use serde_json::Value;
use store::{
    Session, StoreError,
    record::print_instant,
    statements::identity::sign_in::{ACCOUNT, FAILED, SUCCEEDED},
};
use uuid::Uuid;

use crate::{
    door::Verdict,
    events::{Happening, Origin},
    passwords,
    refresh::RefreshToken,
};

/// How the user is identified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    Username(String),
    Id(Uuid),
}

/// When failures block a user: configuration entries `login.fail.attempts` and `login.fail.timeout`
/// (docs/folio/log-in.md#lockout).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Failures that block; 0 for never.
    pub attempts: i32,
    /// Minutes after which a failure expires.
    pub minutes: i32,
}

impl Limits {
    /// FOLIO's default.
    pub const DEFAULT: Self = Self { attempts: 5, minutes: 10 };

    /// The limits in these configuration entries, from code to value; a value that is not a number counts as missing.
    pub fn configured(entries: Option<&Value>) -> Self {
        let number = |code: &str| -> Option<i32> {
            let value: i32 = entries?.get(code)?.as_str()?.trim().parse().ok()?;
            (0..=1_000_000).contains(&value).then_some(value)
        };
        Self {
            attempts: number("login.fail.attempts").unwrap_or(Self::DEFAULT.attempts),
            minutes: number("login.fail.timeout").unwrap_or(Self::DEFAULT.minutes),
        }
    }
}

/// The account of a user who wants to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub user_id: Uuid,
    /// The user name, or the id of a user without one.
    pub username: String,
    /// False for a user who may not sign in.
    pub active: bool,
    /// Hash of the password, if there are credentials.
    pub hash: Option<String>,
    pub limits: Limits,
    /// The generation of the user's new tokens.
    pub generation: i32,
}

/// The account with that name. One round trip.
pub async fn find(session: &Session, name: &Name) -> Result<Option<Account>, StoreError> {
    let (username, id) = match name {
        Name::Username(username) => (Some(username.as_str()), None),
        Name::Id(id) => (None, Some(*id)),
    };
    let row = session.find(ACCOUNT, &[&username, &id]).await?;
    Ok(row.map(|row| Account {
        user_id: row.get("id"),
        username: row.get("username"),
        active: row.get("active"),
        hash: row.get("hash"),
        limits: Limits::configured(row.get::<_, Option<Value>>("limits").as_ref()),
        generation: 0,
    }))
}

/// A failed log-in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Name, password or state of the user: the error does not say which.
    #[error("wrong user name or password, or the user is inactive")]
    Refused {
        /// The user deactivated by this failure.
        blocked: Option<Uuid>,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the result of a log-in says about the client.
pub fn verdict<T>(checked: &Result<T, SignInError>) -> Verdict {
    match checked {
        Ok(_) => Verdict::Right,
        Err(SignInError::Refused { .. }) => Verdict::Wrong,
        Err(SignInError::Store(_)) => Verdict::Unknown,
    }
}

/// Checks a password and records the result; saves the `refresh` token on success.
pub async fn sign_in(
    session: &Session,
    name: &Name,
    password: &str,
    refresh: Option<&RefreshToken>,
    origin: &Origin,
    now: Timestamp,
) -> Result<Account, SignInError> {
    let (account, hash) = prove(session, name, password, origin, now).await?;
    let digest = refresh.map(RefreshToken::digest);
    let expires = refresh.map(|token| token.expires);
    let event = origin.event(Happening::SignedIn, account.user_id, now);
    let user = account.user_id;
    let row = session.find(SUCCEEDED, &[&user, &hash, &now, &digest, &expires, &event]).await?;
    let row = row.ok_or(SignInError::Refused { blocked: None })?;
    Ok(Account { generation: row.get("generation"), ..account })
}

/// Checks a password and counts a failure. Returns the hash of the password; the write that follows must check it
/// again, because the user may be blocked or the password replaced meanwhile.
pub async fn prove(
    session: &Session,
    name: &Name,
    password: &str,
    origin: &Origin,
    now: Timestamp,
) -> Result<(Account, String), SignInError> {
    let found = find(session, name).await?;
    let hash = found.as_ref().and_then(|account| account.hash.clone());
    let matches = passwords::matches(password, hash).await;
    let Some(account) = found else {
        return Err(SignInError::Refused { blocked: None });
    };
    match &account.hash {
        Some(hash) if account.active && matches => {
            let hash = hash.clone();
            return Ok((account, hash));
        }
        _ => {}
    }
    let counts = account.active && account.hash.is_some();
    let blocked = counts && count_failure(session, &account, origin, now).await?;
    Err(SignInError::Refused { blocked: blocked.then_some(account.user_id) })
}

/// True if this failure has blocked the user.
async fn count_failure(
    session: &Session,
    account: &Account,
    origin: &Origin,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let user = account.user_id;
    let Limits { attempts, minutes } = account.limits;
    let failed = origin.event(Happening::Failed, user, now);
    let blocked = origin.event(Happening::Blocked, user, now);
    let row = session.find(FAILED, &[&user, &now, &attempts, &minutes, &failed, &blocked, &print_instant(now)]).await?;
    let blocked = row.is_some_and(|row| row.get("blocked"));
    if blocked {
        tracing::warn!(%user, tenant = origin.tenant, "user blocked after failed log-ins");
    }
    Ok(blocked)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_are_folios_unless_configured() {
        let limits = |attempts, minutes| Limits { attempts, minutes };
        for (entries, expected) in [
            (None, limits(5, 10)),
            (Some(json!({"login.fail.attempts": "3"})), limits(3, 10)),
            (Some(json!({"login.fail.attempts": " 0 ", "login.fail.timeout": "60"})), limits(0, 60)),
            (Some(json!({"login.fail.attempts": "many", "login.fail.timeout": "-1"})), limits(5, 10)),
            (Some(json!({"login.fail.timeout": "99999999999"})), limits(5, 10)),
        ] {
            assert_eq!(Limits::configured(entries.as_ref()), expected, "{entries:?}");
        }
    }
}
