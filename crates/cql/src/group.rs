//! An expression as its users want it: alternatives for one index collected to one set.
//!
//! `id==(a or b or c)` is three clauses in the tree and one look-up in the database.

use crate::{Boolean, Clause, Expression, Modifier, Relation};

/// Terms for the same index, relation and modifiers, of which one must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermSet<'a> {
    pub index: &'a str,
    pub relation: &'a Relation,
    pub modifiers: &'a [Modifier],
    /// At least one, in the order of the query.
    pub terms: Vec<&'a str>,
}

/// A part of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand<'a> {
    Terms(TermSet<'a>),
    /// An expression that was in parentheses.
    Nested(&'a Expression),
}

impl Expression {
    /// The operands from left to right, each with the operator before it (none before the first).
    ///
    /// As `or` is associative, neighbours that are joined by it and differ only in the term become one set.
    pub fn operands(&self) -> Vec<(Option<Boolean>, Operand<'_>)> {
        let mut operands = vec![(None, Operand::from(&self.first))];
        for joined in &self.rest {
            let next = match joined.operand.rest.as_slice() {
                [] => Operand::from(&joined.operand.first),
                _ => Operand::Nested(&joined.operand),
            };
            let may_merge = joined.boolean == Boolean::Or;
            match (operands.last_mut(), next) {
                (Some((None | Some(Boolean::Or), Operand::Terms(set))), Operand::Terms(other))
                    if may_merge && set.accepts(&other) =>
                {
                    set.terms.extend(other.terms);
                }
                (_, next) => operands.push((Some(joined.boolean), next)),
            }
        }
        operands
    }
}

impl<'a> From<&'a Clause> for Operand<'a> {
    fn from(clause: &'a Clause) -> Self {
        Self::Terms(TermSet {
            index: clause.index(),
            relation: clause.relation(),
            modifiers: clause.modifiers(),
            terms: vec![clause.term()],
        })
    }
}

impl TermSet<'_> {
    fn accepts(&self, other: &TermSet<'_>) -> bool {
        self.index == other.index
            && self.relation == other.relation
            && self.modifiers == other.modifiers
    }
}
