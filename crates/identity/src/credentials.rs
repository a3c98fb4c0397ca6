//! Credentials: setting, changing and removing passwords, failures, and reset actions. Every function is one
//! round trip beside the hashing.

use jiff::Timestamp;
use serde_json::Value;
use store::{Session, StoreError, statements::identity::credentials as statements};
use uuid::Uuid;

use crate::{
    events::{Happening, Origin},
    passwords,
};

/// Passwords a library remembers when it has configured nothing, the present one included.
const REMEMBERED: i32 = 10;

/// Gives a user first credentials; false when there are some.
///
/// # Errors
/// [`StoreError`].
pub async fn create(session: &Session, user: Uuid, password: &str) -> Result<bool, StoreError> {
    let hash = passwords::hash(password).await;
    let created = session.execute(statements::CREATE, &[&user, &hash]).await?;
    Ok(created > 0)
}

/// Removes a user's credentials, which ends the tokens; false when there are none.
///
/// # Errors
/// [`StoreError`].
pub async fn remove(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    Ok(session.find(statements::REMOVE, &[&user]).await?.is_some())
}

/// Whether a user has credentials.
///
/// # Errors
/// [`StoreError`].
pub async fn exist(session: &Session, user: Uuid) -> Result<bool, StoreError> {
    let sql = store::statements::identity::credentials::HAS_PASSWORD;
    Ok(session.get(sql, &[&user]).await?.get(0))
}

/// The passwords of a user: of the present one and the last ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Hash of the present one.
    pub present: Option<String>,
    /// Hashes of the last ones, the newest first.
    pub last: Vec<String>,
    /// How many the library remembers, the present one included.
    pub remembered: i32,
}

/// What is known of a user's passwords.
///
/// # Errors
/// [`StoreError`].
pub async fn known(session: &Session, user: Uuid) -> Result<Known, StoreError> {
    let row = session.get(statements::KNOWN, &[&user]).await?;
    let (present, last, number): (Vec<String>, Vec<String>, Option<String>) =
        (row.get(0), row.get(1), row.get(2));
    let number = number.and_then(|text| text.trim().parse::<i32>().ok());
    Ok(Known {
        present: present.into_iter().next(),
        last,
        remembered: number.unwrap_or(REMEMBERED).clamp(1, 100),
    })
}

/// Whether the user has or had that password.
///
/// # Errors
/// [`StoreError`].
pub async fn is_repeated(
    session: &Session,
    user: Uuid,
    password: &str,
) -> Result<bool, StoreError> {
    let known = known(session, user).await?;
    let last = usize::try_from(known.remembered - 1).unwrap_or(0);
    let hashes = known
        .present
        .into_iter()
        .chain(known.last.into_iter().take(last));
    Ok(passwords::is_one_of(password, hashes.collect()).await)
}

/// Why somebody may set a new password. It is looked at again when the password is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A reset action, good for once.
    Action(Uuid),
    /// The hash of the present password, which was told.
    Password(String),
}

/// Replaces a user's password, or gives the first one, and ends the user's tokens. Answers whether it was the first;
/// `None` when the proof is no longer one: the action was used, the password or the user changed meanwhile. Two round
/// trips.
///
/// # Errors
/// [`StoreError`].
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
    let row = session
        .find(
            statements::REPLACE,
            &[
                &user,
                &hash,
                &now,
                &known.remembered,
                &event,
                &action,
                &proven,
            ],
        )
        .await?;
    Ok(row.map(|row| !row.get::<_, bool>(0)))
}

/// Failures of a user: id of the record, count, and when the last one was.
///
/// # Errors
/// [`StoreError`].
pub async fn attempts(
    session: &Session,
    user: Uuid,
) -> Result<Option<(Uuid, i32, Timestamp)>, StoreError> {
    let row = session.find(statements::ATTEMPTS, &[&user]).await?;
    Ok(row.map(|row| (row.get(0), row.get(1), row.get(2))))
}

/// Keeps a reset action. Answers whether its id was free and whether the user has a password.
///
/// # Errors
/// [`StoreError`].
pub async fn keep_reset_action(
    session: &Session,
    id: Uuid,
    user: Uuid,
    expires: Timestamp,
    now: Timestamp,
) -> Result<(bool, bool), StoreError> {
    let row = session
        .get(statements::KEEP_RESET_ACTION, &[&id, &user, &expires, &now])
        .await?;
    Ok((row.get(0), row.get(1)))
}

/// The user and the end of a reset action.
///
/// # Errors
/// [`StoreError`].
pub async fn reset_action(
    session: &Session,
    id: Uuid,
) -> Result<Option<(Uuid, Timestamp)>, StoreError> {
    let row = session.find(statements::ACTION_OF_RESET, &[&id]).await?;
    Ok(row.map(|row| (row.get(0), row.get(1))))
}
