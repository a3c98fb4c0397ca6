//! The permissions of a user, with nested sets expanded, cached for up to a minute.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use jiff::{SignedDuration, Timestamp};
use store::{Session, StoreError, statements::identity::permissions::ACCESS};
use uuid::Uuid;

use crate::permissions;

/// Maximum age of a cached answer, as in FOLIO (docs/folio/gateway.md#cached-permissions).
const LIFE: SignedDuration = SignedDuration::from_secs(60);
/// Maximum number of cached users; the largest library has fewer staff users.
const USERS_AT_MOST: usize = 1_000;

/// A user and their permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    pub user_id: Uuid,
    /// The user name; empty if the user has none.
    pub username: String,
    /// False for a user who currently may not do anything.
    pub active: bool,
    /// Tokens of earlier generations are invalid.
    pub generation: i32,
    permissions: Arc<HashSet<Box<str>>>,
}

impl Access {
    /// A user with a complete list of permissions: sets are not expanded here. All tokens are valid.
    pub fn new(user_id: Uuid, username: &str, active: bool, permissions: impl IntoIterator<Item = String>) -> Self {
        Self {
            user_id,
            username: username.to_owned(),
            active,
            generation: 0,
            permissions: Arc::new(permissions.into_iter().map(Into::into).collect()),
        }
    }

    /// True if the permission is granted, directly or in a set.
    pub fn has(&self, permission: &str) -> bool {
        self.permissions.contains(permission)
    }

    /// All permissions, in no particular order.
    pub fn permissions(&self) -> impl Iterator<Item = &str> {
        self.permissions.iter().map(AsRef::as_ref)
    }
}

/// Caches the permissions of one tenant's users. Changes by this process take effect at once ([`Directory::forget`]),
/// those by another process within a minute.
#[derive(Default)]
pub struct Directory {
    users: Mutex<HashMap<Uuid, Entry>>,
    /// Raised by [`Directory::forget`], so that an answer read before a change is not cached after it.
    changes: AtomicU64,
}

struct Entry {
    access: Arc<Access>,
    read: Timestamp,
}

impl Directory {
    pub fn new() -> Self {
        Self::default()
    }

    /// A user's permissions; `None` for an unknown user. One round trip unless cached.
    pub async fn access(
        &self,
        session: &Session,
        user: Uuid,
        now: Timestamp,
    ) -> Result<Option<Arc<Access>>, StoreError> {
        if let Some(access) = self.remembered(user, now) {
            return Ok(Some(access));
        }
        let changes = self.changes.load(Ordering::Acquire);
        let Some(access) = read(session, user).await? else {
            return Ok(None);
        };
        Ok(Some(self.remember(access, changes, now)))
    }

    /// Empties the cache after a change of users, permissions or grants.
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
        self.users().clear();
    }

    /// Removes one changed user from the cache.
    pub fn forget_user(&self, user: Uuid) {
        self.changes.fetch_add(1, Ordering::AcqRel);
        self.users().remove(&user);
    }

    fn remembered(&self, user: Uuid, now: Timestamp) -> Option<Arc<Access>> {
        let users = self.users();
        let entry = users.get(&user)?;
        is_fresh(entry.read, now).then(|| Arc::clone(&entry.access))
    }

    fn remember(&self, mut access: Access, changes: u64, now: Timestamp) -> Arc<Access> {
        let mut users = self.users();
        if users.len() >= USERS_AT_MOST {
            users.retain(|_, entry| is_fresh(entry.read, now));
        }
        if users.len() >= USERS_AT_MOST {
            users.clear();
        }
        // Colleagues usually hold the same permissions: the large set is stored once.
        let same = users.values().find(|entry| entry.access.permissions == access.permissions);
        if let Some(colleague) = same {
            access.permissions = Arc::clone(&colleague.access.permissions);
        }
        let access = Arc::new(access);
        if self.changes.load(Ordering::Acquire) == changes {
            let entry = Entry { access: Arc::clone(&access), read: now };
            users.insert(access.user_id, entry);
        }
        access
    }

    fn users(&self) -> MutexGuard<'_, HashMap<Uuid, Entry>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_fresh(read: Timestamp, now: Timestamp) -> bool {
    now.duration_since(read).abs() < LIFE
}

async fn read(session: &Session, user: Uuid) -> Result<Option<Access>, StoreError> {
    let row = session.find(ACCESS, &[&user, permissions::replacements()]).await?;
    Ok(row.map(|row| {
        let (username, active, permissions): (String, bool, Vec<String>) =
            (row.get("username"), row.get("active"), row.get("permissions"));
        Access { generation: row.get("generation"), ..Access::new(user, &username, active, permissions) }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn user(id: u128) -> Access {
        Access::new(Uuid::from_u128(id), "reader", true, ["a".to_owned()])
    }

    #[test]
    fn an_answer_is_cached_for_less_than_a_minute() {
        let directory = Directory::new();
        directory.remember(user(1), 0, at(100));
        let id = Uuid::from_u128(1);
        assert!(directory.remembered(id, at(159)).unwrap().has("a"));
        assert!(directory.remembered(id, at(160)).is_none());
        assert!(directory.remembered(id, at(40)).is_none(), "clock set back");
        assert!(directory.remembered(Uuid::nil(), at(100)).is_none());
    }

    #[test]
    fn an_answer_read_before_a_change_is_not_cached_after_it() {
        let directory = Directory::new();
        directory.remember(user(1), 0, at(100));
        directory.forget();
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_none());
        directory.remember(user(1), 0, at(100));
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_none());
        directory.forget_user(Uuid::from_u128(2));
        directory.remember(user(1), 1, at(100));
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_none());
        directory.remember(user(1), 2, at(100));
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_some());
    }

    #[test]
    fn one_user_is_forgotten_and_the_others_are_kept() {
        let directory = Directory::new();
        directory.remember(user(1), 0, at(100));
        directory.remember(user(2), 0, at(100));
        directory.forget_user(Uuid::from_u128(1));
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_none());
        assert!(directory.remembered(Uuid::from_u128(2), at(100)).is_some());
        directory.remember(user(1), 0, at(100));
        assert!(directory.remembered(Uuid::from_u128(1), at(100)).is_none());
    }

    #[test]
    fn memory_is_bounded_and_equal_sets_are_kept_once() {
        let directory = Directory::new();
        let first = directory.remember(user(1), 0, at(100));
        let second = directory.remember(user(2), 0, at(100));
        assert!(Arc::ptr_eq(&first.permissions, &second.permissions));
        for id in 3..5_000 {
            directory.remember(user(id), 0, at(100));
        }
        assert!(directory.users().len() <= USERS_AT_MOST);
    }
}
