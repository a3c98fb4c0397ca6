//! The access and refresh token cookies.

use http::{HeaderName, header};
use jiff::{Timestamp, fmt::rfc2822};

use super::refusals::COOKIE_UNREADABLE;
use crate::{
    answer::{Problem, Reply},
    app::Settings,
    call::Call,
};

const ACCESS: &str = "folioAccessToken";
const REFRESH: &str = "folioRefreshToken";
const SET: HeaderName = header::SET_COOKIE;

/// A token and its remaining lifetime.
pub(super) struct Held<'a> {
    pub(super) token: &'a str,
    pub(super) seconds: i64,
    pub(super) expires: Timestamp,
}

/// Adds both cookies, each in its own header.
pub(super) fn give(reply: Reply, settings: &Settings, access: &Held<'_>, refresh: &Held<'_>) -> Reply {
    let path = path_of(&settings.okapi_url);
    reply
        .with_header(SET, &cookie(ACCESS, access, &format!("{path}/"), settings))
        .with_header(SET, &cookie(REFRESH, refresh, &format!("{path}/authn"), settings))
}

fn cookie(name: &str, held: &Held<'_>, path: &str, settings: &Settings) -> String {
    let Held { token, seconds, .. } = held;
    let expires = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&held.expires).unwrap_or_default();
    let same_site = &settings.cookie_same_site;
    format!("{name}={token}; Max-Age={seconds}; Expires={expires}; Path={path}; Secure; HTTPOnly; SameSite={same_site}")
}

/// Clears both cookies, in the form mod-login uses.
pub(super) fn take_away(reply: Reply, settings: &Settings) -> Reply {
    let path = path_of(&settings.okapi_url);
    let emptied = |name: &str, path: &str| {
        format!("{name}=; SameSite=None; Secure; Path={path}; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
    };
    reply
        .with_header(SET, &emptied(ACCESS, &format!("{path}/")))
        .with_header(SET, &emptied(REFRESH, &format!("{path}/authn")))
}

/// The path of the gateway's address, without a trailing slash.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("", |slash| &rest[slash..]).trim_end_matches('/')
}

/// The refresh token of a request, if any. Refuses a request that sends the cookie twice.
pub(super) fn refresh_token(call: &Call) -> Result<Option<&str>, Problem> {
    let mut found = call
        .headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(REFRESH)?.strip_prefix('='))
        .map(|value| value.trim_matches('"'));
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(COOKIE_UNREADABLE.into()),
        (one, None) => Ok(one.filter(|token| is_value(token))),
    }
}

/// True for a valid, non-empty cookie value (RFC 6265).
fn is_value(text: &str) -> bool {
    let octet = |byte| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e);
    !text.is_empty() && text.bytes().all(octet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_written_as_mod_login_does() {
        let held = Held { token: "abc", seconds: 600, expires: "2026-01-01T00:10:00Z".parse().unwrap() };
        let settings = Settings::default();
        assert_eq!(
            cookie(ACCESS, &held, "/", &settings),
            "folioAccessToken=abc; Max-Age=600; Expires=Thu, 01 Jan 2026 00:10:00 GMT; Path=/; Secure; HTTPOnly; SameSite=Lax"
        );
    }

    #[test]
    fn the_path_of_the_gateway_is_the_path_of_the_cookies() {
        for (url, path) in [
            ("http://localhost:9130", ""),
            ("https://folio.example/okapi", "/okapi"),
            ("https://folio.example/okapi/", "/okapi"),
        ] {
            assert_eq!(path_of(url), path);
        }
    }
}
