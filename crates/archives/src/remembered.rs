//! What a process remembers of a library's archives: its sessions, and which repositories exist.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use store::{Session, StoreError, statements::archives::REPOSITORY_EXISTS};

use crate::sessions::Sessions;

/// The memory of one tenant's archives.
#[derive(Debug, Default)]
pub struct Remembered {
    pub sessions: Sessions,
    repositories: Mutex<HashSet<i64>>,
}

impl Remembered {
    /// Whether there is such a repository. One round trip, none if it was there before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn has_repository(&self, session: &Session, id: i64) -> Result<bool, StoreError> {
        let known = || self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&id) {
            return Ok(true);
        }
        let exists = session.value(REPOSITORY_EXISTS, &[&id]).await?;
        if exists {
            known().insert(id);
        }
        Ok(exists)
    }
}
