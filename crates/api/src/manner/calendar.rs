//! mod-calendar's error format, the same for every fault: `{timestamp, status, errors: [{code, message, data,
//! _parameters}]}`.

use circulation::calendars::refusal::PARAMETER_INVALID;
use http::StatusCode;
use jiff::Timestamp;
use refusals::Refusal;
use serde_json::{Value, json};

use super::spring;
use crate::{answer::Problem, call::Call};

/// Path parameters with different names in Carrel.
const NAMES: [(&str, &str); 1] = [("id", "calendarId")];

/// The refusal of an unreadable parameter or body.
pub(crate) fn invalid(detail: &str, now: Timestamp) -> Problem {
    let refusal = PARAMETER_INVALID.with("detail", detail);
    let error = error(&refusal, None, json!({}));
    problem(StatusCode::BAD_REQUEST, vec![error], now)
}

/// The refusal of a malformed id in the path.
pub(super) fn no_id(call: &Call, name: &str, text: &str) -> Problem {
    let known = NAMES.iter().find(|(ours, _)| *ours == name);
    let name = known.map_or(name, |(_, theirs)| *theirs);
    invalid(&spring::no_uuid(name, text), call.now)
}

pub(crate) fn error(refusal: &Refusal, data: Option<Value>, parameters: Value) -> Value {
    let mut error = json!({"code": refusal.wording().code, "message": refusal.message()});
    if let Some(data) = data {
        error["data"] = data;
    }
    error["_parameters"] = parameters;
    error
}

/// The response with a list of errors.
pub(crate) fn problem(status: StatusCode, errors: Vec<Value>, now: Timestamp) -> Problem {
    let body = json!({"timestamp": now.to_string(), "status": status.as_u16(), "errors": errors});
    Problem::Json(status, body)
}
