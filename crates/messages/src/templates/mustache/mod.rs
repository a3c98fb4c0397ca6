//! The subset of Mustache that FOLIO's templates use: `{{name}}`, `{{{name}}}` and `{{&name}}` without escaping,
//! sections `{{#name}}…{{/name}}`, inverted sections `{{^name}}…{{/name}}` and comments `{{!…}}`. Partials and other
//! delimiters are refused.
//!
//! Names are looked up, escaped and printed as mustache.java does, which FOLIO uses. Sizes are bounded: a template
//! cannot nest deeper than [`DEEPEST`] sections, and what is made of it cannot be longer than [`LONGEST`].

mod parse;
mod render;

/// How deep sections may nest.
pub const DEEPEST: usize = 50;
/// Longest filled template, in bytes.
pub const LONGEST: usize = 4 * 1024 * 1024;

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Value { name: String, escaped: bool },
    Section { name: String, inverted: bool, parts: Vec<Part> },
}

/// Why a template cannot be read or filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A token is not closed.
    #[error("the token at character {0} is not closed")]
    OpenToken(usize),
    /// A section is not closed.
    #[error("the section {0} is not closed")]
    OpenSection(String),
    /// A section is closed that was not opened.
    #[error("the section {0} is closed but not open")]
    NotOpen(String),
    /// A feature of Mustache that is not supported.
    #[error("{{{{{0} is not supported")]
    Unsupported(char),
    /// Sections nest too deeply.
    #[error("sections are nested more than {DEEPEST} deep")]
    TooDeep,
    /// The filled template is too long.
    #[error("the text would be longer than {LONGEST} bytes")]
    TooLong,
}

impl Template {
    /// Parses a template.
    pub fn parse(text: &str) -> Result<Template, Fault> {
        Ok(Template { parts: parse::parse(text)? })
    }

    /// Fills the template.
    pub fn render(&self, context: &serde_json::Value) -> Result<String, Fault> {
        render::render(&self.parts, context)
    }
}
