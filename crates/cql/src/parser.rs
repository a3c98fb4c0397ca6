//! The parser. It recurses only into parentheses, whose depth is limited; everything else is a loop.

use std::sync::Arc;

use crate::token::{Lexer, Token};
use crate::tree::canonical;
use crate::{Boolean, Clause, Error, Expression, Joined, Modifier, Query, Relation, SortKey};

/// How deep parentheses may nest.
pub const MAX_DEPTH: usize = 256;

/// Reads a query.
///
/// # Errors
/// A syntax error with FOLIO's message and the offset of the offending token.
pub fn parse(query: &str) -> Result<Query, Error> {
    let mut parser = Parser::new(query)?;
    let condition = parser.expression(&Scope::server_choice())?;
    let sort = parser.sort_keys()?;
    match parser.token {
        Token::End => Ok(Query { condition, sort }),
        _ => Err(parser.error(format!("junk after end: {}", parser.token))),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    /// Where `token` starts.
    start: usize,
    depth: usize,
}

/// The index and relation that a lone term inside parentheses inherits.
#[derive(Clone)]
struct Scope {
    index: Arc<str>,
    relation: Relation,
    modifiers: Arc<[Modifier]>,
}

impl Scope {
    fn server_choice() -> Self {
        Self { index: Clause::SERVER_CHOICE.into(), relation: Relation::Equal, modifiers: Arc::default() }
    }
}

/// The words before an operator, a relation or the end: a name, or a term of one or more words.
struct Words {
    text: String,
    several: bool,
}

impl<'a> Parser<'a> {
    fn new(query: &'a str) -> Result<Self, Error> {
        let mut lexer = Lexer::new(query)?;
        let (token, start) = lexer.next();
        Ok(Self { lexer, token, start, depth: 0 })
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::syntax(message, self.start)
    }

    fn expected(&self, what: &str) -> Error {
        self.error(format!("expected {what}, got {}", self.token))
    }

    fn advance(&mut self) {
        (self.token, self.start) = self.lexer.next();
    }

    fn expression(&mut self, scope: &Scope) -> Result<Expression, Error> {
        let mut expression = self.operand(scope)?;
        loop {
            match self.token {
                Token::End | Token::Close | Token::SortBy(_) => return Ok(expression),
                Token::Boolean(boolean, _) => {
                    self.advance();
                    expression.rest.push(self.joined(boolean, scope)?);
                }
                _ => return Err(self.expected("boolean")),
            }
        }
    }

    fn joined(&mut self, boolean: Boolean, scope: &Scope) -> Result<Joined, Error> {
        Ok(Joined { boolean, modifiers: self.modifiers()?, operand: self.operand(scope)? })
    }

    /// A parenthesised expression or a clause. The loop handles `a = b = c`, of which the last pair counts.
    fn operand(&mut self, scope: &Scope) -> Result<Expression, Error> {
        let mut scope = scope.clone();
        loop {
            match self.token {
                Token::Open => return self.parenthesised(&scope),
                Token::Symbol(Relation::Greater) => return Err(self.prefix_map()),
                _ => {}
            }
            let words = self.words()?;
            let Some(relation) = self.relation() else {
                let Scope { index, relation, modifiers } = scope;
                return Ok(Clause::sharing(index, relation, modifiers, &words.text).into());
            };
            if words.several {
                return Err(self.error(format!("unexpected relation '{relation}'")));
            }
            self.advance();
            scope = Scope { index: canonical(&words.text).into(), relation, modifiers: self.modifiers()?.into() };
        }
    }

    fn parenthesised(&mut self, scope: &Scope) -> Result<Expression, Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} nested parentheses")));
        }
        self.depth += 1;
        self.advance();
        let expression = self.expression(scope)?;
        if self.token != Token::Close {
            return Err(self.expected("')'"));
        }
        self.advance();
        self.depth -= 1;
        Ok(expression)
    }

    /// `> dc = "…" query` is CQL that FOLIO does not support.
    fn prefix_map(&self) -> Error {
        Error {
            offset: Some(self.start),
            ..Error::unsupported("Not implemented yet: org.z3950.zing.cql.CQLPrefixNode")
        }
    }

    /// Joins bare and quoted words by one space. Only the second word may be a relation.
    fn words(&mut self) -> Result<Words, Error> {
        let mut words = Words { text: self.symbol("index or term")?.to_owned(), several: false };
        while let Token::Word(word) | Token::Quoted(word) = self.token {
            if !words.several && self.relation().is_some() {
                break;
            }
            words.text.push(' ');
            words.text.push_str(word);
            words.several = true;
            self.advance();
        }
        Ok(words)
    }

    /// The relation that the current token stands for, if any.
    fn relation(&self) -> Option<Relation> {
        match &self.token {
            Token::Symbol(relation) => Some(relation.clone()),
            Token::Word(word) => Relation::from_word(word),
            _ => None,
        }
    }

    fn modifiers(&mut self) -> Result<Vec<Modifier>, Error> {
        let mut modifiers = Vec::new();
        while self.token == Token::Slash {
            self.advance();
            let Token::Word(name) = self.token else {
                return Err(self.expected("modifier"));
            };
            self.advance();
            modifiers.push(match self.token.clone() {
                Token::Symbol(comparison) => {
                    self.advance();
                    Modifier::with_value(name, comparison, self.symbol("modifier value")?)
                }
                _ => Modifier::new(name),
            });
        }
        Ok(modifiers)
    }

    fn sort_keys(&mut self) -> Result<Vec<SortKey>, Error> {
        let mut keys = Vec::new();
        if !matches!(self.token, Token::SortBy(_)) {
            return Ok(keys);
        }
        self.advance();
        while self.token != Token::End {
            let index = self.symbol("sort index")?;
            keys.push(SortKey::new(index, self.modifiers()?));
        }
        if keys.is_empty() {
            return Err(self.error("no sort keys"));
        }
        Ok(keys)
    }

    /// A word of any kind, keywords included.
    fn symbol(&mut self, what: &str) -> Result<&'a str, Error> {
        match self.token {
            Token::Word(text) | Token::Quoted(text) | Token::Boolean(_, text) | Token::SortBy(text) => {
                self.advance();
                Ok(text)
            }
            _ => Err(self.expected(what)),
        }
    }
}
