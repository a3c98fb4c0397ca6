//! Credentials: setting, changing and deleting passwords, failures, and reset actions. Each function is one round trip,
//! plus hashing.

use jiff::Timestamp;
use serde_json::Value;
use store::{Session, StoreError, statements::identity::credentials as statements};
use uuid::Uuid;

use crate::{
    events::{Happening, Origin},
    passwords,
};

/// Default length of the password history, including the current password.
const REMEMBERED: i32 = 10;

/// Creates a user's first credentials; returns false if there are some.
pub async fn create(session: &Session, user: Uuid, password: &str) -> Result<bool, StoreError> {
    let hash = passwords::hash(password).await;
    let created = session.execute(statements::CREATE, &[&user, &hash]).await?;
    Ok(created > 0)
}

/// Deletes a user's credentials, which revokes the tokens; returns false if there are none.
pub async fn remove(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    Ok(session.find(statements::REMOVE, &[&user]).await?.is_some())
}

pub async fn exist(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    let sql = store::statements::identity::credentials::HAS_PASSWORD;
    session.value(sql, &[&user]).await
}

/// The password hashes of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The current one.
    pub present: Option<String>,
    /// Previous ones, newest first.
    pub last: Vec<String>,
    /// Length of the password history, including the current password.
    pub remembered: i32,
}

pub async fn known(session: &Session, user: Uuid) -> Result<Known, StoreError> {
    let row = session.get(statements::KNOWN, &[&user]).await?;
    let (present, last, number): (Vec<String>, Vec<String>, Option<String>) =
        (row.get("present"), row.get("last"), row.get("remembered"));
    let number = number.and_then(|text| text.trim().parse::<i32>().ok());
    Ok(Known { present: present.into_iter().next(), last, remembered: number.unwrap_or(REMEMBERED).clamp(1, 100) })
}

/// Whether the password is or was that of the user.
pub async fn is_repeated(session: &Session, user: Uuid, password: &str) -> Result<bool, StoreError> {
    let known = known(session, user).await?;
    let last = usize::try_from(known.remembered - 1).unwrap_or(0);
    let hashes = known.present.into_iter().chain(known.last.into_iter().take(last));
    Ok(passwords::is_one_of(password, hashes.collect()).await)
}

/// The right to set a new password. It is checked again when the password is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A reset action, valid once.
    Action(Uuid),
    /// The hash of the current password, which the user has given.
    Password(String),
}

/// Replaces a user's password or sets the first one, and revokes the user's tokens. Returns whether it was the first;
/// `None` if the proof is no longer valid because the action was used or the password or the user changed meanwhile.
/// Two round trips.
pub async fn replace(
    session: &Session,
    user: Uuid,
    password: &str,
    proof: &Proof,
    origin: &Origin,
    now: Timestamp,
) -> Result<Option<bool>, StoreError> {
    let known = known(session, user).await?;
    let hash = passwords::hash(password).await;
    let happening = match (proof, &known.present) {
        (Proof::Password(_), _) => Happening::PasswordChanged,
        (Proof::Action(_), Some(_)) => Happening::PasswordReset,
        (Proof::Action(_), None) => Happening::PasswordCreated,
    };
    let (action, proven) = match proof {
        Proof::Action(id) => (Some(id), None),
        Proof::Password(hash) => (None, Some(hash)),
    };
    let event: Value = origin.event(happening, user, now);
    let row =
        session.find(statements::REPLACE, &[&user, &hash, &now, &known.remembered, &event, &action, &proven]).await?;
    Ok(row.map(|row| !row.get::<_, bool>("had_password")))
}

/// A user's failures: id of the record, number, and time of the last one.
pub async fn attempts(session: &Session, user: Uuid) -> Result<Option<(Uuid, i32, Timestamp)>, StoreError> {
    let row = session.find(statements::ATTEMPTS, &[&user]).await?;
    Ok(row.map(|row| (row.get("id"), row.get("attempts"), row.get("last_attempt"))))
}

/// Saves a reset action. Returns whether its id was free and whether the user has a password.
pub async fn keep_reset_action(
    session: &Session,
    id: Uuid,
    user: Uuid,
    expires: Timestamp,
    now: Timestamp,
) -> Result<(bool, bool), StoreError> {
    let row = session.get(statements::KEEP_RESET_ACTION, &[&id, &user, &expires, &now]).await?;
    Ok((row.get("kept"), row.get("has_password")))
}

/// The user and the expiry of a reset action.
pub async fn reset_action(session: &Session, id: Uuid) -> Result<Option<(Uuid, Timestamp)>, StoreError> {
    let row = session.find(statements::ACTION_OF_RESET, &[&id]).await?;
    Ok(row.map(|row| (row.get("user_id"), row.get("expires"))))
}
