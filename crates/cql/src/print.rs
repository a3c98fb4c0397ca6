//! The printer: the canonical text of a tree, which parses to the same tree.

use std::fmt::{self, Display, Formatter};

use crate::{Boolean, Clause, Expression, Joined, Modifier, Query, Relation, SortKey};

impl Display for Query {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition)?;
        if !self.sort.is_empty() {
            f.write_str(" sortby")?;
        }
        self.sort.iter().try_for_each(|key| write!(f, " {key}"))
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.rest.iter().try_for_each(|joined| write!(f, " {joined}"))
    }
}

impl Display for Joined {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.boolean)?;
        write_modifiers(f, &self.modifiers)?;
        if self.operand.rest.is_empty() { write!(f, " {}", self.operand) } else { write!(f, " ({})", self.operand) }
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_name(f, self.index())?;
        write!(f, " {}", self.relation())?;
        write_modifiers(f, self.modifiers())?;
        write!(f, " \"{}\"", self.term())
    }
}

impl Display for SortKey {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_name(f, self.index())?;
        write_modifiers(f, &self.modifiers)
    }
}

impl Display for Modifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.name())?;
        match self.value() {
            Some((comparison, value)) => write!(f, "{comparison}\"{value}\""),
            None => Ok(()),
        }
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

impl Display for Boolean {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

impl Relation {
    /// The relation as it is written in a query.
    pub fn spelling(&self) -> &str {
        match self {
            Self::Equal => "=",
            Self::Exact => "==",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Any => "any",
            Self::All => "all",
            Self::Adj => "adj",
            Self::Within => "within",
            Self::Encloses => "encloses",
            Self::Named(name) => name,
        }
    }
}

impl Boolean {
    /// The operator's keyword, in lower case.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Not => "not",
            Self::Prox => "prox",
        }
    }
}

fn write_modifiers(f: &mut Formatter<'_>, modifiers: &[Modifier]) -> fmt::Result {
    modifiers.iter().try_for_each(|modifier| write!(f, "{modifier}"))
}

/// An index name, quoted unless it is a plain word.
fn write_name(f: &mut Formatter<'_>, name: &str) -> fmt::Result {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !name.is_empty() && name.chars().all(plain) { f.write_str(name) } else { write!(f, "\"{name}\"") }
}
