//! Log-in to ArchivesSpace: a session that does not expire while it is used.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{Access, AccessError, Granted};

const RESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const WHAT: &str = "ArchivesSpace's API";

pub(super) async fn log_in(access: &Access) -> Result<Granted, AccessError> {
    let encoded = |text| utf8_percent_encode(text, &RESERVED);
    let path = format!("/users/{}/login", encoded(&access.credentials.user));
    let body = format!("password={}&expiring=false", encoded(&access.credentials.password));
    let answer = access.request_log_in(&path, "", ("application/x-www-form-urlencoded", &body)).await?;
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    match body.get("session").and_then(Value::as_str) {
        Some(session) if answer.status == 200 => {
            Ok(Granted { headers: format!("x-archivesspace-session: {session}\r\n"), lasts: None })
        }
        _ => Err(access.refused(WHAT, &path, &answer)),
    }
}
