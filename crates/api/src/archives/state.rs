//! What a process remembers of a tenant's archives: sessions, and which repositories exist.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use ::archives::{
    permissions::{ADMINISTRATOR, Rights},
    repositories,
    sessions::{Over, Sessions},
};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use store::{Session, StoreError};

use super::call::User;
use crate::{answer::Problem, app::TenantState};

/// A tenant's archives, as requests use them.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(super) sessions: Sessions,
    repositories: Mutex<HashSet<i64>>,
}

impl State {
    /// Whether there is such a repository. One round trip, none if it was there before.
    pub(super) async fn has_repository(&self, session: &Session, id: i64) -> Result<bool, StoreError> {
        let known = || self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&id) {
            return Ok(true);
        }
        let exists = repositories::exists(session, id).await?;
        if exists {
            known().insert(id);
        }
        Ok(exists)
    }
}

/// The user behind the secret of a session, and their rights. Answers 412 if the session is over.
pub(super) async fn identify(
    tenant: &TenantState,
    lookups: &Session,
    secret: &str,
    now: Timestamp,
) -> Result<(Option<User>, Rights), Problem> {
    let over =
        |code: &str, text: String| Problem::Json(StatusCode::PRECONDITION_FAILED, json!({"code": code, "error": text}));
    let gone = || over("SESSION_GONE", format!("No session found for {secret}"));
    let found = match tenant.archives.sessions.user(lookups, secret, now).await? {
        Ok(found) => found,
        Err(Over::Gone) => return Err(gone()),
        Err(Over::Expired) => return Err(over("SESSION_EXPIRED", format!("Session timed out for {secret}"))),
    };
    let access = tenant.directory.access(lookups, found.user_id, now).await?;
    let access = access.filter(|access| access.active).ok_or_else(gone)?;
    let user = User { id: found.user_id, name: access.username.clone(), secret: secret.to_owned() };
    Ok((Some(user), Rights::new(access.has(ADMINISTRATOR), found.grants.iter().cloned())))
}
