//! Answers: what a handler returns, and the shapes FOLIO gives errors (docs/folio/conventions.md#error-shapes).

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode, header};
use identity::door::TurnedAway;
use serde_json::{Map, Value, json};
use store::{StoreError, collection::Fault, record::Rejection};

/// A good answer.
#[derive(Debug)]
pub struct Reply {
    /// Status.
    pub status: StatusCode,
    /// Headers beside those of the gateway.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Body.
    pub body: Body,
}

impl Reply {
    /// An answer without a body: 204.
    #[must_use]
    pub fn no_content() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            body: Body::empty(),
        }
    }

    /// JSON that is already text, 200.
    #[must_use]
    pub fn json_text(text: impl Into<Bytes>) -> Self {
        Self::typed("application/json", Body::from(text.into()))
    }

    /// JSON, 200.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::json_text(value.to_string())
    }

    /// JSON as FOLIO's circulation prints it, `"id" : "…"` (docs/folio/circulation.md#bodies-and-printing), 200.
    #[must_use]
    pub fn pretty(value: &Value) -> Self {
        Self::json_text(pretty(value))
    }

    /// Plain text, 200.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::typed("text/plain", Body::from(text.into()))
    }

    /// A body of any type, 200.
    #[must_use]
    pub fn typed(content_type: &'static str, body: Body) -> Self {
        let headers = vec![(header::CONTENT_TYPE, HeaderValue::from_static(content_type))];
        Self {
            status: StatusCode::OK,
            headers,
            body,
        }
    }

    /// The same answer with another status.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// 201, with `Location` when it can be a header.
    #[must_use]
    pub fn created(self, location: &str) -> Self {
        self.with_status(StatusCode::CREATED)
            .with_header(header::LOCATION, location)
    }

    /// One more header; a value that cannot be a header is left away.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }
}

/// One entry of FOLIO's `errors` array.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorItem {
    /// The sentence.
    pub message: String,
    /// `type`, where the module gives one.
    pub kind: Option<String>,
    /// `code`, where the module gives one.
    pub code: Option<String>,
    /// Parameters in order; `null` values stay.
    pub parameters: Vec<(String, Option<String>)>,
    /// `overridableBlock`, as mod-circulation adds it.
    pub overridable_block: Option<Value>,
}

impl ErrorItem {
    /// An error about one parameter, in the style of the RMB modules (type 1, code -1).
    #[must_use]
    pub fn rmb(message: impl Into<String>, key: &str, value: &str) -> Self {
        Self {
            message: message.into(),
            kind: Some("1".into()),
            code: Some("-1".into()),
            parameters: vec![(key.into(), Some(value.into()))],
            overridable_block: None,
        }
    }

    /// An error about one parameter without type and code, in the style of mod-circulation and mod-inventory.
    #[must_use]
    pub fn plain(message: impl Into<String>, key: &str, value: Option<&str>) -> Self {
        Self {
            message: message.into(),
            parameters: vec![(key.into(), value.map(str::to_owned))],
            ..Self::default()
        }
    }

    /// Modules that give a `type` print the code before the parameters, the others after them.
    fn to_json(&self) -> Value {
        let parameters: Vec<_> = self
            .parameters
            .iter()
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        let mut item = Map::new();
        item.insert("message".into(), self.message.as_str().into());
        let code = self
            .code
            .as_deref()
            .map(|code| ("code".to_owned(), code.into()));
        match &self.kind {
            Some(kind) => {
                item.insert("type".into(), kind.as_str().into());
                item.extend(code);
                item.insert("parameters".into(), parameters.into());
            }
            None => {
                item.insert("parameters".into(), parameters.into());
                item.extend(code);
            }
        }
        if let Some(block) = &self.overridable_block {
            item.insert("overridableBlock".into(), block.clone());
        }
        Value::Object(item)
    }
}

/// A refusal or failure, in the shape the client expects.
#[derive(Debug)]
pub enum Problem {
    /// `text/plain`.
    Text(StatusCode, String),
    /// `application/json`.
    Json(StatusCode, Value),
    /// `application/json` as mod-circulation prints it.
    Pretty(StatusCode, Value),
    /// A sentence without quotes that its module calls `application/json`, as those of the builder do with some.
    Unquoted(StatusCode, String),
    /// A failure of ours: logged with its context, told without it.
    Internal(String),
}

impl Problem {
    /// 400 text.
    #[must_use]
    pub fn bad_request(text: impl Into<String>) -> Self {
        Self::Text(StatusCode::BAD_REQUEST, text.into())
    }

    /// 404 text.
    #[must_use]
    pub fn not_found(text: impl Into<String>) -> Self {
        Self::Text(StatusCode::NOT_FOUND, text.into())
    }

    /// 422 with FOLIO's `errors` array.
    #[must_use]
    pub fn unprocessable(errors: &[ErrorItem]) -> Self {
        Self::errors(StatusCode::UNPROCESSABLE_ENTITY, errors)
    }

    /// 422 with FOLIO's `errors` array, as mod-circulation prints it.
    #[must_use]
    pub fn circulation(errors: &[ErrorItem]) -> Self {
        let errors: Vec<_> = errors.iter().map(ErrorItem::to_json).collect();
        Self::Pretty(StatusCode::UNPROCESSABLE_ENTITY, json!({"errors": errors}))
    }

    /// FOLIO's `errors` array with any status.
    #[must_use]
    pub fn errors(status: StatusCode, errors: &[ErrorItem]) -> Self {
        let errors: Vec<_> = errors.iter().map(ErrorItem::to_json).collect();
        Self::Json(status, json!({"errors": errors}))
    }

    /// One error as mod-notes and mod-tags have it: of the type -1 when it has a code, -4 when they do not know it.
    #[must_use]
    pub fn spring(status: StatusCode, message: &str, code: Option<&str>) -> Self {
        let kind = if code.is_some() { "-1" } else { "-4" };
        let item = ErrorItem {
            message: message.into(),
            kind: Some(kind.into()),
            code: code.map(str::to_owned),
            ..ErrorItem::default()
        };
        Self::errors(status, &[item])
    }

    /// A check's finding as the RMB modules tell it.
    #[must_use]
    pub fn fault(mut fault: Fault) -> Self {
        if fault.as_text {
            return Self::bad_request(fault.message);
        }
        let others = std::mem::take(&mut fault.others);
        let all = std::iter::once(fault).chain(others);
        Self::unprocessable(&all.map(ErrorItem::from).collect::<Vec<_>>())
    }
}

impl From<Fault> for ErrorItem {
    /// As the RMB modules tell it: type 1, code -1 unless it has its own.
    fn from(fault: Fault) -> Self {
        Self {
            message: fault.message,
            kind: Some("1".into()),
            code: Some(fault.code.unwrap_or_else(|| "-1".into())),
            parameters: fault.parameters,
            overridable_block: None,
        }
    }
}

/// The sentence, for those who read no HTTP: the command line and the log.
impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(_, text) | Self::Unquoted(_, text) | Self::Internal(text) => {
                f.write_str(text)
            }
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
                        ErrorItem {
                            code: Some(code.into()),
                            ..ErrorItem::rmb(message, &key, &value)
                        }
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
            StoreError::DiskFull => {
                Problem::Text(StatusCode::INSUFFICIENT_STORAGE, error.to_string())
            }
            StoreError::Unavailable(_)
            | StoreError::TooSlow
            | StoreError::Late(_)
            | StoreError::DiskFails
            | StoreError::ReadOnly => {
                Problem::Text(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
            }
            StoreError::Conflict(_) => Problem::Text(StatusCode::CONFLICT, error.to_string()),
            StoreError::Invalid(text) => Problem::bad_request(text),
            StoreError::Duplicate { .. } | StoreError::ForeignKey { .. } => {
                Problem::bad_request(error.to_string())
            }
            StoreError::Check { ref message, .. } => Problem::bad_request(message.clone()),
            StoreError::Other(text) => Problem::Internal(text),
        }
    }
}

/// JSON the way FOLIO's Vert.x pretty printer does it: two spaces, and a space on both sides of the colon.
#[must_use]
pub fn pretty(value: &Value) -> String {
    let mut out = String::with_capacity(2048);
    print(value, 0, &mut out);
    out
}

fn print(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            out.push('{');
            for (place, (name, value)) in members.iter().enumerate() {
                line(out, depth + 1, place);
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push_str(" : ");
                print(value, depth + 1, out);
            }
            out.push('\n');
            indent(out, depth);
            out.push('}');
        }
        Value::Object(_) => out.push_str("{ }"),
        Value::Array(values) if !values.is_empty() => {
            out.push_str("[ ");
            for (place, value) in values.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                print(value, depth, out);
            }
            out.push_str(" ]");
        }
        Value::Array(_) => out.push_str("[ ]"),
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn line(out: &mut String, depth: usize, place: usize) {
    out.push_str(if place > 0 { ",\n" } else { "\n" });
    indent(out, depth);
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circulation_prints_a_space_on_both_sides_of_the_colon() {
        let value =
            json!({"id": "x", "loan": {"items": [1, {"a": true}], "none": [], "empty": {}}});
        assert_eq!(
            pretty(&value),
            "{\n  \"id\" : \"x\",\n  \"loan\" : {\n    \"items\" : [ 1, {\n      \"a\" : true\n    } ],\n    \
             \"none\" : [ ],\n    \"empty\" : { }\n  }\n}"
        );
        assert_eq!(
            serde_json::from_str::<Value>(&pretty(&value)).unwrap(),
            value
        );
    }
}
