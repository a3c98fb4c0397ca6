//! The Spring modules. mod-notes and mod-tags convert Spring's findings to one error; mod-password-validator leaves the
//! response to Spring. The messages are those of Spring and Jakarta Validation, without Java class names that mean
//! nothing to a client.

use http::{Method, StatusCode};
use serde_json::{Map, Value, json};
use store::record::{Breach, Rejection, Schema};

use super::unreadable;
use crate::{answer::Problem, call::Call};

/// mod-tags' pattern for an identifier.
const TAG_ID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";

/// Operations whose parameters are validated, with their names in refusals.
const OPERATIONS: [(Method, &str, &str); 7] = [
    (Method::GET, "/tags", "getTagCollection"),
    (Method::GET, "/tags/{id}", "getTagById"),
    (Method::PUT, "/tags/{id}", "putTagById"),
    (Method::DELETE, "/tags/{id}", "deleteTagById"),
    (Method::GET, "/notes", "getNoteCollection"),
    (Method::GET, "/note-types", "getNoteTypeCollection"),
    (Method::GET, "/note-links/domain/{domain}/type/{type}/id/{id}", "getNoteCollectionByLink"),
];

fn operation(call: &Call) -> &'static str {
    let known = |(method, path, _): &&(Method, &str, &str)| *method == call.route.method && *path == call.route.path;
    let found = OPERATIONS.iter().find(known);
    found.map_or("request", |(_, _, name)| name)
}

/// A faulty request as mod-notes and mod-tags report it: 422.
pub(crate) fn refused(message: &str) -> Problem {
    Problem::spring(StatusCode::UNPROCESSABLE_ENTITY, message, Some("VALIDATION_ERROR"))
}

pub(super) fn no_id(call: &Call, name: &str, text: &str) -> Problem {
    refused(&match call.route.module {
        Some("mod-tags") => format!("{}.{name}: must match \"{TAG_ID}\"", operation(call)),
        _ => no_uuid(name, text),
    })
}

/// The message for a malformed UUID parameter.
pub(crate) fn no_uuid(name: &str, text: &str) -> String {
    let detail = match text.len() {
        0..=36 => format!("Invalid UUID string: {text}"),
        _ => "UUID string too large".to_owned(),
    };
    not_converted(name, "java.util.UUID", &detail)
}

/// The message for a malformed number parameter.
pub(super) fn no_number(name: &str, text: &str) -> String {
    not_converted(name, "java.lang.Integer", &format!("For input string: \"{text}\""))
}

/// The message for a parameter that cannot be converted to its Java class.
pub(crate) fn not_converted(name: &str, class: &str, detail: &str) -> String {
    format!(
        "Method parameter '{name}': Failed to convert value of type 'java.lang.String' \
         to required type '{class}'; {detail}"
    )
}

/// Spring names every parameter that is too small; `limit` is read before `offset`.
pub(super) fn below(call: &Call, name: &str, least: i64) -> Problem {
    let operation = operation(call);
    let told = |name: &str, least: i64| format!("{operation}.{name}: must be greater than or equal to {least}");
    let offset = call.query.get("offset").and_then(|text| text.parse::<i64>().ok());
    match name == "limit" && offset.is_some_and(|offset| offset < 0) {
        true => refused(&format!("{}, {}", told("offset", 0), told(name, least))),
        false => refused(&told(name, least)),
    }
}

/// The record in the request, without undeclared members. `name` is the module's name for such records. Answers 422
/// with every member that violates the declaration.
pub(crate) fn accepted(call: &Call, schema: &Schema, name: &str) -> Result<Map<String, Value>, Problem> {
    let known = schema.without_unknown(call.json()?);
    schema.accept(known).map_err(|rejection| match rejection {
        Rejection::Unreadable(text) => unreadable(call, &text),
        Rejection::Breaches(breaches) => invalid(name, &breaches),
    })
}

fn invalid(record: &str, breaches: &[Breach]) -> Problem {
    // Given a malformed UUID, Jackson creates no record at all, except in mod-tags, where ids are text.
    let unread = breaches.iter().find_map(Breach::malformed_id).filter(|_| record != "tagDto");
    if let Some(value) = unread {
        return refused(&format!(
            "JSON parse error: Cannot deserialize value of type `java.util.UUID` from String \"{value}\": \
             UUID has to be represented by standard 36-char representation"
        ));
    }
    let told = breaches.iter().map(|breach| {
        let (message, _, field, value) = breach.in_words();
        format!(
            "[Field error in object '{record}' on field '{field}': rejected value [{value}]; \
             default message [{message}]]"
        )
    });
    let told: Vec<_> = told.collect();
    refused(&format!("Validation failed for argument [0]: {}", told.join(" ")))
}

/// Spring's default response, where the module has none of its own.
pub(super) fn bare(call: &Call, status: StatusCode, message: &str) -> Problem {
    let error = status.canonical_reason().unwrap_or_default();
    let path = address(call);
    Problem::Json(
        status,
        json!({"timestamp": store::record::print_instant(call.now), "status": status.as_u16(), "error": error,
            "message": message, "path": path}),
    )
}

fn address(call: &Call) -> String {
    let parts = call.route.path.split('/');
    let filled = parts.map(|part| {
        let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        name.map_or(part, |name| call.param(name))
    });
    filled.collect::<Vec<_>>().join("/")
}
