//! `/authn/login` and `/authn/login-with-expiry`.

use http::{HeaderName, StatusCode};
use identity::{
    refresh::RefreshToken,
    sign_in::{self, Name, SignInError},
    tokens::Claims,
};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::refusals::{LOG_IN_REFUSED, NAME_MISSING, NOT_SERVED, PASSWORD_REQUIRED};
use super::{
    at_the_door,
    cookies::{self, Held},
    origin,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const BODY: &str = "username, userId, password*, tenant";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/authn/login", log_in)
        .summary("Sign in; the token never expires")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .at_the_desk()
        .takes(BODY)
        .gives("okapiToken");
    routes
        .post("/authn/login-with-expiry", log_in_with_expiry)
        .summary("Sign in; the tokens come as cookies")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .at_the_desk()
        .takes(BODY)
        .gives("accessTokenExpiration*:datetime, refreshTokenExpiration*:datetime");
}

/// Log-in credentials.
#[derive(Deserialize)]
pub struct Credentials {
    /// User name. Absent if `user_id` is given.
    pub username: Option<String>,
    /// User id. Absent if `username` is given.
    #[serde(rename = "userId")]
    pub user_id: Option<String>,
    /// Password.
    pub password: Option<String>,
}

impl Credentials {
    /// The account they identify; `None` without a user name or a valid id.
    pub(super) fn name(&self) -> Option<Name> {
        match (&self.user_id, &self.username) {
            (Some(id), _) => Some(Name::Id(id.parse().unwrap_or_else(|_| Uuid::nil()))),
            (None, Some(username)) => Some(Name::Username(username.clone())),
            (None, None) => None,
        }
    }
}

/// The tokens of a user who has logged in.
pub(crate) struct Signed {
    /// The user.
    pub user_id: Uuid,
    access: String,
    expiry: Option<(Timestamp, RefreshToken)>,
}

impl Signed {
    /// Issues tokens: a pair that expires if `refresh` is given, otherwise one that never expires.
    pub(super) fn new(
        call: &Call,
        user_id: Uuid,
        username: &str,
        generation: i32,
        refresh: Option<RefreshToken>,
    ) -> Self {
        let tenant = &call.tenant.tenant.id;
        let seconds = call.app.settings.access_token_seconds;
        let claims = match refresh {
            Some(_) => Claims::expiring(username, user_id, tenant, call.now, seconds),
            None => Claims::lasting(username, user_id, tenant, call.now),
        };
        let end = call.now.saturating_add(SignedDuration::from_secs(seconds));
        Self {
            user_id,
            access: call.app.keys.sign(&claims.of_generation(generation)),
            expiry: refresh.map(|token| (end.unwrap_or(call.now), token)),
        }
    }

    /// When the tokens expire, as the response shows it.
    #[must_use]
    pub(crate) fn expirations(&self) -> Option<Value> {
        let (access, refresh) = self.expiry.as_ref()?;
        Some(json!({"accessTokenExpiration": whole_seconds(*access),
            "refreshTokenExpiration": whole_seconds(refresh.expires)}))
    }

    /// The response with the tokens: as cookies or, for a token that never expires, in a header.
    pub fn hand_over(&self, call: &Call, body: &Value) -> Reply {
        let reply = Reply::json(body).with_status(StatusCode::CREATED);
        let Some((end, refresh)) = &self.expiry else {
            return reply.with_header(HeaderName::from_static("x-okapi-token"), &self.access);
        };
        let settings = &call.app.settings;
        let access = Held { token: &self.access, seconds: settings.access_token_seconds, expires: *end };
        let refresh = Held { token: &refresh.text, seconds: settings.refresh_token_seconds, expires: refresh.expires };
        cookies::give(reply, settings, &access, &refresh)
    }
}

fn whole_seconds(instant: Timestamp) -> String {
    Timestamp::from_second(instant.as_second()).map_or_else(|_| instant.to_string(), |t| t.to_string())
}

/// A new refresh token with the configured lifetime.
pub(super) fn refresh_token(call: &Call) -> RefreshToken {
    RefreshToken::new(call.now, call.app.settings.refresh_token_seconds)
}

/// Logs in with the credentials of the request, or answers with one of mod-login's refusals.
pub async fn sign_in(call: &Call, sent: &Credentials, with_expiry: bool) -> Result<Signed, Problem> {
    if !with_expiry && !call.app.settings.legacy_tokens {
        return Err(NOT_SERVED.into());
    }
    let Some(name) = sent.name() else {
        return Err(NAME_MISSING.into());
    };
    let Some(password) = &sent.password else {
        return Err(PASSWORD_REQUIRED.into());
    };
    let refresh = with_expiry.then(|| refresh_token(call));
    let origin = origin(call);
    let signing_in = sign_in::sign_in(&call.session, &name, password, refresh.as_ref(), &origin, call.now);
    let signed_in = at_the_door(call, &name, signing_in).await?;
    let account = signed_in.map_err(|failed| refused(call, failed))?;
    Ok(Signed::new(call, account.user_id, &account.username, account.generation, refresh))
}

/// The refusal, which does not reveal the reason.
fn refused(call: &Call, failed: SignInError) -> Problem {
    match failed {
        SignInError::Store(error) => error.into(),
        SignInError::Refused { blocked } => {
            // A blocked user's tokens must stop working at once.
            if let Some(user) = blocked {
                call.tenant.directory.forget_user(user);
            }
            LOG_IN_REFUSED.into()
        }
    }
}

async fn log_in(call: Call) -> Answer {
    let signed = sign_in(&call, &call.parse()?, false).await?;
    let body = json!({"okapiToken": signed.access});
    Ok(signed.hand_over(&call, &body))
}

async fn log_in_with_expiry(call: Call) -> Answer {
    let signed = sign_in(&call, &call.parse()?, true).await?;
    let body = signed.expirations().unwrap_or_default();
    Ok(signed.hand_over(&call, &body))
}
