//! mod-calendar tells all faults alike: `{timestamp, status, errors: [{code, message, data, _parameters}]}`.

use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::spring;
use crate::{answer::Problem, call::Call};

/// Parameters of its paths that Carrel names otherwise.
const NAMES: [(&str, &str); 1] = [("id", "calendarId")];

/// A parameter or body that cannot be read.
pub(crate) fn invalid(detail: &str, now: Timestamp) -> Problem {
    let message = format!("One of the parameters was the incorrect type: {detail}");
    let error = json!({"code": "invalidParameter", "message": message, "_parameters": {}});
    problem(StatusCode::BAD_REQUEST, vec![error], now)
}

/// A parameter of the path that is no id.
pub(super) fn no_id(call: &Call, name: &str, text: &str) -> Problem {
    let known = NAMES.iter().find(|(ours, _)| *ours == name);
    let name = known.map_or(name, |(_, theirs)| *theirs);
    invalid(&spring::no_uuid(name, text), call.now)
}

/// Errors in their envelope.
pub(crate) fn problem(status: StatusCode, errors: Vec<Value>, now: Timestamp) -> Problem {
    let body = json!({"timestamp": now.to_string(), "status": status.as_u16(), "errors": errors});
    Problem::Json(status, body)
}
