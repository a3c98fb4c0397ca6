//! The declared request and response bodies of a route. The API document is generated from them, and tests check every
//! response against it.

use http::StatusCode;
use store::{collection::Collection, record::Kind};

/// Media type of most bodies.
pub const JSON: &str = "application/json";
/// Media type of plain-text messages.
pub const TEXT: &str = "text/plain";

/// A request or response body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The kind of data in it.
    pub kind: Kind,
    /// The name of its schema in the API document, if several routes share it.
    pub name: Option<String>,
    /// Media type.
    pub media: &'static str,
    /// Bodies of this kind one after the other, not in a list.
    pub is_sequence: bool,
}

impl Body {
    /// JSON, declared in the notation of [`store::record`].
    pub fn json(declaration: &str) -> Self {
        Self::of(Kind::declare(declaration))
    }

    /// JSON of the given kind.
    pub fn of(kind: Kind) -> Self {
        Self { kind, name: None, media: JSON, is_sequence: false }
    }

    /// A record of a collection.
    pub fn record(collection: &Collection) -> Self {
        // Some table names are plural, others singular.
        let table = collection.table;
        let table = match table.strip_suffix('s') {
            Some(one) if one.ends_with("sse") => &one[..one.len() - 1],
            Some(one) if !one.ends_with(['s', 'u']) => one,
            _ => table,
        };
        let words = table.split('_');
        let name = words.map(|word| word[..1].to_uppercase() + &word[1..]);
        Self { name: Some(name.collect()), ..Self::of(Kind::Object(collection.schema.clone())) }
    }

    /// The same body under its own name in the API document.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// A body of another media type, without a JSON schema.
    pub fn media(media: &'static str) -> Self {
        Self { media, ..Self::of(Kind::Text) }
    }
}

/// A successful response: its status and body.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// If absent, 200, or 204 without a body.
    pub status: Option<StatusCode>,
    /// Absent if the response has none.
    pub body: Option<Body>,
}

impl Given {
    /// The actual status.
    pub fn status(&self) -> StatusCode {
        let usual = match self.body {
            Some(_) => StatusCode::OK,
            None => StatusCode::NO_CONTENT,
        };
        self.status.unwrap_or(usual)
    }
}

/// The format of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Plain text.
    Text,
    /// FOLIO's `errors` (docs/folio/conventions.md#error-shapes).
    Errors,
    /// mod-calendar's format.
    Calendars,
    /// Spring's default response.
    Spring,
    /// The open transactions that prevent a user's deletion.
    Open,
    /// Why no users were imported.
    Import,
    /// A list of errors with messages only.
    Sentences,
    /// A text without quotes, sent as JSON.
    Unquoted,
    /// What is wrong with the circulation rules, and where.
    Rules,
    /// Why an action on one or more accounts is refused.
    Action,
    /// A single error without the `errors` list, as in mod-password-validator.
    Alone,
    /// The same with a code, as for custom fields.
    OneError,
    /// A single error with a code and without a type, as in mod-audit.
    Coded,
}
