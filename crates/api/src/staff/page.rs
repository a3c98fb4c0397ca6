//! Requests of this port's own pages, which the session in a cookie identifies.
//!
//! A browser sends the cookie along whoever asks. So a request counts as one of our pages only with a header of ours,
//! which a page of another origin cannot send: its browser asks first whether it may, and this port never says so.

use std::net::IpAddr;

use http::{Extensions, HeaderMap, header};

use crate::{call::OF_PAGES, connection::Peer};

const COOKIE: &str = "carrelSession";

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// One of our pages, or a program that says so.
    OwnPage,
    /// A page of another origin that has our header nevertheless.
    Elsewhere,
    /// A client that says who it is by itself.
    Client,
}

pub(super) fn origin(headers: &HeaderMap) -> Origin {
    if !headers.contains_key(OF_PAGES) {
        return Origin::Client;
    }
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    // Browsers send the first on secure connections, where a proxy may have replaced the host.
    let own = match (headers.get("sec-fetch-site"), text(header::ORIGIN)) {
        (Some(site), _) => site == "same-origin",
        (None, None) => true,
        (None, Some(origin)) => {
            let host = text(header::HOST);
            origin.split_once("://").is_some_and(|(_, of)| host.is_some_and(|host| of.eq_ignore_ascii_case(host)))
        }
    };
    if own { Origin::OwnPage } else { Origin::Elsewhere }
}

/// The library and the secret in the cookie, if it is there once.
pub(super) fn cookie(headers: &HeaderMap) -> Option<(&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let mut found = pairs.filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    match (found.next(), found.next()) {
        (Some(value), None) => value.split_once('.'),
        _ => None,
    }
}

/// The `Set-Cookie` that begins a session. It ends with the browser.
pub(super) fn begin(library: &str, secret: &str, secure: bool) -> String {
    format!("{COOKIE}={library}.{secret}; {}", attributes(secure))
}

/// The `Set-Cookie` that ends it.
pub(super) fn end(secure: bool) -> String {
    format!("{COOKIE}=; Max-Age=0; {}", attributes(secure))
}

fn attributes(secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    format!("Path=/; HttpOnly; SameSite=Strict{secure}")
}

/// Whether the browser's connection is encrypted, as a trusted proxy says: Carrel itself listens without encryption.
pub(super) fn is_secure(extensions: &Extensions, headers: &HeaderMap, proxies: &[IpAddr]) -> bool {
    let peer = extensions.get::<Peer>();
    let trusted = peer.is_some_and(|Peer(peer)| proxies.contains(&peer.to_canonical()));
    let said = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
    trusted && said.is_some_and(|said| said.rsplit(',').next().is_some_and(|last| last.trim() == "https"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::identify::tests::headers;

    #[test]
    fn only_our_own_pages_are_believed() {
        for (expected, pairs) in [
            (Origin::Client, &[("host", "a:8080"), ("origin", "http://a:8080")][..]),
            (Origin::OwnPage, &[(OF_PAGES, "1"), ("host", "a:8080")]),
            (Origin::OwnPage, &[(OF_PAGES, "1"), ("host", "a:8080"), ("origin", "http://A:8080")]),
            (Origin::Elsewhere, &[(OF_PAGES, "1"), ("host", "a:8080"), ("origin", "http://a:8081")]),
            (Origin::Elsewhere, &[(OF_PAGES, "1"), ("host", "a:8080"), ("origin", "null")]),
            (Origin::OwnPage, &[(OF_PAGES, "1"), ("sec-fetch-site", "same-origin"), ("origin", "https://b")]),
            (Origin::Elsewhere, &[(OF_PAGES, "1"), ("sec-fetch-site", "same-site")]),
            (Origin::Elsewhere, &[(OF_PAGES, "1"), ("sec-fetch-site", "cross-site"), ("host", "a")]),
        ] {
            assert_eq!(origin(&headers(pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn a_cookie_names_library_and_secret() {
        for (sent, expected) in [
            ("carrelSession=diku.abc", Some(("diku", "abc"))),
            ("a=b; carrelSession=diku.a.c; d=e", Some(("diku", "a.c"))),
            ("carrelSession=diku", None),
            ("carrelSession=diku.a; carrelSession=diku.b", None),
            ("carrelSessions=diku.a", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, sent.parse().unwrap());
            assert_eq!(cookie(&headers), expected, "{sent}");
        }
    }

    #[test]
    fn the_cookie_is_for_this_server_and_not_for_scripts() {
        assert_eq!(begin("diku", "abc", false), "carrelSession=diku.abc; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(begin("diku", "abc", true), "carrelSession=diku.abc; Path=/; HttpOnly; SameSite=Strict; Secure");
        assert_eq!(end(true), "carrelSession=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure");
    }

    #[test]
    fn only_a_trusted_proxy_tells_of_an_encrypted_connection() {
        let proxies: Vec<IpAddr> = vec!["127.0.0.1".parse().unwrap()];
        for (peer, said, secure) in [
            ("127.0.0.1", "https", true),
            ("127.0.0.1", "http", false),
            ("127.0.0.1", "https, http", false),
            ("192.0.2.1", "https", false),
        ] {
            let mut extensions = Extensions::new();
            extensions.insert(Peer(peer.parse().unwrap()));
            let headers = headers(&[("x-forwarded-proto", said)]);
            assert_eq!(is_secure(&extensions, &headers, &proxies), secure, "{peer} {said}");
        }
        assert!(!is_secure(&Extensions::new(), &headers(&[("x-forwarded-proto", "https")]), &proxies));
    }
}
