//! Log-in to FOLIO: with an expiring token if the target offers one, otherwise with a permanent one.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Access, AccessError, Granted};
use crate::client::Answer;

const EXPIRING: &str = "/authn/login-with-expiry";
const LASTING: &str = "/authn/login";
const COOKIE: &str = "folioAccessToken=";
const WHAT: &str = "FOLIO's API";

pub(super) async fn log_in(access: &Access) -> Result<Granted, AccessError> {
    let (user, password) = (&access.credentials.user, &access.credentials.password);
    let tenant = format!("x-okapi-tenant: {}\r\n", access.credentials.tenant);
    let body = json!({"username": user, "password": password}).to_string();
    let body = ("application/json", body.as_str());
    let mut path = EXPIRING;
    let mut answer = access.request_log_in(path, &tenant, body).await?;
    if matches!(answer.status, 404 | 405 | 501) {
        path = LASTING;
        answer = access.request_log_in(path, &tenant, body).await?;
    }
    let token = token(&answer).filter(|_| answer.status == 201 || answer.status == 200);
    let token = token.ok_or_else(|| access.refused(WHAT, path, &answer))?;
    Ok(Granted { headers: format!("{tenant}x-okapi-token: {token}\r\n"), lasts: lasts(&answer, Timestamp::now()) })
}

fn token(answer: &Answer) -> Option<String> {
    let cookie = answer.all("set-cookie").find_map(|cookie| cookie.strip_prefix(COOKIE));
    let token = cookie.map(|cookie| cookie.split(';').next().unwrap_or_default());
    token.or_else(|| answer.header("x-okapi-token")).filter(|token| !token.is_empty()).map(str::to_owned)
}

fn lasts(answer: &Answer, now: Timestamp) -> Option<Duration> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    let until: Timestamp = body.get("accessTokenExpiration")?.as_str()?.parse().ok()?;
    Duration::try_from(until.duration_since(now)).ok()
}
