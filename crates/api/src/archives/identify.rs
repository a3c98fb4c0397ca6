//! Who makes a request: the user behind the secret of a session or, on the staff port, behind the library's token.

use ::archives::{
    permissions::{ADMINISTRATOR, Rights},
    sessions::{Over, SignedIn},
};
use http::StatusCode;
use identity::access::Access;
use jiff::Timestamp;
use serde_json::json;
use store::Session;

use super::call::User;
use crate::{
    answer::Problem,
    app::{App, TenantState},
};

/// The user behind the secret of a session, and their rights. Answers 412 if the session is over.
pub(super) async fn of_session(
    tenant: &TenantState,
    lookups: &Session,
    secret: String,
    now: Timestamp,
) -> Result<(User, Rights), Problem> {
    let gone = || over("SESSION_GONE", format!("No session found for {secret}"));
    let found = match tenant.archives.sessions.user(lookups, &secret, now).await? {
        Ok(found) => found,
        Err(Over::Gone) => return Err(gone()),
        Err(Over::Expired) => return Err(over("SESSION_EXPIRED", format!("Session timed out for {secret}"))),
    };
    let access = tenant.directory.access(lookups, found.user_id, now).await?;
    let access = access.filter(|access| access.active).ok_or_else(gone)?;
    Ok(known(&found, &access, Some(secret)))
}

/// The user behind a token of the library, and their rights. Answers 412 without a token that is valid, so that a page
/// asks its user to sign in again, and 403 to one of another library.
pub(super) async fn signed_in_to_library(
    app: &App,
    tenant: &TenantState,
    lookups: &Session,
    token: Option<String>,
    now: Timestamp,
) -> Result<(User, Rights), Problem> {
    let gone = || over("SESSION_GONE", "Nobody is signed in to the library, or not any more".to_owned());
    let claims = token.and_then(|token| app.keys.verify(&token, now).ok()).ok_or_else(gone)?;
    if claims.tenant != tenant.tenant.id {
        let text = "These archives are another library's";
        return Err(Problem::Text(StatusCode::FORBIDDEN, text.to_owned()));
    }
    let access = tenant.directory.access(lookups, claims.user_id, now).await?;
    let valid = |access: &Access| access.active && claims.generation >= access.generation;
    let access = access.filter(|access| valid(access)).ok_or_else(gone)?;
    let found = tenant.archives.sessions.of_library(lookups, access.user_id, now).await?.ok_or_else(gone)?;
    Ok(known(&found, &access, None))
}

fn known(found: &SignedIn, access: &Access, secret: Option<String>) -> (User, Rights) {
    let user = User {
        id: found.user_id,
        number: found.number,
        name: access.username.clone(),
        preferences: found.preferences.clone(),
        secret,
    };
    (user, Rights::new(access.has(ADMINISTRATOR), found.grants.iter().cloned()))
}

fn over(code: &str, text: String) -> Problem {
    Problem::Json(StatusCode::PRECONDITION_FAILED, json!({"code": code, "error": text}))
}
