//! Cross-origin requests (docs/folio/gateway.md#cross-origin-requests). Any page may use a token it holds itself; only
//! pages of the allowed origins may use the user's cookies.

use axum::body::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, header};

use crate::origins::Origins;

const METHODS: &str = "GET,POST,PUT,PATCH,DELETE";
const ALLOWED: &str =
    "content-type,X-Okapi-Tenant,X-Okapi-Token,Authorization,X-Okapi-Request-Id,X-Okapi-Module-Id,Credentials";
const EXPOSED: &str =
    "Location,X-Okapi-Trace,X-Okapi-Token,Authorization,X-Okapi-Request-Id,X-Okapi-Module-Id,Server-Timing";

/// The origin of the requesting page.
pub(super) enum Asking {
    /// Not sent: not a browser, or a read by a page of the same origin.
    Unsaid,
    Allowed(HeaderValue),
    /// Any other origin.
    Stranger,
}

impl Asking {
    pub(super) fn of(request: &HeaderMap, allowed: &Origins) -> Self {
        match request.get(header::ORIGIN) {
            None => Self::Unsaid,
            Some(origin) if origin.to_str().is_ok_and(|text| allowed.allow(text)) => Self::Allowed(origin.clone()),
            Some(_) => Self::Stranger,
        }
    }

    /// Removes the cookies from another origin's request. The page could not read the response, but the request would
    /// still take effect. Browsers mark requests from the page's own origin.
    pub(super) fn forget_cookies(&self, request: &mut Request<Body>) {
        let from_elsewhere =
            request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site");
        if matches!(self, Self::Stranger) && from_elsewhere {
            request.headers_mut().remove(header::COOKIE);
        }
    }
}

/// Answers an OPTIONS request without any look-up, because these make up half of a circulation session's requests.
pub(super) fn preflight(asking: &Asking) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "7200");
    match asking {
        Asking::Unsaid => set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        asking => allow(headers, asking),
    }
    response
}

/// Lets the page read the response.
pub(super) fn expose(response: &mut Response<Body>, asking: &Asking) {
    if !matches!(asking, Asking::Unsaid) {
        let headers = response.headers_mut();
        set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        allow(headers, asking);
    }
}

fn allow(headers: &mut HeaderMap, asking: &Asking) {
    match asking {
        Asking::Unsaid => return,
        Asking::Allowed(origin) => {
            set(headers, header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        }
        Asking::Stranger => set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    }
    set(headers, header::VARY, "origin");
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
