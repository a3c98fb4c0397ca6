//! Groups an expression for its users: alternatives for one index become one set.
//!
//! `id==(a or b or c)` is three clauses in the tree and one look-up in the database.

use crate::{Boolean, Clause, Expression, Modifier, Relation};

/// How many operands back to look for alternatives for the same index.
const REACH: usize = 8;

/// Terms for the same index, relation and modifiers; one of them must match.
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
    /// In a run of `or`, or of `not`, operands that are close together and differ only in the term become one set:
    /// `a or b` is `b or a`, and `x not a not b` is `x not (a or b)`.
    pub fn operands(&self) -> Vec<(Option<Boolean>, Operand<'_>)> {
        let mut operands = vec![(None, Operand::Terms(TermSet::from(&self.first)))];
        let (mut run, mut run_of) = (0, Boolean::Or);
        for joined in &self.rest {
            let next = match joined.operand.alternatives() {
                Some(set) => Operand::Terms(set),
                None => Operand::Nested(&joined.operand),
            };
            if joined.boolean != run_of {
                (run, run_of) = (operands.len(), joined.boolean);
            }
            if let (Boolean::Or | Boolean::Not, Operand::Terms(alternative)) = (run_of, &next)
                && let Some(set) = matching_set(&mut operands[run..], alternative)
            {
                set.terms.extend(&alternative.terms);
                continue;
            }
            operands.push((Some(joined.boolean), next));
        }
        operands
    }

    /// The whole expression as one set, if it is a clause, or clauses joined by `or` that differ only in the term. A
    /// leading `*` among them has another meaning, so such an expression stays as it is.
    fn alternatives(&self) -> Option<TermSet<'_>> {
        let mut set = TermSet::from(&self.first);
        for joined in &self.rest {
            let other = TermSet::from(&joined.operand.first);
            let is_clause = joined.operand.rest.is_empty();
            if !is_clause || joined.boolean != Boolean::Or || !set.accepts(&other) {
                return None;
            }
            set.terms.extend(other.terms);
        }
        (self.rest.is_empty() || !set.terms.contains(&"*")).then_some(set)
    }
}

/// The set among the last operands of a run that differs only in the term.
fn matching_set<'s, 'a>(
    run: &'s mut [(Option<Boolean>, Operand<'a>)],
    alternative: &TermSet<'a>,
) -> Option<&'s mut TermSet<'a>> {
    let nearest = run.iter_mut().rev().take(REACH);
    let mut sets = nearest.filter_map(|(_, operand)| match operand {
        Operand::Terms(set) => Some(set),
        Operand::Nested(_) => None,
    });
    sets.find(|set| set.accepts(alternative))
}

impl<'a> From<&'a Clause> for TermSet<'a> {
    fn from(clause: &'a Clause) -> Self {
        Self {
            index: clause.index(),
            relation: clause.relation(),
            modifiers: clause.modifiers(),
            terms: vec![clause.term()],
        }
    }
}

impl TermSet<'_> {
    fn accepts(&self, other: &TermSet<'_>) -> bool {
        self.index == other.index && self.relation == other.relation && self.modifiers == other.modifiers
    }
}
