//! What a request's `Content-Type` and `Accept` may say. FOLIO's modules differ: those made with the RAML module
//! builder refuse what they do not speak (folio-platform §0), the others read JSON whatever it is called
//! (folio-circulation §10, item 14).

use http::{HeaderMap, HeaderName, header};

use crate::{answer::Problem, route::Route};

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// The products made with the RAML module builder.
const PARTICULAR: [&str; 13] = [
    "mod-circulation-storage",
    "mod-configuration",
    "mod-event-config",
    "mod-feesfines",
    "mod-inventory-storage",
    "mod-login",
    "mod-patron-blocks",
    "mod-permissions",
    "mod-source-record-storage",
    "mod-template-engine",
    "mod-user-import",
    "mod-users",
    "mod-users-bl",
];

/// Whether the route reads a body of the type that the request says it has, and answers in one it accepts.
///
/// # Errors
/// 400 with the text of the RAML module builder.
pub(super) fn check(route: &Route, headers: &HeaderMap, body: &[u8]) -> Result<(), Problem> {
    if !route
        .module
        .is_some_and(|module| PARTICULAR.contains(&module))
    {
        return Ok(());
    }
    let sent = text(headers, &header::CONTENT_TYPE).filter(|_| !body.is_empty());
    if let Some(sent) = sent.filter(|_| !route.any_type).map(essence)
        && !sent.eq_ignore_ascii_case(JSON)
    {
        return Err(Problem::bad_request(format!(
            "Content-type header must be [\"{JSON}\"] but it is \"{sent}\""
        )));
    }
    match text(headers, &header::ACCEPT) {
        Some(accepted) if !accepted.split(',').map(essence).any(is_spoken) => {
            Err(Problem::bad_request(format!(
                "Accept header must be [\"{JSON}\",\"{TEXT}\"] for this request, but it is \"{accepted}\", \
                 can not send */*"
            )))
        }
        _ => Ok(()),
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// A media type without its parameters.
fn essence(media: &str) -> &str {
    media.split(';').next().unwrap_or_default().trim()
}

fn is_spoken(media: &str) -> bool {
    ["*/*", JSON, TEXT]
        .iter()
        .any(|spoken| spoken.eq_ignore_ascii_case(media))
}
