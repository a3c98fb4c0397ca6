//! Refusals of the archives (contract 1.3).

use serde_json::{Map, Value, json};
use store::StoreError;

use crate::model::{Invalid, class_name};

/// Why a request is refused, or failed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The record breaks its declaration or a rule.
    #[error("the record is not valid")]
    Invalid(Box<Invalid>),
    /// Something that must be unique exists already: messages by property.
    #[error("something that must be unique exists already")]
    Taken(Map<String, Value>),
    /// The same for one of several records that are changed at once.
    #[error("something that must be unique exists already for {uri}")]
    TakenFor { messages: Map<String, Value>, uri: String },
    /// A parameter is missing or wrong: messages by parameter.
    #[error("a parameter is missing or wrong")]
    Parameters(Map<String, Value>),
    /// The record refers to one that does not exist or belongs to another repository.
    #[error("Reference does not exist! (Reference: '{0}')")]
    MissingReference(String),
    /// The record refers to one of another repository.
    #[error(
        "Inter-repository links are not allowed in this operation! (Bad link: '{uri}'; Active repo: \
         '#/repositories/{}')",
        repository.unwrap_or_default()
    )]
    OtherRepository { uri: String, repository: Option<i64> },
    /// No such record.
    #[error("{0}")]
    NotFound(String),
    /// The request cannot be carried out as it is.
    #[error("{0}")]
    BadRequest(String),
    /// The state of the record forbids it.
    #[error("{0}")]
    Conflict(String),
    /// The state of records forbids it: what, in the form that the client expects.
    #[error("the state of records forbids it")]
    Conflicts(Value),
    /// What is asked for is being made, and is there later.
    #[error("{0}")]
    NotYet(String),
    /// The caller may not do that.
    #[error("Access denied")]
    Denied,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refusal {
    /// The client changed a version that is not the newest.
    pub fn stale() -> Self {
        Self::Conflict("The record you tried to update has been modified since you fetched it.".to_owned())
    }

    /// The version that the client read, without which a record cannot be replaced.
    ///
    /// # Errors
    /// The client did not send one.
    pub fn read_version(sent: Option<i64>) -> Result<i64, Self> {
        sent.ok_or_else(|| Self::Conflict("You must provide a lock_version in your request".to_owned()))
    }

    /// There is no such record of that type, whose name clients see as that of a class: `ArchivalObject`.
    pub fn no(kind: &str) -> Self {
        Self::NotFound(format!("{} not found", class_name(kind)))
    }

    /// JSON in the request cannot be read.
    pub fn unreadable(error: &serde_json::Error) -> Self {
        Self::BadRequest(format!("Had some trouble parsing your request: {error}"))
    }

    /// Another refusal, if this says that something does not exist.
    #[must_use]
    pub fn or_if_missing(self, other: Self) -> Self {
        if matches!(self, Self::NotFound(_)) { other } else { self }
    }

    /// There is no such thing, and ArchivesSpace does not say of what kind: clients see the name of its exception.
    pub fn nothing() -> Self {
        Self::NotFound("NotFoundException".to_owned())
    }

    /// The same refusal of a record that is at this path in the request.
    #[must_use]
    pub fn at(self, path: &str) -> Self {
        let below = |messages: &mut Map<String, Value>| {
            *messages = std::mem::take(messages).into_iter().map(|(of, text)| (format!("{path}/{of}"), text)).collect();
        };
        match self {
            Self::Invalid(mut invalid) => {
                below(&mut invalid.errors);
                below(&mut invalid.warnings);
                Self::Invalid(invalid)
            }
            other => other,
        }
    }

    /// One message for one parameter.
    pub fn parameter(name: &str, message: impl Into<String>) -> Self {
        Self::Parameters(Map::from_iter([(name.to_owned(), json!([message.into()]))]))
    }

    /// Status and body of the answer; `None` for a failure of the database, whose status depends on its cause.
    pub fn answer(&self) -> Option<(u16, Value)> {
        Some(match self {
            Self::Invalid(invalid) => (
                400,
                json!({"error": invalid.errors, "warning": invalid.warnings, "invalid_object": invalid.invalid_object}),
            ),
            Self::Taken(errors) | Self::Parameters(errors) => (400, json!({"error": errors})),
            Self::TakenFor { messages, uri } => (400, json!({"error": messages, "uri": uri})),
            Self::MissingReference(_) | Self::OtherRepository { .. } | Self::BadRequest(_) => {
                (400, json!({"error": self.to_string()}))
            }
            Self::NotFound(_) => (404, json!({"error": self.to_string()})),
            Self::NotYet(text) => (503, json!({"error": text})),
            Self::Conflict(text) => (409, json!({"error": text})),
            Self::Conflicts(what) => (409, json!({"error": what})),
            Self::Denied => (403, json!({"error": "Access denied"})),
            // What the items of containers refuse (decision 48): the functions that keep them in step say it in words.
            Self::Store(StoreError::Check { constraint, message }) if constraint == "box_in_use" => {
                (409, json!({"error": message}))
            }
            Self::Store(StoreError::Check { constraint, message }) if constraint == "barcode_of_item" => {
                (400, json!({"error": {"barcode": [message]}}))
            }
            // A value left its list while the record was being saved.
            Self::Store(StoreError::Check { constraint, message }) if constraint == "listed_value" => {
                (400, json!({"error": message}))
            }
            Self::Store(StoreError::Duplicate { constraint, .. }) if constraint == "item_barcode_key" => {
                (400, json!({"error": {"barcode": ["The barcode is that of another item of the library"]}}))
            }
            Self::Store(_) => return None,
        })
    }
}

impl From<Invalid> for Refusal {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(Box::new(invalid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_record_is_named_like_its_class() {
        for (kind, text) in
            [("archival_object", "ArchivalObject not found"), ("resource", "Resource not found"), ("", " not found")]
        {
            assert_eq!(Refusal::no(kind).to_string(), text);
        }
    }
}
