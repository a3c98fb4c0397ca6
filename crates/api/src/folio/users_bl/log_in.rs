//! `POST /bl-users/login` and `/bl-users/login-with-expiry`: signing in, answered with the user and what belongs
//! to him. Three round trips.

use identity::sign_in::Name;
use serde_json::Value;

use super::{composite, wanted};
use crate::{
    answer::Problem,
    call::Call,
    folio::authn::{Credentials, sign_in},
    route::{Answer, Routes},
};

const BODY: &str = "username*, password*";
const GIVES: &str = "user:object, patronGroup:object, permissions:object, servicePointsUser:object,
    proxiesFor[object], tenant, tokenExpiration{accessTokenExpiration, refreshTokenExpiration}";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/bl-users/login", |call| log_in(call, false))
        .summary("Sign in; answers user, permissions, service points; the token never expires")
        .at_the_desk()
        .takes(BODY)
        .gives(GIVES);
    routes
        .post("/bl-users/login-with-expiry", |call| log_in(call, true))
        .summary("Sign in; answers user, permissions, service points; the tokens come as cookies")
        .at_the_desk()
        .takes(BODY)
        .gives(GIVES);
}

async fn log_in(call: Call, with_expiry: bool) -> Answer {
    let sent: Credentials = call.parse()?;
    if sent.username.is_none() || sent.password.is_none() {
        return Err(Problem::bad_request("Improperly formatted request"));
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
