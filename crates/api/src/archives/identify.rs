//! Who makes a request: the user behind the secret of a session.

use ::archives::{
    permissions::{ADMINISTRATOR, Rights},
    sessions::Over,
};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::json;
use store::Session;

use super::call::User;
use crate::{answer::Problem, app::TenantState};

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
    let user = User {
        id: found.user_id,
        number: found.number,
        name: access.username.clone(),
        preferences: found.preferences.clone(),
        secret: secret.to_owned(),
    };
    Ok((Some(user), Rights::new(access.has(ADMINISTRATOR), found.grants.iter().cloned())))
}
