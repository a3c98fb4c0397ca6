//! The circulation rules language (docs/folio/circulation-rules.md): which loan, request, notice, overdue fine and lost
//! item policies apply to an item and a patron.
//!
//! A text is processed in four steps, one module each: [`lexer`] splits it into tokens (including indentation),
//! [`parser`] checks the grammar and builds the [`tree`], [`matcher`] compiles the tree for fast matching. [`printer`]
//! turns a tree back into text.

mod lexer;
mod matcher;
mod parser;
mod printer;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;

pub use matcher::{AppliedRuleConditions, Facts, Match, Matcher, Place};
pub use parser::{parse, parse_checking};
pub use tree::{
    Criterium, Fallback, LineOrder, Name, Names, Policies, PolicyKind, Priority, Rule, RuleSet, Test, Weighing,
};

/// Error in a rules text, with FOLIO's message and the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError {
    /// FOLIO's error message.
    pub message: String,
    /// Line in the text, from 1.
    pub line: u32,
    /// Column as FOLIO reports it: from 1 for most errors, from 0 for errors about a policy list.
    pub column: u32,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (line {}, column {})", self.message, self.line, self.column)
    }
}

impl std::error::Error for RulesError {}
