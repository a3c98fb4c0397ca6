//! Why a query is refused.

/// The three ways in which FOLIO refuses a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not CQL.
    Syntax,
    /// It is CQL, but uses a feature that FOLIO does not support.
    Unsupported,
    /// It is CQL, but makes no sense for the index it names.
    Invalid,
}

/// A refused query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub kind: ErrorKind,
    /// The message, in the words of FOLIO's parser.
    pub message: String,
    /// Byte offset in the query; known for syntax errors.
    pub offset: Option<usize>,
}

impl Error {
    pub(crate) fn syntax(message: impl Into<String>, offset: usize) -> Self {
        Self { kind: ErrorKind::Syntax, message: message.into(), offset: Some(offset) }
    }

    /// A feature that FOLIO does not support.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Unsupported, message: message.into(), offset: None }
    }

    /// A clause that makes no sense for its index.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Invalid, message: message.into(), offset: None }
    }

    /// The body of the 400 that FOLIO's storage modules send (docs/folio/conventions.md#refused-queries).
    pub fn store_text(&self, query: &str) -> String {
        let class = match self.kind {
            ErrorKind::Syntax => "QueryValidationException: org.z3950.zing.cql.CQLParseException",
            ErrorKind::Unsupported => "CQLFeatureUnsupportedException",
            ErrorKind::Invalid => "QueryValidationException",
        };
        format!("org.folio.cql2pgjson.exception.{class}: {}: {query}", self.message)
    }
}
