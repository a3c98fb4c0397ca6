//! Refresh tokens: random, kept as digests, good for one use. A second use means that somebody has a copy, and
//! ends all tokens of the user.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{
    Session, StoreError,
    statements::identity::sign_in::{RENEW, REVOKE_OF_USER, REVOKE_ONE, USE_REFRESH_TOKEN},
};
use uuid::Uuid;

/// A refresh token as the client holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// The secret text.
    pub text: String,
    /// When it ends.
    pub expires: Timestamp,
}

impl RefreshToken {
    /// A new one that lives for so many seconds.
    #[must_use]
    pub fn new(now: Timestamp, seconds: i64) -> Self {
        let secret: [u8; 32] = rand::random();
        let end = now.saturating_add(SignedDuration::from_secs(seconds));
        Self {
            text: BASE64_URL_SAFE_NO_PAD.encode(secret),
            // Adding a span of time to a timestamp saturates and so does not fail.
            expires: end.unwrap_or(now),
        }
    }

    /// What is kept of it.
    #[must_use]
    pub fn digest(&self) -> Vec<u8> {
        digest(&self.text)
    }
}

fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text).to_vec()
}

/// Why a refresh token gives no new one.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// It is unknown, spent or over, or its user may not sign in.
    #[error("the refresh token is not good")]
    Refused,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The user of a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewed {
    /// Id.
    pub user_id: Uuid,
    /// Name.
    pub username: String,
    /// Of which the token was, and the next ones are.
    pub generation: i32,
}

/// Spends a refresh token and keeps `next`; answers the user. Two round trips.
///
/// # Errors
/// [`RefreshError`].
pub async fn renew(
    session: &Session,
    text: &str,
    next: &RefreshToken,
    now: Timestamp,
) -> Result<Renewed, RefreshError> {
    let row = session
        .find(USE_REFRESH_TOKEN, &[&digest(text), &now])
        .await?;
    let row = row.ok_or(RefreshError::Refused)?;
    let (user, good, active, reused): (Uuid, bool, bool, bool) =
        (row.get(0), row.get(1), row.get(3), row.get(4));
    let generation: i32 = row.get(5);
    if reused {
        tracing::warn!(%user, "a spent refresh token was used again: all of the user's are revoked");
        session.execute(REVOKE_OF_USER, &[&user]).await?;
    }
    if !good || !active {
        return Err(RefreshError::Refused);
    }
    session
        .execute(RENEW, &[&next.digest(), &user, &next.expires, &generation])
        .await?;
    Ok(Renewed {
        user_id: user,
        username: row.get(2),
        generation,
    })
}

/// Ends one refresh token; answers its user. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn revoke(session: &Session, text: &str) -> Result<Option<Uuid>, StoreError> {
    let row = session.find(REVOKE_ONE, &[&digest(text)]).await?;
    Ok(row.map(|row| row.get(0)))
}

/// Ends all refresh tokens of a user. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn revoke_all(session: &Session, user: Uuid) -> Result<(), StoreError> {
    session.execute(REVOKE_OF_USER, &[&user]).await?;
    Ok(())
}
