//! `POST /bl-users/login` and `/bl-users/login-with-expiry`: log in and return the composite user. Three round trips.

use http::StatusCode;
use identity::sign_in::Name;
use serde_json::Value;
use store::record::{Kind, Schema};

use super::{WANTED, composite, refusals::LOG_IN_INCOMPLETE, wanted};
use crate::{
    call::Call,
    folio::authn::{Credentials, sign_in},
    route::{Answer, Body, Routes},
};

const BODY: &str = "username*, password*";

pub(super) fn routes(routes: &mut Routes, members: &Schema) {
    let expirations = "accessTokenExpiration*:datetime, refreshTokenExpiration*:datetime";
    let shown = members.clone().and(&format!("tenant*, tokenExpiration{{{expirations}}}"));
    let shown = || Body::of(Kind::Object(shown.clone())).named("LogIn");
    routes
        .post("/bl-users/login", |call| log_in(call, false))
        .summary("Sign in; answers user, permissions, service points; the token never expires")
        .asks(WANTED)
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .at_the_desk()
        .takes(BODY)
        .gives_body(shown());
    routes
        .post("/bl-users/login-with-expiry", |call| log_in(call, true))
        .summary("Sign in; answers user, permissions, service points; the tokens come as cookies")
        .asks(WANTED)
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .at_the_desk()
        .takes(BODY)
        .gives_body(shown());
}

async fn log_in(call: Call, with_expiry: bool) -> Answer {
    let sent: Credentials = call.parse()?;
    if sent.username.is_none() || sent.password.is_none() {
        return Err(LOG_IN_INCOMPLETE.into());
    }
    let signed = sign_in(&call, &sent, with_expiry).await?;
    let name = Name::Id(signed.user_id);
    let mut body = composite::read(&call, &name, wanted(&call.query)).await?;
    body.insert("tenant".into(), call.tenant.tenant.id.as_str().into());
    if let Some(expirations) = signed.expirations() {
        body.insert("tokenExpiration".into(), expirations);
    }
    Ok(signed.hand_over(&call, &Value::Object(body)))
}
