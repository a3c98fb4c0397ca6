//! `/authn/password-reset-action` and `/authn/reset-password`: the actions behind password reset links.

use http::StatusCode;
use identity::credentials::{self, Proof};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use store::record;
use uuid::Uuid;

use super::refusals::{EXPIRATION_INVALID, RESET_EXISTS, RESET_OVER, RESET_PASSWORD_EMPTY, RESET_UNKNOWN};
use super::{origin, user_id};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/authn/password-reset-action", create)
        .summary("Begin a password reset")
        .takes("id*, userId*, expirationTime*:datetime")
        .gives("passwordExists*:bool")
        .with_status(StatusCode::CREATED);
    routes
        .get("/authn/password-reset-action/{actionId}", get)
        .summary("Read a password reset")
        .gives("id*:uuid, userId*:uuid, expirationTime*:datetime");
    routes
        .post("/authn/reset-password", reset)
        .summary("Set the password a reset asks for")
        .takes("passwordResetActionId*, newPassword*")
        .gives("isNewPassword*:bool")
        .with_status(StatusCode::CREATED);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    id: String,
    user_id: String,
    expiration_time: String,
}

async fn create(call: Call) -> Answer {
    let sent: Action = call.parse()?;
    let expires = record::read_instant(&sent.expiration_time).ok_or(EXPIRATION_INVALID)?;
    let (id, user) = (user_id(&sent.id)?, user_id(&sent.user_id)?);
    let (kept, exists) = credentials::keep_reset_action(&call.session, id, user, expires, call.now).await?;
    if !kept {
        return Err(RESET_EXISTS.with("id", id).into());
    }
    let body = json!({"passwordExists": exists});
    Ok(Reply::json(&body).with_status(StatusCode::CREATED))
}

async fn find(call: &Call, id: &str) -> Result<Option<(Uuid, Uuid, Timestamp)>, Problem> {
    let Ok(action) = id.parse() else {
        return Ok(None);
    };
    let found = credentials::reset_action(&call.session, action).await?;
    Ok(found.map(|(user, expires)| (action, user, expires)))
}

async fn get(call: Call) -> Answer {
    let id = call.param("actionId");
    let found = find(&call, id).await?;
    let (action, user, expires) = found.ok_or_else(|| RESET_UNKNOWN.with("id", id))?;
    Ok(Reply::json(&json!({"id": action, "userId": user,
        "expirationTime": record::print_instant(expires)})))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reset {
    password_reset_action_id: String,
    new_password: String,
}

async fn reset(call: Call) -> Answer {
    let sent: Reset = call.parse()?;
    if sent.new_password.is_empty() {
        return Err(RESET_PASSWORD_EMPTY.into());
    }
    let id = &sent.password_reset_action_id;
    let found = find(&call, id).await?;
    let (action, user, _) = found.ok_or_else(|| RESET_OVER.with("id", id))?;
    let (new, proof) = (&sent.new_password, Proof::Action(action));
    let origin = origin(&call);
    let set = credentials::replace(&call.session, user, new, &proof, &origin, call.now).await?;
    let is_new = set.ok_or_else(|| RESET_OVER.with("id", id))?;
    call.tenant.directory.forget_user(user);
    let body = json!({"isNewPassword": is_new});
    Ok(Reply::json(&body).with_status(StatusCode::CREATED))
}
