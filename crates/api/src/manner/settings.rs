//! mod-settings: Vert.x validates each request against the OpenAPI document and reports faults as 400 text.

use crate::answer::Problem;

/// The refusal of a request that violates the module's OpenAPI document.
pub(crate) fn bad(text: &str) -> Problem {
    Problem::bad_request(format!("[Bad Request] {text}"))
}

pub(super) fn no_id(name: &str) -> Problem {
    bad(&format!("Validation error for parameter {name} in location PATH: Provided value don't match pattern"))
}

pub(super) fn below(name: &str) -> Problem {
    bad(&format!("Validation error for parameter {name} in location QUERY: value should be >= 0.0"))
}

pub(super) fn no_number(name: &str, text: &str) -> Problem {
    bad(&format!("Parsing error for parameter {name} in location QUERY: For input string: \"{text}\""))
}

pub(super) fn unreadable(fault: &str) -> Problem {
    bad(&format!("Json body application/json parsing error: {fault}"))
}

pub(super) fn other_type(path: &str, content_type: &str) -> Problem {
    // Only this route reads its body itself.
    if path == "/settings/upload" {
        return Problem::bad_request("Content-Type must be application/json");
    }
    bad(&format!("Cannot find body processor for content type {content_type}"))
}
