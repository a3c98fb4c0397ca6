//! Cross-origin requests (folio-platform §1.2).

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

const METHODS: &str = "GET,POST,PUT,PATCH,DELETE";
const ALLOWED: &str = "content-type,X-Okapi-Tenant,X-Okapi-Token,Authorization,X-Okapi-Request-Id,X-Okapi-Module-Id,Credentials";
const EXPOSED: &str = "Location,X-Okapi-Trace,X-Okapi-Token,Authorization,X-Okapi-Request-Id,X-Okapi-Module-Id,Server-Timing";

/// The answer to any OPTIONS: half of a desk session's requests are these, so nothing is looked up.
pub(super) fn preflight(request: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "7200");
    let origin = request.get(header::ORIGIN).cloned();
    allow(
        headers,
        Some(origin.unwrap_or_else(|| HeaderValue::from_static("*"))),
    );
    response
}

/// Lets the page at `origin` read the answer.
pub(super) fn expose(response: &mut Response<Body>, origin: Option<HeaderValue>) {
    if origin.is_some() {
        set(
            response.headers_mut(),
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            EXPOSED,
        );
    }
    allow(response.headers_mut(), origin);
}

fn allow(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    if let Some(origin) = origin {
        if origin != "*" {
            set(headers, header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
            set(headers, header::VARY, "origin");
        }
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
