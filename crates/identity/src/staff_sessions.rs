//! Sessions of the staff pages. The secret in the cookie is a refresh token that is looked at instead of used up, so that
//! several tabs share it; with the requests goes an access token, which stays on the server.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use store::{Session, StoreError, statements::identity::sign_in::READ_REFRESH_TOKEN};
use uuid::Uuid;

use crate::{
    refresh,
    tokens::{Claims, Keys},
};

/// How long what is known of a session is used without asking again. What ends in this process ends at once.
const LIFE: SignedDuration = SignedDuration::from_secs(30);
/// How long the access token would be valid: longer than it is used.
const OF_TOKEN: i64 = 120;
/// Maximum number of sessions remembered; the others are looked up each time.
const REMEMBERED_AT_MOST: usize = 10_000;

/// The user of a session.
#[derive(Debug, PartialEq, Eq)]
pub struct Staff {
    pub user_id: Uuid,
    /// The access token for the requests of the next moments.
    pub token: String,
    /// When the session ends.
    pub expires: Timestamp,
}

/// Users by the digests of their sessions, and when they were read.
type Known = HashMap<Vec<u8>, (Arc<Staff>, Timestamp)>;

/// Remembers one tenant's sessions for a moment.
#[derive(Debug, Default)]
pub struct StaffSessions {
    known: Mutex<Known>,
}

impl StaffSessions {
    /// The user of a session; `None` if it is over. One round trip, none if it was used a moment ago.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn find(
        &self,
        session: &Session,
        (keys, tenant): (&Keys, &str),
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<Staff>>, StoreError> {
        let digest = refresh::digest(secret);
        if let Some((staff, read)) = self.known().get(&digest)
            && now.duration_since(*read).abs() < LIFE
            && now < staff.expires
        {
            return Ok(Some(Arc::clone(staff)));
        }
        let Some(row) = session.find(READ_REFRESH_TOKEN, &[&digest, &now]).await? else {
            self.known().remove(&digest);
            return Ok(None);
        };
        let (user_id, username): (Uuid, String) = (row.get("user_id"), row.get("username"));
        let claims = Claims::expiring(&username, user_id, tenant, now, OF_TOKEN).of_generation(row.get("generation"));
        let staff = Arc::new(Staff { user_id, token: keys.sign(&claims), expires: row.get("expires") });
        let mut known = self.known();
        if known.len() >= REMEMBERED_AT_MOST {
            known.retain(|_, (_, read)| now.duration_since(*read).abs() < LIFE);
        }
        if known.len() < REMEMBERED_AT_MOST {
            known.insert(digest, (Arc::clone(&staff), now));
        }
        Ok(Some(staff))
    }

    /// Ends a session. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn end(&self, session: &Session, secret: &str) -> Result<(), StoreError> {
        refresh::revoke(session, secret).await?;
        self.known().remove(&refresh::digest(secret));
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
