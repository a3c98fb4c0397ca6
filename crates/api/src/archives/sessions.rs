//! Log-in, log-out and the current user (contract 1.1).

use ::archives::{
    refusal::Refusal,
    sessions,
    users::{self, Which},
};
use http::{Method, StatusCode};
use identity::{
    door::Visitor,
    sign_in::{self, Name, SignInError},
};
use serde_json::json;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    users::{cleaned, with_rights},
};
use crate::answer::{Problem, Reply};

/// How long a session that does not expire lives without a request, in seconds.
const LONGEST: i64 = 604_800;

pub(super) fn routes(endpoints: &mut Endpoints) {
    let log_in_asks = "password!:text expiring:bool";
    endpoints
        .add(Method::POST, "/users/{username}/login", &[], log_in)
        .asks(log_in_asks)
        .summary("Sign in")
        .gives(":SignedIn")
        .refuses(&[403]);
    // No mail with a token is sent: the library has its own way to give new passwords.
    endpoints
        .add(Method::POST, "/users/reset-password", &[], no_mail)
        .asks("email!:text")
        .summary("Ask for a mail with a token, which is not sent")
        .gives(":any");
    endpoints
        .add(Method::POST, "/users/{username}/{token}", &[], no_token)
        .summary("Sign in with a token, of which there are none")
        .gives(":any")
        .refuses(&[403]);
    endpoints.add(Method::POST, "/logout", &[], log_out).summary("Sign out").gives(":Done");
    endpoints
        .add(Method::GET, "/users/current-user", &[], current_user)
        .summary("Read who is signed in")
        .gives(":User")
        .refuses(&[404]);
}

async fn log_in(call: Call) -> Answer {
    let name = cleaned(call.in_path("username"))?;
    let password = call.parameters.text("password").unwrap_or_default();
    let expiring = call.parameters.boolean("expiring").unwrap_or(true);
    let origin = call.origin();
    let visitor = Visitor { tenant: &origin.tenant, name: &name, address: call.client };
    let by_name = Name::Username(name.clone());
    let checking = sign_in::sign_in(&call.session, &by_name, password, None, &origin, call.now);
    let signed_in = call.app.door.pass(visitor, call.now, checking, sign_in::verdict).await?;
    let account = signed_in.map_err(|failed| match failed {
        SignInError::Store(error) => error.into(),
        SignInError::Refused { blocked } => {
            if let Some(user) = blocked {
                call.tenant.directory.forget_user(user);
            }
            Problem::Json(StatusCode::FORBIDDEN, json!({"error": "Login failed"}))
        }
    })?;
    let (secret, _) = sessions::begin(&call.session, account.user_id, expiring, call.now).await?;
    let user = users::get(&call.session, Which::Id(account.user_id)).await?;
    let mut answer = json!({"session": secret, "user": with_rights(&call, user).await?});
    if !expiring {
        answer["expire_after_seconds"] = LONGEST.into();
    }
    Ok(Reply::json(&answer))
}

/// What ArchivesSpace answers if it is not set up to send mail.
async fn no_mail(_: Call) -> Answer {
    Err(Refusal::BadRequest("NotAllowed".to_owned()).into())
}

/// No token was ever sent.
async fn no_token(_: Call) -> Answer {
    Err(Problem::Json(StatusCode::FORBIDDEN, json!({"error": "Login failed"})))
}

async fn log_out(call: Call) -> Answer {
    let status = match call.user.as_ref().and_then(|user| user.secret.as_ref()) {
        Some(secret) => {
            call.tenant.archives.sessions.end(&call.session, secret).await?;
            "session_logged_out"
        }
        None => "no_active_session",
    };
    Ok(Reply::json(&json!({"status": status})))
}

async fn current_user(call: Call) -> Answer {
    let Some(signed_in) = &call.user else {
        return Err(Refusal::nothing().into());
    };
    let user = users::get(&call.session, Which::Id(signed_in.id)).await?;
    Ok(Reply::json(&user.with_rights(&call.rights)))
}
