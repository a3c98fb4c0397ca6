//! The circulation rules language (docs/folio/circulation-rules.md): which loan, request, notice, overdue
//! fine and lost item policy applies to an item lent to a patron.
//!
//! A text goes through four steps, one file each: [`lexer`] cuts it into tokens (indentation
//! included), [`parser`] checks the grammar and builds the [`tree`], [`matcher`] compiles the tree
//! into a form that answers without looking at text again. [`printer`] goes back to text.

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
    Criterium, Fallback, LineOrder, Name, Names, Policies, PolicyKind, Priority, Rule, RuleSet,
    Test, Weighing,
};

/// Why a rules text was refused, in FOLIO's words, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError {
    /// What is wrong, as FOLIO says it.
    pub message: String,
    /// Line in the text, from 1.
    pub line: u32,
    /// Column as FOLIO reports it: from 1 for most errors, from 0 for errors about a policy list.
    pub column: u32,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (line {}, column {})",
            self.message, self.line, self.column
        )
    }
}

impl std::error::Error for RulesError {}
