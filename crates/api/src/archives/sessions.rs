//! Log-in, log-out and the current user (contract 1.1).

use ::archives::{refusal::Refusal, sessions};
use http::{Method, StatusCode};
use identity::{
    door::Visitor,
    events::Origin,
    sign_in::{self, Name, SignInError},
};
use serde_json::json;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    identify::identify,
};
use crate::answer::{Problem, Reply};

/// How long a session that does not expire lives without a request, in seconds.
const LONGEST: i64 = 604_800;

pub(super) fn routes(endpoints: &mut Endpoints) {
    let log_in_asks = "password!:text expiring:bool";
    endpoints.add(Method::POST, "/users/{username}/login", &[], log_in).asks(log_in_asks);
    endpoints.add(Method::POST, "/logout", &[], log_out);
    endpoints.add(Method::GET, "/users/current-user", &[], current_user);
}

/// The name as it is compared: in lower case and without spaces around it.
fn cleaned(name: &str) -> Result<String, Problem> {
    let name = name.trim().to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ' ');
    if name.is_empty() || !name.chars().all(fits) {
        return Err(Refusal::BadRequest("Invalid username".to_owned()).into());
    }
    Ok(name)
}

async fn log_in(call: Call) -> Answer {
    let name = cleaned(call.in_path("username"))?;
    let password = call.parameters.text("password").unwrap_or_default();
    let expiring = call.parameters.boolean("expiring").unwrap_or(true);
    let tenant = call.tenant.tenant.id.clone();
    let address = call.client.map(|address| address.to_string());
    let origin = Origin { tenant: tenant.clone(), address, browser: call.browser.clone() };
    let visitor = Visitor { tenant: &tenant, name: &name, address: call.client };
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
    let (_, rights) = identify(&call.tenant, &call.session, &secret, call.now).await?;
    let user = sessions::user_record(&call.session, account.user_id, &rights).await?;
    let mut answer = json!({"session": secret, "user": user.ok_or_else(|| Refusal::no("user"))?});
    if !expiring {
        answer["expire_after_seconds"] = LONGEST.into();
    }
    Ok(Reply::json(&answer))
}

async fn log_out(call: Call) -> Answer {
    let status = match &call.user {
        Some(user) => {
            call.tenant.archives.sessions.end(&call.session, &user.secret).await?;
            "session_logged_out"
        }
        None => "no_active_session",
    };
    Ok(Reply::json(&json!({"status": status})))
}

async fn current_user(call: Call) -> Answer {
    let Some(signed_in) = &call.user else {
        return Err(Refusal::no("user").into());
    };
    let record = sessions::user_record(&call.session, signed_in.id, &call.rights).await?;
    Ok(Reply::json(&record.ok_or_else(|| Problem::from(Refusal::no("user")))?))
}
