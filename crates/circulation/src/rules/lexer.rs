//! Splits a rules text into tokens. Indentation becomes `Indent` and `Dedent` tokens, as in Python.

use super::{Criterium, PolicyKind, RulesError};

/// A token and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    /// The text of the token, as error messages quote it.
    pub text: &'t str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 0, in characters.
    pub column: u32,
}

/// Kinds of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Priority,
    FirstLine,
    LastLine,
    NumberOfCriteria,
    Criterium,
    FallbackPolicy,
    All,
    Colon,
    Comma,
    Open,
    Close,
    Plus,
    Bang,
    Letter(Criterium),
    Policy(PolicyKind),
    Name,
    Newline,
    Indent,
    Dedent,
    End,
    /// An error; no tokens follow.
    Invalid(RulesError),
}

/// Splits `text` into tokens; the last one is `End` or `Invalid`.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        rest: text,
        line: 1,
        column: 0,
        indent: 0,
        indents: Vec::new(),
        at_line_start: true,
        tokens: Vec::new(),
    };
    while lexer.step() {}
    lexer.tokens
}

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
    /// Leading spaces counted so far on the current line.
    indent: usize,
    /// Indentation of each open block.
    indents: Vec<usize>,
    /// True until the first token of the current line.
    at_line_start: bool,
    tokens: Vec<Token<'t>>,
}

impl<'t> Lexer<'t> {
    /// Reads one token; false at the end of the text.
    fn step(&mut self) -> bool {
        let Some(next) = self.rest.chars().next() else {
            self.end();
            return false;
        };
        match next {
            '\n' | '\r' => self.newline(),
            ' ' => self.spaces(),
            '#' | '/' => self.comment(),
            '0'..='9' | 'a'..='z' | 'A'..='Z' | '-' => self.word(),
            _ => return self.symbol(next),
        }
        true
    }

    fn newline(&mut self) {
        let length = if self.rest.starts_with("\r\n") { 2 } else { 1 };
        if !self.at_line_start {
            self.push(Kind::Newline, 0);
        }
        self.rest = &self.rest[length..];
        self.line += 1;
        self.column = 0;
        self.indent = 0;
        self.at_line_start = true;
    }

    fn spaces(&mut self) {
        let length = self.rest.len() - self.rest.trim_start_matches(' ').len();
        if self.at_line_start {
            self.indent += length;
        }
        self.skip(length);
    }

    fn comment(&mut self) {
        let length = self.rest.find(['\r', '\n']).unwrap_or(self.rest.len());
        self.rest = &self.rest[length..];
    }

    fn word(&mut self) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let kind = keyword(&self.rest[..length]);
        self.token(kind, length);
    }

    /// Reads a one-character token; false if `symbol` is not a token.
    fn symbol(&mut self, symbol: char) -> bool {
        let kind = match symbol {
            ':' => Kind::Colon,
            ',' => Kind::Comma,
            '(' => Kind::Open,
            ')' => Kind::Close,
            '+' => Kind::Plus,
            '!' => Kind::Bang,
            other => {
                let error = self.unreadable(other);
                self.push(Kind::Invalid(error), 0);
                return false;
            }
        };
        self.token(kind, 1);
        true
    }

    fn unreadable(&self, symbol: char) -> RulesError {
        let (message, offset) = match symbol {
            // FOLIO reports the column after the tab.
            '\t' => ("Tabulator character is not allowed, use spaces instead.".to_owned(), 2),
            other => (format!("token recognition error at: '{other}'"), 1),
        };
        RulesError { message, line: self.line, column: self.column + offset }
    }

    fn end(&mut self) {
        self.indent = 0;
        if !self.at_line_start {
            self.push(Kind::Newline, 0);
        }
        self.at_line_start = true;
        self.token(Kind::End, 0);
    }

    /// Adds a token; the first one of a line may open or close blocks.
    fn token(&mut self, kind: Kind, length: usize) {
        if self.at_line_start {
            self.blocks();
            self.at_line_start = false;
        }
        self.push(kind, length);
        self.skip(length);
    }

    fn blocks(&mut self) {
        while self.indent < self.open_indent() {
            self.indents.pop();
            self.push(Kind::Dedent, 0);
        }
        if self.indent > self.open_indent() {
            self.indents.push(self.indent);
            self.push(Kind::Indent, 0);
        }
    }

    fn open_indent(&self) -> usize {
        self.indents.last().copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let text = match kind {
            Kind::Newline => "\\n",
            Kind::Indent => "INDENT",
            Kind::Dedent => "DEDENT",
            Kind::End => "<EOF>",
            _ => &self.rest[..length],
        };
        self.tokens.push(Token { kind, text, line: self.line, column: self.column });
    }

    /// Skips `length` ASCII characters.
    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
        self.column = self.column.saturating_add(length as u32);
    }
}

fn keyword(word: &str) -> Kind {
    match word {
        "priority" => Kind::Priority,
        "first-line" => Kind::FirstLine,
        "last-line" => Kind::LastLine,
        "number-of-criteria" => Kind::NumberOfCriteria,
        "criterium" => Kind::Criterium,
        "fallback-policy" => Kind::FallbackPolicy,
        "all" => Kind::All,
        _ => single_letter(word).unwrap_or(Kind::Name),
    }
}

fn single_letter(word: &str) -> Option<Kind> {
    let mut letters = word.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Criterium::from_letter(letter).map(Kind::Letter).or_else(|| PolicyKind::from_letter(letter).map(Kind::Policy))
}
