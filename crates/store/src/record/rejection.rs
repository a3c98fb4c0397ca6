//! Why a record is refused.

use super::ids::UUID_PATTERN;

/// A violation of the declaration, as FOLIO's schema validation reports it.
#[derive(Debug, Clone, PartialEq)]
pub enum Breach {
    /// A required member is null, or absent and not a list.
    Missing {
        /// Dotted path of the member.
        path: String,
    },
    /// A text does not match its pattern.
    Pattern {
        /// Dotted path of the member.
        path: String,
        /// The value sent.
        value: String,
        /// The regular expression it should match.
        pattern: &'static str,
    },
    /// An id in a list does not match its pattern, which is reported against the whole list.
    Listed {
        /// Dotted path of the list.
        path: String,
        /// All that was sent.
        values: Vec<String>,
        /// The first wrong one.
        wrong: String,
        /// The regular expression it should match.
        pattern: &'static str,
    },
    /// A text exceeds its maximum length.
    TooLong {
        /// Dotted path of the member.
        path: String,
        /// The value sent.
        value: String,
        /// In characters.
        max: usize,
    },
    /// An undeclared member.
    Unknown { name: String },
}

impl Breach {
    /// A text in place of a UUID, which Java's `UUID` cannot read either.
    pub fn malformed_id(&self) -> Option<&str> {
        match self {
            Self::Pattern { value: text, pattern, .. } | Self::Listed { wrong: text, pattern, .. } => {
                (*pattern == UUID_PATTERN).then_some(text)
            }
            _ => None,
        }
    }

    /// The same violation in a record nested at `place`, such as `instances[1]`.
    #[must_use]
    pub fn within(mut self, place: &str) -> Self {
        match &mut self {
            Self::Missing { path }
            | Self::Pattern { path, .. }
            | Self::Listed { path, .. }
            | Self::TooLong { path, .. } => {
                *path = join(place, path);
            }
            // The parser reports these with the member's name only.
            Self::Unknown { .. } => {}
        }
        self
    }
}

/// Why a record was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// The JSON does not fit the record type at all (FOLIO: 400, text).
    Unreadable(String),
    /// The record violates its declaration (FOLIO: 422, one error for each violation).
    Breaches(Vec<Breach>),
}

/// A dotted path.
pub(super) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}
