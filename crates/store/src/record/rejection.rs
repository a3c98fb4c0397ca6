//! Why a record is refused.

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
    /// The same violation in a record nested at `place`, such as `instances[1]`.
    #[must_use]
    pub fn within(mut self, place: &str) -> Self {
        match &mut self {
            Self::Missing { path } | Self::Pattern { path, .. } | Self::TooLong { path, .. } => {
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
