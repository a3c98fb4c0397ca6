//! The syntax tree.
//!
//! An expression is a first clause and the operands joined to it, in order. All operators have the same precedence and
//! group to the left, so this flat form holds a query of 10,000 terms without any depth. Only parentheses on the right
//! of an operator nest, and the parser limits them.

use std::sync::Arc;

/// A whole query: a condition and, after `sortby`, an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    pub condition: Expression,
    pub sort: Vec<SortKey>,
}

impl Query {
    /// The query among what another condition finds, in the same order.
    #[must_use]
    pub fn within(self, condition: impl Into<Expression>) -> Self {
        let mut condition = condition.into();
        condition.rest.push(Joined { boolean: Boolean::And, modifiers: Vec::new(), operand: self.condition });
        Self { condition, sort: self.sort }
    }
}

/// `first op operand op operand …`, grouped to the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub first: Clause,
    pub rest: Vec<Joined>,
}

/// An operator and its right operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    pub boolean: Boolean,
    /// Modifiers of the operator (`prox/unit=word`); FOLIO ignores those of `and`, `or` and `not`.
    pub modifiers: Vec<Modifier>,
    pub operand: Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boolean {
    And,
    Or,
    /// And-not: the records of the left side that are not on the right side.
    Not,
    Prox,
}

/// One condition: an index, a relation and a term.
///
/// Clauses under one `index == (a or b or …)` share index and modifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    index: Arc<str>,
    relation: Relation,
    modifiers: Arc<[Modifier]>,
    term: String,
}

/// The relation between an index and its term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// `=`
    Equal,
    /// `==`
    Exact,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    Any,
    All,
    Adj,
    Within,
    Encloses,
    /// A word with a dot, in lower case.
    Named(Arc<str>),
}

/// `/name` or `/name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    name: String,
    value: Option<(Relation, String)>,
}

/// One key of `sortby`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    index: String,
    pub modifiers: Vec<Modifier>,
}

impl From<Clause> for Expression {
    fn from(first: Clause) -> Self {
        Self { first, rest: Vec::new() }
    }
}

impl Clause {
    /// The index of a term that stands alone.
    pub const SERVER_CHOICE: &'static str = "cql.serverChoice";

    /// A clause; `term` is CQL, so `*`, `?` and `\` mask (see [`crate::escape`]).
    pub fn new(index: &str, relation: Relation, modifiers: impl Into<Arc<[Modifier]>>, term: &str) -> Self {
        Self::sharing(canonical(index).into(), relation, modifiers.into(), term)
    }

    /// A clause that shares an index in canonical form with others.
    pub(crate) fn sharing(index: Arc<str>, relation: Relation, modifiers: Arc<[Modifier]>, term: &str) -> Self {
        Self { index, relation, modifiers, term: canonical(term) }
    }

    pub fn index(&self) -> &str {
        &self.index
    }

    pub fn relation(&self) -> &Relation {
        &self.relation
    }

    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// The term as CQL, masking included.
    pub fn term(&self) -> &str {
        &self.term
    }
}

impl Modifier {
    /// `/name`; the name is kept in lower case.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_lowercase(), value: None }
    }

    /// `/name=value`, or another symbol instead of `=`.
    pub fn with_value(name: &str, comparison: Relation, value: &str) -> Self {
        Self { name: name.to_lowercase(), value: Some((comparison, canonical(value))) }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The symbol and the value after the name.
    pub fn value(&self) -> Option<(&Relation, &str)> {
        self.value.as_ref().map(|(relation, value)| (relation, value.as_str()))
    }
}

impl SortKey {
    pub fn new(index: &str, modifiers: Vec<Modifier>) -> Self {
        Self { index: canonical(index), modifiers }
    }

    pub fn index(&self) -> &str {
        &self.index
    }
}

/// Turns a bare word into the form of a quoted one: each quote masked, no lone backslash at the end.
///
/// Both forms mean the same, so the tree needs only one, and always prints it between quotes.
pub(crate) fn canonical(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut masked = false;
    for c in text.chars() {
        if c == '"' && !masked {
            out.push('\\');
        }
        masked = c == '\\' && !masked;
        out.push(c);
    }
    if masked {
        out.push('\\');
    }
    out
}
