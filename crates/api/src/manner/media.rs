//! Checks of `Content-Type` and `Accept`. Some FOLIO modules refuse media types they do not support
//! (docs/folio/conventions.md#media-types); the others read JSON whatever its declared type
//! (docs/folio/circulation.md#bodies-and-printing).

use http::{HeaderMap, HeaderName, Method, StatusCode, header};

use super::{Manner, calendar, settings, spring};
use crate::{answer::Problem, call::Call, route::Route};

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// Checks that the route reads the request's `Content-Type` and answers in a type it accepts. Otherwise refuses as the
/// module does.
pub(crate) fn check(call: &Call) -> Result<(), Problem> {
    let manner = Manner::of(call.route.module);
    if manner == Manner::Plain {
        return Ok(());
    }
    let sent = text(&call.headers, &header::CONTENT_TYPE).filter(|_| !call.body.is_empty() && reads_body(&call.route));
    if let Some(sent) = sent.filter(|_| !call.route.any_type).map(essence)
        && !sent.eq_ignore_ascii_case(JSON)
    {
        return Err(other_type(call, manner, sent));
    }
    match text(&call.headers, &header::ACCEPT) {
        Some(accepted) if !accepted.split(',').map(essence).any(is_spoken) => {
            not_spoken(manner, accepted).map_or(Ok(()), Err)
        }
        _ => Ok(()),
    }
}

/// FOLIO's POST and PUT routes without a body.
const WITHOUT_BODY: [&str; 13] = [
    "/authn/logout",
    "/authn/logout-all",
    "/authn/refresh",
    "/automated-patron-blocks/synchronization/start",
    "/bl-users/password-reset/validate",
    "/delayedTask/retryFailedEmails",
    "/loan-storage/loans/anonymize/{userId}",
    "/perms/purge-deprecated",
    "/pubsub/subscriptions/{moduleId}/resume",
    "/scheduled-request-expiration",
    "/staging-users/{id}/mergeOrCreateUser",
    "/tlr-feature-toggle-job/start",
    "/users/expire/timer",
];

/// Routes that read no body accept any `Content-Type`, because some clients send one with every request.
fn reads_body(route: &Route) -> bool {
    match route.method {
        Method::POST | Method::PUT | Method::PATCH => !WITHOUT_BODY.contains(&route.path.as_str()),
        _ => route.takes.is_some(),
    }
}

fn other_type(call: &Call, manner: Manner, sent: &str) -> Problem {
    let unsupported = format!("Content-Type '{sent}' is not supported");
    let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    match manner {
        // FOLIO's mod-tags answers 500 here.
        Manner::Spring if call.route.module == Some("mod-tags") => Problem::spring(status, &unsupported, None),
        Manner::Spring | Manner::Bare => spring::bare(call, status, &unsupported),
        Manner::Calendar => calendar::invalid(&unsupported, call.now),
        Manner::Settings => settings::other_type(&call.route.path, sent),
        Manner::Builder | Manner::Plain => {
            Problem::bad_request(format!("Content-type header must be [\"{JSON}\"] but it is \"{sent}\""))
        }
    }
}

/// The refusal of an `Accept` header; `None` for modules that ignore it.
fn not_spoken(manner: Manner, accepted: &str) -> Option<Problem> {
    match manner {
        Manner::Spring | Manner::Bare => {
            Some(Problem::Text(StatusCode::NOT_ACCEPTABLE, format!("Acceptable representations: [{JSON}]")))
        }
        Manner::Builder => Some(Problem::bad_request(format!(
            "Accept header must be [\"{JSON}\",\"{TEXT}\"] for this request, but it is \"{accepted}\", \
             can not send */*"
        ))),
        Manner::Plain | Manner::Calendar | Manner::Settings => None,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// A media type without parameters.
fn essence(media: &str) -> &str {
    media.split(';').next().unwrap_or_default().trim()
}

fn is_spoken(media: &str) -> bool {
    ["*/*", "application/*", JSON, TEXT].iter().any(|spoken| spoken.eq_ignore_ascii_case(media))
}
