//! Refresh tokens: random, stored as digests, valid for one use. A second use means that there is a copy, and revokes
//! all tokens of the user.

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
    /// The secret.
    pub text: String,
    pub expires: Timestamp,
}

impl RefreshToken {
    /// A new token that is valid for that many seconds.
    pub fn new(now: Timestamp, seconds: i64) -> Self {
        let secret: [u8; 32] = rand::random();
        let end = now.saturating_add(SignedDuration::from_secs(seconds));
        Self {
            text: BASE64_URL_SAFE_NO_PAD.encode(secret),
            // Adding a span to a timestamp saturates and so does not fail.
            expires: end.unwrap_or(now),
        }
    }

    /// What the database stores.
    pub fn digest(&self) -> Vec<u8> {
        digest(&self.text)
    }
}

pub(crate) fn digest(text: &str) -> Vec<u8> {
    Sha256::digest(text).to_vec()
}

/// Why a refresh token is refused.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// It is unknown, used or expired, or its user may not sign in.
    #[error("the refresh token is not good")]
    Refused,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The user of a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewed {
    pub user_id: Uuid,
    pub username: String,
    /// The generation of the old token and the next ones.
    pub generation: i32,
}

/// Uses up a refresh token and saves `next`; returns the user. Two round trips.
pub async fn renew(
    session: &Session,
    text: &str,
    next: &RefreshToken,
    now: Timestamp,
) -> Result<Renewed, RefreshError> {
    let row = session.find(USE_REFRESH_TOKEN, &[&digest(text), &now]).await?;
    let row = row.ok_or(RefreshError::Refused)?;
    let (user, good, active, reused): (Uuid, bool, bool, bool) =
        (row.get("user_id"), row.get("is_good"), row.get("is_active"), row.get("is_reused"));
    let generation: i32 = row.get("generation");
    if reused {
        tracing::warn!(%user, "a refresh token was used twice: all tokens of the user are revoked");
        session.execute(REVOKE_OF_USER, &[&user]).await?;
    }
    if !good || !active {
        return Err(RefreshError::Refused);
    }
    session.execute(RENEW, &[&next.digest(), &user, &next.expires, &generation]).await?;
    Ok(Renewed { user_id: user, username: row.get("username"), generation })
}

/// Revokes a refresh token; returns its user. One round trip.
pub async fn revoke(session: &Session, text: &str) -> Result<Option<Uuid>, StoreError> {
    session.find_value(REVOKE_ONE, &[&digest(text)]).await
}

/// Revokes all refresh tokens of a user. One round trip.
pub async fn revoke_all(session: &Session, user: Uuid) -> Result<(), StoreError> {
    session.execute(REVOKE_OF_USER, &[&user]).await?;
    Ok(())
}
