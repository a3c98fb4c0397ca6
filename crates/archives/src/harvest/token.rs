//! Resumption tokens: what a list was asked for, and how far it is. They hold all of it, so that they never expire.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Longer tokens are none of ours.
const LONGEST: usize = 4096;

/// How far a list is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Position {
    /// Behind this record: the place of its type among those of the format, the time of its change in microseconds, and
    /// its id.
    Record(usize, i64, i64),
    /// Behind the deletion with this number.
    Deletion(i64),
}

/// A list that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Token {
    pub(super) prefix: String,
    pub(super) set: Option<String>,
    /// Microseconds since 1970.
    from: i64,
    /// Microseconds since 1970, the first moment that is too late.
    before: i64,
    pub(super) at: Position,
}

impl Token {
    /// The beginning of a list.
    pub(super) fn new(prefix: &str, set: Option<&str>, from: Timestamp, before: Timestamp) -> Self {
        // PostgreSQL knows no earlier time.
        let from = from.as_microsecond().max(0);
        let at = Position::Record(0, 0, 0);
        Self { prefix: prefix.to_owned(), set: set.map(str::to_owned), from, before: before.as_microsecond(), at }
    }

    pub(super) fn from(&self) -> Timestamp {
        moment(self.from)
    }

    pub(super) fn before(&self) -> Timestamp {
        moment(self.before)
    }

    /// The token in a text.
    pub(super) fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text.get(..text.len().min(LONGEST))?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The token as a text.
    pub(super) fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_string(self).unwrap_or_default())
    }
}

/// A time that PostgreSQL can have, too.
pub(super) fn moment(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds.max(0)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_back_as_it_was() {
        let mut token = Token::new("oai_dc", Some("fonds"), Timestamp::MIN, Timestamp::MAX);
        token.at = Position::Record(1, 17, 4);
        assert_eq!(Token::read(&token.text()), Some(token.clone()));
        token.at = Position::Deletion(9);
        assert_eq!(Token::read(&token.text()), Some(token));
        for text in ["", "x", "äöü", "e30"] {
            assert_eq!(Token::read(text), None, "{text}");
        }
    }
}
