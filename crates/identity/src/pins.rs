//! A patron's PIN or password at a terminal. Wrong ones are counted separately from log-ins, because otherwise the
//! holder of a card could lock its owner out: after too many within the time for failed log-ins, every PIN is refused
//! until that time has passed. The user stays active.

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
pub async fn is_pin(session: &Session, user: Uuid, pin: &str, now: Timestamp) -> Result<bool, StoreError> {
    let row = session.get(PIN, &[&user]).await?;
    let limits = Limits::configured(row.get::<_, Option<serde_json::Value>>("limits").as_ref());
    let hash: Option<String> = row.get("pin");
    let known = hash.is_some();
    let right = passwords::matches(pin, hash).await;
    Ok(known && count(session, user, right, limits, now).await?)
}

/// Whether it is the password of an active patron. Two round trips.
pub async fn is_password(session: &Session, user: Uuid, password: &str, now: Timestamp) -> Result<bool, StoreError> {
    let Some(account) = sign_in::find(session, &Name::Id(user)).await? else {
        return Ok(false);
    };
    let right = passwords::matches(password, account.hash).await && account.active;
    count(session, user, right, account.limits, now).await
}

/// The final result: a right one is accepted only if there were not too many wrong ones.
async fn count(session: &Session, user: Uuid, right: bool, limits: Limits, now: Timestamp) -> Result<bool, StoreError> {
    let Limits { attempts, minutes } = limits;
    let passes: bool = session.value(PIN_ATTEMPT, &[&user, &now, &right, &attempts, &minutes]).await?;
    if right && !passes {
        tracing::warn!(%user, "a right PIN was refused: too many wrong ones before it");
    }
    Ok(passes)
}
