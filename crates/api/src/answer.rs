//! Answers: what a handler returns, and the shapes of FOLIO's errors (docs/folio/conventions.md#error-shapes).

use axum::body::Body;
use bytes::Bytes;
use desk::Failed;
use http::{HeaderName, HeaderValue, StatusCode, header};
use identity::door::TurnedAway;
pub use refusals::ErrorEntry;
use refusals::{Refusal, Refused, Shape, Wording};
use serde_json::{Value, json};
use store::{StoreError, record::Rejection};

/// A successful response.
#[derive(Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: StatusCode,
    /// Headers in addition to those the gateway sets.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Response body.
    pub body: Body,
}

impl Reply {
    /// 204 without a body.
    #[must_use]
    pub(crate) fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, headers: Vec::new(), body: Body::empty() }
    }

    /// 200 with text that is already JSON.
    #[must_use]
    pub(crate) fn json_text(text: impl Into<Bytes>) -> Self {
        Self::typed("application/json", Body::from(text.into()))
    }

    /// 200 with JSON.
    pub fn json(value: &Value) -> Self {
        // Without the detour of `to_string` through a formatter; a value can always be printed.
        Self::json_text(serde_json::to_vec(value).unwrap_or_else(|_| value.to_string().into()))
    }

    /// 200 with JSON as mod-circulation prints it, `"id" : "…"` (docs/folio/circulation.md#bodies-and-printing).
    #[must_use]
    pub(crate) fn pretty(value: &Value) -> Self {
        Self::json_text(crate::pretty::pretty(value))
    }

    /// 200 with plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::typed("text/plain", Body::from(text.into()))
    }

    /// 200 with a body of the given media type.
    pub fn typed(content_type: &'static str, body: Body) -> Self {
        let headers = vec![(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
        Self { status: StatusCode::OK, headers, body }
    }

    /// Replaces the status.
    #[must_use]
    pub(crate) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// 201, with a `Location` header if `location` is a valid header value.
    #[must_use]
    pub fn created(self, location: &str) -> Self {
        self.with_status(StatusCode::CREATED).with_header(header::LOCATION, location)
    }

    /// Adds a header. Drops it if the value is not a valid header value.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }
}

/// A refusal or failure, in the shape clients of the module expect.
#[derive(Debug)]
pub enum Problem {
    /// `text/plain`.
    Text(StatusCode, String),
    /// `application/json`.
    Json(StatusCode, Value),
    /// `application/json` as mod-circulation prints it.
    Pretty(StatusCode, Value),
    /// A sentence without quotes, sent as `application/json`, as some modules built with the RAML module builder do.
    Unquoted(StatusCode, String),
    /// An internal failure. The log gets the context; the client does not.
    Internal(String),
}

impl Problem {
    /// 400 text.
    pub fn bad_request(text: impl Into<String>) -> Self {
        Self::Text(StatusCode::BAD_REQUEST, text.into())
    }

    /// 404 text.
    pub fn not_found(text: impl Into<String>) -> Self {
        Self::Text(StatusCode::NOT_FOUND, text.into())
    }

    /// 422 with FOLIO's `errors` array.
    pub fn unprocessable(errors: &[ErrorEntry]) -> Self {
        Self::errors(StatusCode::UNPROCESSABLE_ENTITY, errors)
    }

    /// 422 with FOLIO's `errors` array, as mod-circulation prints it.
    pub fn circulation(errors: &[ErrorEntry]) -> Self {
        let errors: Vec<_> = errors.iter().map(ErrorEntry::to_json).collect();
        Self::Pretty(StatusCode::UNPROCESSABLE_ENTITY, json!({"errors": errors}))
    }

    /// FOLIO's `errors` array with any status.
    pub fn errors(status: StatusCode, errors: &[ErrorEntry]) -> Self {
        let errors: Vec<_> = errors.iter().map(ErrorEntry::to_json).collect();
        Self::Json(status, json!({"errors": errors}))
    }

    /// FOLIO's `errors` array and the number of errors. The code stands before the parameters.
    fn counted(status: StatusCode, errors: &[ErrorEntry]) -> Self {
        let mut errors: Vec<_> = errors.iter().map(ErrorEntry::to_json).collect();
        for members in errors.iter_mut().filter_map(Value::as_object_mut) {
            let parameters = members.shift_remove_entry("parameters");
            members.extend(parameters);
        }
        Self::Json(status, json!({"errors": errors, "total_records": errors.len()}))
    }

    /// One error, not in a list.
    fn alone(status: StatusCode, error: &ErrorEntry) -> Self {
        let mut shown = error.to_json();
        if let Some(members) = shown.as_object_mut().filter(|_| error.parameters.is_empty()) {
            members.shift_remove("parameters");
        }
        Self::Json(status, shown)
    }

    /// One error as mod-notes and mod-tags send it: type -1 if it has a code, -4 if they have no code for it.
    pub fn spring(status: StatusCode, message: &str, code: Option<&str>) -> Self {
        let kind = if code.is_some() { "-1" } else { "-4" };
        let item = ErrorEntry {
            message: message.into(),
            kind: Some(kind.into()),
            code: code.map(str::to_owned),
            ..ErrorEntry::default()
        };
        Self::errors(status, &[item])
    }
}

/// The first refusal determines the status and the shape.
impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let Some(first) = refused.0.first() else {
            return Problem::circulation(&[]);
        };
        let wording = first.wording();
        let status = StatusCode::from_u16(wording.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let entries = || refused.entries();
        match wording.shape {
            Shape::LogIn | Shape::Spring => Problem::errors(status, &entries()),
            Shape::Counted => Problem::counted(status, &entries()),
            Shape::Alone => Problem::alone(status, &first.entry()),
            Shape::Sentences => {
                let sentences = refused.0.iter().map(|refusal| Value::from(refusal.message()));
                Problem::Json(status, json!({"errors": Value::from_iter(sentences)}))
            }
            Shape::Circulation if wording.status == 422 => Problem::circulation(&entries()),
            Shape::Storage | Shape::Inventory if wording.status == 422 => Problem::unprocessable(&entries()),
            _ => Problem::Text(status, refused.to_string()),
        }
    }
}

impl From<&'static Wording> for Problem {
    fn from(wording: &'static Wording) -> Self {
        Refused::from(wording).into()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Refused::from(refusal).into()
    }
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Refused(refused) => refused.into(),
            Failed::Rejected(rejection) => rejection.into(),
            Failed::Store(error) => error.into(),
        }
    }
}

/// The bare sentence, for the command line and the log.
impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(_, text) | Self::Unquoted(_, text) | Self::Internal(text) => f.write_str(text),
            Self::Json(_, value) | Self::Pretty(_, value) => {
                let first = value.pointer("/errors/0/message").and_then(Value::as_str);
                match first {
                    Some(message) => f.write_str(message),
                    None => write!(f, "{value}"),
                }
            }
        }
    }
}

impl std::error::Error for Problem {}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Unreadable(text) => Problem::bad_request(text),
            Rejection::Breaches(breaches) => {
                let errors: Vec<_> = breaches
                    .iter()
                    .map(|breach| {
                        let (message, code, key, value) = breach.in_words();
                        ErrorEntry { code: Some(code.into()), ..ErrorEntry::rmb(message, &key, &value) }
                    })
                    .collect();
                Problem::unprocessable(&errors)
            }
        }
    }
}

impl From<TurnedAway> for Problem {
    fn from(why: TurnedAway) -> Self {
        let status = match why {
            TurnedAway::TooManyFailures => StatusCode::TOO_MANY_REQUESTS,
            TurnedAway::TooMany => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::Text(status, why.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::DiskFull => Problem::Text(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
            StoreError::Unavailable(_)
            | StoreError::TooSlow
            | StoreError::Late(_)
            | StoreError::DiskFails
            | StoreError::ReadOnly => Problem::Text(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            StoreError::Conflict(_) => Problem::Text(StatusCode::CONFLICT, error.to_string()),
            StoreError::Invalid(text) => Problem::bad_request(text),
            StoreError::Duplicate { .. } | StoreError::ForeignKey { .. } | StoreError::NoSuchListed { .. } => {
                Problem::bad_request(error.to_string())
            }
            StoreError::Check { ref message, .. } => Problem::bad_request(message.clone()),
            StoreError::Other(text) => Problem::Internal(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_have_the_shape_of_their_table() {
        let tables = crate::folio::refusal_tables();
        let row = |name: &str| {
            let mut rows = tables.iter().flat_map(|table| table.rows);
            *rows.find(|row| row.name == name).unwrap()
        };
        for (refusal, status, printed) in [
            (
                row("RULE_BROKEN_BY_USER").with("rule", "x"),
                400,
                r#"{"errors":[{"message":"x","code":"x","parameters":[]}],"total_records":1}"#,
            ),
            (
                row("CALLBACK_INVALID").with("fault", "x"),
                400,
                r#"{"errors":[{"message":"x","parameters":[]}],"total_records":1}"#,
            ),
            (row("CHANGED_RULE_UNKNOWN").into(), 404, r#"{"message":"Rule not found","type":"-2"}"#),
            (
                row("COOKIE_UNREADABLE").into(),
                400,
                r#"{"errors":[{"message":"Bad request","type":"error","code":"token.parse.failure","parameters":[]}]}"#,
            ),
            (row("TARGET_UNKNOWN").with("target", "x").with("id", "1"), 422, r#"{"errors":["x with id=1 not found"]}"#),
            (
                row("LABEL_TAKEN").with("value", "x"),
                422,
                r#"{"errors":[{"message":"Key (label)=(x) already exists.","type":"-1","code":"VALIDATION_ERROR","parameters":[]}]}"#,
            ),
        ] {
            let Problem::Json(of_answer, body) = Problem::from(refusal) else {
                panic!("no JSON");
            };
            assert_eq!((of_answer.as_u16(), body.to_string().as_str()), (status, printed));
        }
    }
}
