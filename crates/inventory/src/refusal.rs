//! Why a record or an operation is refused, in the words FOLIO's clients know.

/// One refusal: a sentence, and the field and value it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The exact text shown to the user.
    pub message: String,
    /// The record's field, as a dotted path.
    pub key: &'static str,
    /// The value that was refused, as text; empty when the field is absent.
    pub value: String,
}

impl Refusal {
    /// A refusal of `value` in the field `key`.
    pub fn new(message: impl Into<String>, key: &'static str, value: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            key,
            value: value.into(),
        }
    }
}
