//! What a process remembers of a library's archives: its sessions, which repositories exist, and the value lists.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use indexing::Index;
use jiff::{SignedDuration, Timestamp};
use store::{Session, StoreError, statements::archives::REPOSITORY_EXISTS};

use crate::{search::Referred, sessions::Sessions, value_lists::Lists};

/// How long value lists are used without reading them again. Changes by this process take effect at once.
const LIFE_OF_LISTS: SignedDuration = SignedDuration::from_secs(5);
/// How many requests are remembered.
const REQUESTS: usize = 500;
/// Of an address so many characters.
const ADDRESS: usize = 200;

/// The memory of one tenant's archives.
#[derive(Debug, Default)]
pub struct Remembered {
    pub sessions: Sessions,
    repositories: Mutex<HashSet<i64>>,
    lists: Mutex<Option<(Arc<Lists>, Timestamp)>>,
    index: OnceLock<Arc<Index>>,
    /// Records that searches have shown.
    pub referred: Arc<Referred>,
    requests: Mutex<VecDeque<String>>,
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

    /// Forgets a repository that was deleted.
    pub fn forget_repository(&self, id: i64) {
        self.repositories.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    /// The value lists. One round trip, none if they were read a moment ago.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lists(&self, session: &Session, now: Timestamp) -> Result<Arc<Lists>, StoreError> {
        if let Some((lists, read)) = self.known_lists().as_ref()
            && now.duration_since(*read).abs() < LIFE_OF_LISTS
        {
            return Ok(Arc::clone(lists));
        }
        let lists = Arc::new(Lists::read(session, now).await?);
        *self.known_lists() = Some((Arc::clone(&lists), now));
        Ok(lists)
    }

    /// Forgets the value lists: they have changed.
    pub fn forget_lists(&self) {
        *self.known_lists() = None;
    }

    /// The index, started when it is first used.
    pub fn index(&self, start: impl FnOnce() -> Arc<Index>) -> Arc<Index> {
        Arc::clone(self.index.get_or_init(start))
    }

    /// The index, if it is used.
    pub fn started_index(&self) -> Option<&Arc<Index>> {
        self.index.get()
    }

    /// Notes that this process has written to the archives.
    pub fn wrote(&self) {
        if let Some(index) = self.index.get() {
            index.wrote();
        }
    }

    /// Notes a request that was answered: method, address without parameters, and status.
    pub fn answered(&self, at: Timestamp, method: &str, path: &str, status: u16) {
        let path: String = path.chars().take(ADDRESS).collect();
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if requests.len() >= REQUESTS {
            requests.pop_front();
        }
        requests.push_back(format!("{at} {method} {path} {status}\n"));
    }

    /// The last requests that this process answered, a line each, the oldest first.
    pub fn requests(&self) -> String {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter().map(String::as_str).collect()
    }

    fn known_lists(&self) -> MutexGuard<'_, Option<(Arc<Lists>, Timestamp)>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
