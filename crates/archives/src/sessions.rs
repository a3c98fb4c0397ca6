//! Sessions of the archives' API (contract 1.1): a secret that a client sends with each request.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use rand::Rng;
use sha2::{Digest, Sha256};
use store::{
    Session, StoreError,
    db::Row,
    statements::archives::{BECOME_USER, BEGIN_SESSION, END_SESSION, USE_AS_USER, USE_SESSION},
};
use uuid::Uuid;

use crate::{
    permissions::{Grants, grants},
    preferences::Preferences,
};

/// How long what is known of a session is used without asking again. Changes by this process take effect at once.
const LIFE: SignedDuration = SignedDuration::from_secs(30);
/// Maximum number of sessions remembered; the others are looked up each time.
const REMEMBERED_AT_MOST: usize = 10_000;

/// The user behind a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub user_id: Uuid,
    /// The user's number in the archives.
    pub number: i64,
    /// What the user's groups grant: codes by repository.
    pub grants: Grants,
    pub preferences: Preferences,
}

impl SignedIn {
    fn read(user_id: Uuid, row: &Row) -> Self {
        let (grants, preferences) = (grants(row.get("grants")), Preferences::read(row.get("preferences")));
        Self { user_id, number: row.get("number"), grants, preferences }
    }
}

/// A client's session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// There is none with that secret.
    Gone,
    /// It was not used for too long.
    Expired,
}

/// Users by the digest of their session, or by their id, which is shorter; and when they were read.
type Known = HashMap<Vec<u8>, (Arc<SignedIn>, Timestamp)>;

/// Remembers one tenant's sessions for a moment.
#[derive(Debug, Default)]
pub struct Sessions {
    known: Mutex<Known>,
}

/// Begins a session of a user whose password was checked; returns its secret and the user's number. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn begin(session: &Session, user: Uuid, expiring: bool, now: Timestamp) -> Result<(String, i64), StoreError> {
    let bytes: [u8; 32] = rand::rng().random();
    let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let number = session.value(BEGIN_SESSION, &[&digest(&secret), &user, &expiring, &now]).await?;
    Ok((secret, number))
}

/// Only digests are stored: who reads the table cannot use a session.
fn digest(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Sessions {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The user of a session, which is renewed. One round trip, none if it was used a moment ago.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn user(
        &self,
        session: &Session,
        secret: &str,
        now: Timestamp,
    ) -> Result<Result<Arc<SignedIn>, Over>, StoreError> {
        let digest = digest(secret);
        if let Some(user) = self.remembered(&digest, now) {
            return Ok(Ok(user));
        }
        let found = session.find(USE_SESSION, &[&digest, &now]).await?;
        let Some(row) = found else {
            self.known().remove(&digest);
            return Ok(Err(Over::Gone));
        };
        if row.get("ended") {
            self.known().remove(&digest);
            return Ok(Err(Over::Expired));
        }
        Ok(Ok(self.remember(digest, SignedIn::read(row.get("user_id"), &row), now)))
    }

    /// A user who has signed in to the library, as one of the archives; `None` if there is no such user. One round
    /// trip, none if they were here a moment ago.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn of_library(
        &self,
        session: &Session,
        user: Uuid,
        now: Timestamp,
    ) -> Result<Option<Arc<SignedIn>>, StoreError> {
        let key = user.as_bytes().to_vec();
        if let Some(user) = self.remembered(&key, now) {
            return Ok(Some(user));
        }
        let found = session.find(USE_AS_USER, &[&user, &now]).await?;
        Ok(found.map(|row| self.remember(key, SignedIn::read(user, &row), now)))
    }

    fn remembered(&self, key: &[u8], now: Timestamp) -> Option<Arc<SignedIn>> {
        let known = self.known();
        let (user, read) = known.get(key)?;
        (now.duration_since(*read) < LIFE).then(|| Arc::clone(user))
    }

    fn remember(&self, key: Vec<u8>, user: SignedIn, now: Timestamp) -> Arc<SignedIn> {
        let user = Arc::new(user);
        let mut known = self.known();
        if known.len() >= REMEMBERED_AT_MOST {
            known.retain(|_, (_, read)| now.duration_since(*read) < LIFE);
        }
        if known.len() < REMEMBERED_AT_MOST {
            known.insert(key, (Arc::clone(&user), now));
        }
        user
    }

    /// Ends a session. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn end(&self, session: &Session, secret: &str) -> Result<(), StoreError> {
        let digest = digest(secret);
        session.execute(END_SESSION, &[&digest]).await?;
        self.known().remove(&digest);
        Ok(())
    }

    /// Lets a session act as another user. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn become_user(&self, session: &Session, secret: &str, user: Uuid) -> Result<(), StoreError> {
        let digest = digest(secret);
        session.execute(BECOME_USER, &[&digest, &user]).await?;
        self.known().remove(&digest);
        Ok(())
    }

    /// Forgets what groups granted and users preferred: it has changed.
    pub fn forget(&self) {
        self.known().clear();
    }
}
