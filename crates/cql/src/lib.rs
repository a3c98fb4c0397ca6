//! CQL, the query language of FOLIO's lists: parser, syntax tree and printer.
//!
//! The language is CQL 1.2 in FOLIO's dialect. All of its peculiarities are supported, because clients use them:
//!
//! - A term may be several bare words: `name==General note`.
//! - `and`, `or`, `not` (= and-not) and `prox` have equal precedence and group to the left.
//! - `index == (a or b)` gives the index and relation to every term inside the parentheses.
//! - `a = b = c` means `b = c`.
//! - A keyword is a plain word where a term or an index is expected.
//!
//! [`parse`] reads a query, [`Expression::operands`] groups the alternatives of one index into a set, and `Display`
//! prints the canonical form, which parses to the same tree again. `store::query` decides what a clause means.

mod error;
mod group;
mod mask;
mod modifiers;
mod parser;
mod print;
mod token;
mod tree;

pub use error::{Error, ErrorKind};
pub use group::{Operand, TermSet};
pub use mask::{Piece, escape, has_wildcard, literal, pieces, quote};
pub use modifiers::{Options, Subfield};
pub use parser::{MAX_DEPTH, parse};
pub use tree::{Boolean, Clause, Expression, Joined, Modifier, Query, Relation, SortKey};
