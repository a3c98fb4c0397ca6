//! Password reset links (`/bl-users/password-reset/…`), and users changing their own password in the settings.

use ::refusals::{Refused, Wording};
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

use super::refusals::{
    LINK_EXPIRED, LINK_FOR_NOBODY, LINK_INVALID, LINK_OF_NOBODY, LINK_USED, NO_USERNAME, RULE_BROKEN,
    RULE_BROKEN_BY_USER, TOKEN_EXPIRED,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    folio::{
        authn::{CREDENTIALS_INVALID, change_password, origin, prove_password},
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
    let unknown = || LINK_FOR_NOBODY.with("id", &sent.user_id);
    let id: Uuid = sent.user_id.parse().map_err(|_| unknown())?;
    let account = sign_in::find(&call.session, &Name::Id(id)).await?.ok_or_else(unknown)?;
    if account.username.trim().is_empty() || account.username == id.to_string() {
        return Err(NO_USERNAME.into());
    }
    let action = Uuid::new_v4();
    let end = call.now.saturating_add(LINK_LIFE).unwrap_or(call.now);
    credentials::keep_reset_action(&call.session, action, id, end, call.now).await?;
    let tenant = &call.tenant.tenant.id;
    let token = call.app.keys.sign(&Claims::of_reset(action, tenant, call.now, end));
    let settings = reset_settings(&call.session).await?;
    let setting =
        |code: &str, default: &'static str| settings.get(code).and_then(Value::as_str).unwrap_or(default).to_owned();
    let host = setting("FOLIO_HOST", "http://localhost:3000");
    let path = setting("RESET_PASSWORD_UI_PATH", "/reset-password");
    let link = format!("{host}{path}/{token}?tenant={tenant}");
    Ok(Reply::json(&json!({"link": link})))
}

/// The reset action and its user, if the request's token belongs to a valid link.
async fn action(call: &Call) -> Result<(Uuid, Uuid), Problem> {
    let token = call.header("x-okapi-token").ok_or(LINK_INVALID)?;
    let claims = call.app.keys.verify(token, call.now);
    let claims = claims.map_err(|error| match error {
        TokenError::Expired => TOKEN_EXPIRED,
        _ => LINK_INVALID,
    })?;
    if claims.kind != Kind::PasswordReset || claims.tenant != call.tenant.tenant.id {
        return Err(LINK_INVALID.into());
    }
    let action = claims.user_id;
    let found = credentials::reset_action(&call.session, action).await?;
    let (user, end): (Uuid, Timestamp) = found.ok_or_else(|| LINK_USED.with("id", action))?;
    if end <= call.now {
        return Err(LINK_EXPIRED.with("id", action).into());
    }
    Ok((action, user))
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
    let broken = broken.ok_or_else(|| LINK_OF_NOBODY.with("id", user))?;
    unbroken(&broken, RULE_BROKEN)?;
    let (new, origin) = (&sent.new_password, origin(&call));
    let proof = Proof::Action(action);
    let set = credentials::replace(&call.session, user, new, &proof, &origin, call.now).await?;
    set.ok_or_else(|| LINK_USED.with("id", action))?;
    call.tenant.directory.forget_user(user);
    Ok(Reply::no_content())
}

fn unbroken(broken: &[String], wording: &'static Wording) -> Result<(), Refused> {
    Refused(broken.iter().map(|rule| wording.with("rule", rule)).collect()).or(())
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
    let user: Uuid = sent.user_id.parse().map_err(|_| CREDENTIALS_INVALID)?;
    // Checks the current password first: an error about the new one could reveal a password of the user.
    let (user, proof) = prove_password(&call, &Name::Id(user), sent.password.as_deref()).await?;
    let broken = password::broken(&call, user, &sent.new_password).await?;
    let broken = broken.ok_or(CREDENTIALS_INVALID)?;
    unbroken(&broken, RULE_BROKEN_BY_USER)?;
    change_password(&call, user, &sent.new_password, &proof).await?;
    Ok(Reply::no_content())
}
