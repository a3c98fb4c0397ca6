//! What a patron proves at a terminal: a PIN or the password. Wrong ones are counted apart from log-ins, since whoever
//! has a card could lock its owner out otherwise: too many within the time of failed log-ins, and no PIN is right until
//! it is over. The user stays active.

use jiff::Timestamp;
use store::{
    Session, StoreError,
    statements::identity::sign_in::{PIN, PIN_ATTEMPT},
};
use uuid::Uuid;

use crate::{
    passwords,
    sign_in::{self, Limits, Name},
};

/// Whether it is the patron's PIN. Two round trips.
///
/// # Errors
/// [`StoreError`].
pub async fn is_pin(
    session: &Session,
    user: Uuid,
    pin: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let row = session.get(PIN, &[&user]).await?;
    let limits = Limits::configured(row.get::<_, Option<serde_json::Value>>(1).as_ref());
    let hash: Option<String> = row.get(0);
    let known = hash.is_some();
    let right = passwords::matches(pin, hash).await;
    Ok(known && count(session, user, right, limits, now).await?)
}

/// Whether it is the password of an active patron. Two round trips.
///
/// # Errors
/// [`StoreError`].
pub async fn is_password(
    session: &Session,
    user: Uuid,
    password: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(account) = sign_in::find(session, &Name::Id(user)).await? else {
        return Ok(false);
    };
    let right = passwords::matches(password, account.hash).await && account.active;
    count(session, user, right, account.limits, now).await
}

/// What counts in the end: a right one passes only while there were not too many wrong ones.
async fn count(
    session: &Session,
    user: Uuid,
    right: bool,
    limits: Limits,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Limits { attempts, minutes } = limits;
    let row = session
        .get(PIN_ATTEMPT, &[&user, &now, &right, &attempts, &minutes])
        .await?;
    let passes: bool = row.get(0);
    if right && !passes {
        tracing::warn!(%user, "a right PIN was refused: too many wrong ones before it");
    }
    Ok(passes)
}
