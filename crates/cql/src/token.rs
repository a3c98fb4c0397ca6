//! The tokens of CQL.

use std::fmt;

use crate::{Boolean, Error, Relation};

/// What ends a bare word.
const SEPARATORS: &[char] = &['(', ')', '/', '<', '>', '=', ' ', '\t', '\r', '\n'];
const WHITESPACE: &[char] = &[' ', '\t', '\r', '\n'];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Open,
    Close,
    Slash,
    Symbol(Relation),
    Word(&'a str),
    /// A quoted string without its quotes; backslashes are kept.
    Quoted(&'a str),
    /// `and`, `or`, `not` or `prox`, with its spelling in the query.
    Boolean(Boolean, &'a str),
    SortBy(&'a str),
    /// The end of the query, or an unterminated string there.
    End,
}

/// The token as the parser's messages name it.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("'('"),
            Self::Close => f.write_str("')'"),
            Self::Slash => f.write_str("'/'"),
            Self::Symbol(symbol @ (Relation::Less | Relation::Greater | Relation::Equal)) => {
                write!(f, "'{symbol}'")
            }
            Self::Symbol(symbol) => write!(f, "{symbol}"),
            Self::Word(word) => write!(f, "word: '{word}'"),
            Self::Quoted(text) => write!(f, "string: \"{text}\""),
            Self::Boolean(boolean, _) => write!(f, "{boolean}"),
            Self::SortBy(_) => f.write_str("sortby"),
            Self::End => f.write_str("EOF"),
        }
    }
}

/// Cuts a query into tokens.
pub(crate) struct Lexer<'a> {
    query: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    /// Refuses NUL, which no stored value can contain.
    pub(crate) fn new(query: &'a str) -> Result<Self, Error> {
        match query.find('\0') {
            Some(offset) => Err(Error::syntax("character U+0000 is not allowed", offset)),
            None => Ok(Self { query, position: 0 }),
        }
    }

    /// The next token and the offset at which it starts.
    pub(crate) fn next(&mut self) -> (Token<'a>, usize) {
        let left = &self.query[self.position..];
        let text = left.trim_start_matches(WHITESPACE);
        let start = self.query.len() - text.len();
        let (token, length) = token(text);
        self.position = start + length;
        (token, start)
    }
}

/// The token at the start of `text`, and its length in bytes.
fn token(text: &str) -> (Token<'_>, usize) {
    let Some(first) = text.chars().next() else {
        return (Token::End, 0);
    };
    match first {
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '/' => (Token::Slash, 1),
        '<' | '>' | '=' => symbol(text),
        '"' => quoted(text),
        _ => bare_word(text),
    }
}

fn symbol(text: &str) -> (Token<'_>, usize) {
    const SYMBOLS: [(&str, Relation); 7] = [
        ("==", Relation::Exact),
        ("<=", Relation::LessOrEqual),
        (">=", Relation::GreaterOrEqual),
        ("<>", Relation::NotEqual),
        ("=", Relation::Equal),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];
    SYMBOLS
        .into_iter()
        .find(|(spelling, _)| text.starts_with(spelling))
        .map_or((Token::End, 0), |(spelling, relation)| (Token::Symbol(relation), spelling.len()))
}

/// FOLIO's parser takes an unterminated string for the end of the query, and its clients send stray quotes.
fn quoted(text: &str) -> (Token<'_>, usize) {
    let mut masked = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !masked => return (Token::Quoted(&text[1..at]), at + 1),
            '\\' => masked = !masked,
            _ => masked = false,
        }
    }
    (Token::End, text.len())
}

fn bare_word(text: &str) -> (Token<'_>, usize) {
    let length = text.find(SEPARATORS).unwrap_or(text.len());
    let word = &text[..length];
    let token = if word.eq_ignore_ascii_case("sortby") {
        Token::SortBy(word)
    } else if let Some(boolean) = Boolean::from_word(word) {
        Token::Boolean(boolean, word)
    } else {
        Token::Word(word)
    };
    (token, length)
}

impl Boolean {
    fn from_word(word: &str) -> Option<Self> {
        [Self::And, Self::Or, Self::Not, Self::Prox]
            .into_iter()
            .find(|boolean| word.eq_ignore_ascii_case(boolean.keyword()))
    }
}

impl Relation {
    /// The relation that a word in second position names, if any.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        let plain = [Self::Any, Self::All, Self::Adj, Self::Within, Self::Encloses]
            .into_iter()
            .find(|relation| word.eq_ignore_ascii_case(relation.spelling()));
        plain.or_else(|| word.contains('.').then(|| Self::Named(word.to_lowercase().into())))
    }
}
