//! `/authn/refresh`, `/authn/logout` and `/authn/logout-all`.

use http::StatusCode;
use identity::refresh::{self, RefreshError};

use super::{
    cookies,
    log_in::{self, Signed},
    refusals::{COOKIE_UNREADABLE, LOG_OUT_REFUSED, REFRESH_REFUSED},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Form, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/authn/refresh", renew)
        .summary("Exchange the refresh token for new tokens")
        .at_the_desk()
        .gives("accessTokenExpiration*:datetime, refreshTokenExpiration*:datetime")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .refuses_as(400, Form::Errors);
    routes
        .post("/authn/logout", log_out)
        .summary("End the refresh token of this client")
        .at_the_desk()
        .refuses(&[422])
        .refuses_as(400, Form::Errors);
    routes
        .post("/authn/logout-all", log_out_everywhere)
        .summary("End all refresh tokens of the user")
        .at_the_desk()
        .refuses(&[422])
        .refuses_as(400, Form::Errors);
}

async fn renew(call: Call) -> Answer {
    let sent = cookies::refresh_token(&call)?.ok_or(COOKIE_UNREADABLE)?;
    let next = log_in::refresh_token(&call);
    let renewed = refresh::renew(&call.session, sent, &next, call.now).await;
    let user = renewed.map_err(|failed| match failed {
        RefreshError::Refused => Problem::from(REFRESH_REFUSED),
        RefreshError::Store(error) => error.into(),
    })?;
    let signed = Signed::new(&call, user.user_id, &user.username, user.generation, Some(next));
    let body = signed.expirations().unwrap_or_default();
    Ok(signed.hand_over(&call, &body))
}

/// Logs out as far as the request identifies a session: with the cookie, this client; with a token, its user
/// everywhere. A refresh token that has ended already is no fault, one that nobody got is.
async fn log_out(call: Call) -> Answer {
    match (cookies::refresh_token(&call)?, &call.caller) {
        (Some(token), _) => {
            if refresh::revoke(&call.session, token).await?.is_none() {
                return log_out_refused(&call);
            }
        }
        (None, Some(caller)) => refresh::revoke_all(&call.session, caller.user_id).await?,
        (None, None) => {}
    }
    Ok(cookies::take_away(Reply::no_content(), &call.app.settings))
}

/// The cookies of a client that nobody knows go all the same: its access token may still be good.
fn log_out_refused(call: &Call) -> Answer {
    match LOG_OUT_REFUSED.into() {
        Problem::Json(status, body) => {
            Ok(cookies::take_away(Reply::json(&body).with_status(status), &call.app.settings))
        }
        other => Err(other),
    }
}

async fn log_out_everywhere(call: Call) -> Answer {
    let user = match (&call.caller, cookies::refresh_token(&call)?) {
        (Some(caller), _) => Some(caller.user_id),
        (None, Some(token)) => refresh::revoke(&call.session, token).await?,
        (None, None) => None,
    };
    let user = user.ok_or(LOG_OUT_REFUSED)?;
    refresh::revoke_all(&call.session, user).await?;
    Ok(cookies::take_away(Reply::no_content(), &call.app.settings))
}
