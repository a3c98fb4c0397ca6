//! Password reset links (`/bl-users/password-reset/…`), and users changing their own password in the settings.

use http::StatusCode;
use identity::{
    composite::reset_settings,
    credentials::{self, Proof},
    sign_in::{self, Name},
    tokens::{Claims, Kind, TokenError},
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{coded, unprocessable};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    folio::{
        authn::{change_password, origin, prove_password},
        password,
    },
    route::{Answer, Form, Routes},
};

/// Lifetime of a reset link.
const LINK_LIFE: SignedDuration = SignedDuration::from_hours(24);

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users/password-reset/link", link)
        .summary("Make a reset link for a user")
        .refuses(&[422])
        .takes("userId*")
        .gives("link");
    // The gateway requires no permission for these two; their handlers check the link's token.
    routes
        .post("/bl-users/password-reset/validate", validate)
        .open()
        .summary("Whether a reset link is good")
        .refuses(&[422]);
    routes
        .post("/bl-users/password-reset/reset", reset)
        .open()
        .summary("Set a password by a reset link")
        .refuses(&[422])
        .takes("newPassword*");
    routes
        .post("/bl-users/settings/myprofile/password", change_own)
        .summary("Change one's own password")
        .refuses(&[401])
        .refuses_as(400, Form::Errors)
        .takes("userId*, username, password*, newPassword*");
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LinkRequest {
    user_id: String,
}

async fn link(call: Call) -> Answer {
    let sent: LinkRequest = call.parse()?;
    let text = format!("User with id '{}' not found", sent.user_id);
    let unknown = || unprocessable(&[(text.as_str(), "user.not-found")]);
    let id: Uuid = sent.user_id.parse().map_err(|_| unknown())?;
    let account = sign_in::find(&call.session, &Name::Id(id)).await?.ok_or_else(unknown)?;
    if account.username.trim().is_empty() || account.username == id.to_string() {
        let text = "User without username cannot reset password";
        return Err(unprocessable(&[(text, "user.absent-username")]));
    }
    let action = Uuid::new_v4();
    let end = call.now.saturating_add(LINK_LIFE).unwrap_or(call.now);
    credentials::keep_reset_action(&call.session, action, id, end, call.now).await?;
    let tenant = &call.tenant.tenant.id;
    let token = call.app.keys.sign(&Claims::of_reset(action, tenant, call.now, end));
    let settings = reset_settings(&call.session).await?;
    let setting = |code: &str, default: &'static str| {
        settings.get(code).and_then(Value::as_str).unwrap_or(default).to_owned()
    };
    let host = setting("FOLIO_HOST", "http://localhost:3000");
    let path = setting("RESET_PASSWORD_UI_PATH", "/reset-password");
    let link = format!("{host}{path}/{token}?tenant={tenant}");
    Ok(Reply::json(&json!({"link": link})))
}

/// The reset action and its user, if the request's token belongs to a valid link.
async fn action(call: &Call) -> Result<(Uuid, Uuid), Problem> {
    let invalid = || unprocessable(&[("Invalid token.", "link.invalid")]);
    let token = call.header("x-okapi-token").ok_or_else(invalid)?;
    let claims = call.app.keys.verify(token, call.now);
    let claims = claims.map_err(|error| match error {
        TokenError::Expired => expired("PasswordResetAction is expired"),
        _ => invalid(),
    })?;
    if claims.kind != Kind::PasswordReset || claims.tenant != call.tenant.tenant.id {
        return Err(invalid());
    }
    let action = claims.user_id;
    let found = credentials::reset_action(&call.session, action).await?;
    let (user, end): (Uuid, Timestamp) = found.ok_or_else(|| used(action))?;
    if end <= call.now {
        let text = format!("PasswordResetAction with id = {action} is expired");
        return Err(expired(&text));
    }
    Ok((action, user))
}

fn used(action: Uuid) -> Problem {
    let text = format!("PasswordResetAction with id = {action} is not found");
    unprocessable(&[(&text, "link.used")])
}

fn expired(text: &str) -> Problem {
    unprocessable(&[(text, "link.expired")])
}

async fn validate(call: Call) -> Answer {
    action(&call).await?;
    Ok(Reply::no_content())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewPassword {
    new_password: String,
}

async fn reset(call: Call) -> Answer {
    let sent: NewPassword = call.parse()?;
    let (action, user) = action(&call).await?;
    let broken = password::broken(&call, user, &sent.new_password).await?;
    let broken = broken.ok_or_else(|| {
        let text = format!("User with id '{user}' not found");
        unprocessable(&[(&text, "link.invalid")])
    })?;
    if !broken.is_empty() {
        return Err(told(StatusCode::UNPROCESSABLE_ENTITY, &broken));
    }
    let (new, origin) = (&sent.new_password, origin(&call));
    let proof = Proof::Action(action);
    let set = credentials::replace(&call.session, user, new, &proof, &origin, call.now).await?;
    set.ok_or_else(|| used(action))?;
    call.tenant.directory.forget_user(user);
    Ok(Reply::no_content())
}

fn told(status: StatusCode, broken: &[String]) -> Problem {
    let errors: Vec<_> = broken.iter().map(|rule| (rule.as_str(), rule.as_str())).collect();
    coded(status, &errors)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    user_id: String,
    #[serde(default)]
    password: Option<String>,
    new_password: String,
}

async fn change_own(call: Call) -> Answer {
    let sent: Change = call.parse()?;
    let refused = || Problem::Text(StatusCode::UNAUTHORIZED, "Invalid credentials".into());
    let user: Uuid = sent.user_id.parse().map_err(|_| refused())?;
    // Checks the current password first: an error about the new one could reveal a password of the user.
    let (user, proof) = prove_password(&call, &Name::Id(user), sent.password.as_deref()).await?;
    let broken = password::broken(&call, user, &sent.new_password).await?;
    let broken = broken.ok_or_else(refused)?;
    if !broken.is_empty() {
        return Err(told(StatusCode::BAD_REQUEST, &broken));
    }
    change_password(&call, user, &sent.new_password, &proof).await?;
    Ok(Reply::no_content())
}
