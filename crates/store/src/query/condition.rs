//! Conditions on a row, combined so that neither ten thousand terms nor a contradiction produce deeply nested SQL.

use super::sql::Fragment;

/// So many records found by their keys are still a matter of a moment.
const LOOKED_UP: usize = 100;

/// A condition on a row of a collection's table.
///
/// An undefined condition (SQL's NULL) counts as false; [`Condition::and_not`] preserves this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    All,
    Nothing,
    /// The rows that satisfy an SQL condition.
    Sql(Test),
}

/// An SQL condition and its estimated cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    sql: Fragment,
    joint: Joint,
    /// Nesting depth of parentheses.
    depth: usize,
    /// Maximum number of matching rows, if unique fields limit it.
    at_most: Option<usize>,
    /// Comparisons per tested row.
    comparisons: usize,
    /// Comparisons without an index, which are made for every row of the table.
    unserved: usize,
    /// Parts that all matching rows satisfy and that compare an indexed expression: the expression and the part.
    about: Vec<(String, Fragment)>,
    /// Parts that all matching rows satisfy and that an index serves, unless all of it is served.
    served: Vec<Fragment>,
    /// An index finds the few records that can match; see [`Reference::few`](crate::collection::Reference::few).
    few: bool,
    /// Some of it is a condition on other tables, about which the planner only guesses.
    of_others: bool,
}

/// The operator outside all parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    None,
    And,
    Or,
}

impl Joint {
    fn sql(self) -> &'static str {
        match self {
            Self::None => "",
            Self::And => " AND ",
            Self::Or => " OR ",
        }
    }
}

impl Condition {
    /// A condition without an outer AND or OR: one comparison without an index.
    pub fn test(sql: Fragment) -> Self {
        Self::Sql(Test {
            sql,
            joint: Joint::None,
            depth: 0,
            at_most: None,
            comparisons: 1,
            unserved: 1,
            about: Vec::new(),
            served: Vec::new(),
            few: false,
            of_others: false,
        })
    }

    /// Marks it as served by an index.
    #[must_use]
    pub fn served(mut self) -> Self {
        if let Self::Sql(test) = &mut self {
            test.unserved = 0;
        }
        self
    }

    /// Marks it as one that helps an index for another part to find less.
    #[must_use]
    pub(crate) fn narrowing(mut self) -> Self {
        if let Self::Sql(test) = &mut self {
            test.served = vec![test.sql.clone()];
        }
        self
    }

    /// Marks it as one that few records satisfy, if `few`.
    #[must_use]
    pub(crate) fn few_if(mut self, few: bool) -> Self {
        if let Self::Sql(test) = &mut self {
            test.few = few;
        }
        self
    }

    /// Marks it as served by an index if `served`.
    #[must_use]
    pub(crate) fn served_if(self, served: bool) -> Self {
        if served { self.served() } else { self }
    }

    /// Sets its cost in plain comparisons.
    #[must_use]
    pub fn weighing(mut self, comparisons: usize) -> Self {
        if let Self::Sql(test) = &mut self {
            test.comparisons = comparisons;
            test.unserved = comparisons;
        }
        self
    }

    /// Marks it as a comparison of an indexed expression.
    #[must_use]
    pub(crate) fn comparing(mut self, key: &str) -> Self {
        if let Self::Sql(test) = &mut self {
            test.about = vec![(key.to_owned(), test.sql.clone())];
        }
        self
    }

    /// Marks it as a condition on records of other tables.
    #[must_use]
    pub(crate) fn on_others(mut self) -> Self {
        if let Self::Sql(test) = &mut self {
            test.of_others = true;
        }
        self
    }

    /// Sets the maximum number of matching rows.
    #[must_use]
    pub(crate) fn matching_at_most(mut self, rows: Option<usize>) -> Self {
        if let Self::Sql(test) = &mut self {
            test.at_most = rows;
        }
        self
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, _) | (_, Self::Nothing) => Self::Nothing,
            (Self::All, condition) | (condition, Self::All) => condition,
            (Self::Sql(left), Self::Sql(right)) => {
                let at_most = [left.at_most, right.at_most].into_iter().flatten().min();
                let unserved = left.unserved + right.unserved;
                Self::Sql(left.joined(Joint::And, right, at_most, unserved))
            }
        }
    }

    /// If one side has no index, an index for the other does not help.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::Nothing, condition) | (condition, Self::Nothing) => condition,
            (Self::Sql(left), Self::Sql(right)) => {
                let at_most = left.at_most.zip(right.at_most).map(|(a, b)| a.saturating_add(b));
                let unserved = match left.unserved + right.unserved {
                    0 => 0,
                    _ => left.comparisons + right.comparisons,
                };
                Self::Sql(left.joined(Joint::Or, right, at_most, unserved))
            }
        }
    }

    /// This one, but not the other.
    #[must_use]
    pub(crate) fn and_not(self, other: Self) -> Self {
        match other {
            Self::All => Self::Nothing,
            Self::Nothing => self,
            Self::Sql(test) => self.and(Self::Sql(Test {
                sql: test.sql.within("((", ") IS NOT TRUE)"),
                joint: Joint::None,
                depth: test.depth + 2,
                at_most: None,
                comparisons: test.comparisons,
                unserved: test.comparisons,
                about: Vec::new(),
                served: Vec::new(),
                few: false,
                of_others: test.of_others,
            })),
        }
    }

    pub fn sql(&self) -> Fragment {
        match self {
            Self::All => Fragment::new("TRUE"),
            Self::Nothing => Fragment::new("FALSE"),
            Self::Sql(test) => test.sql.clone(),
        }
    }

    /// Whether a key finds the few records that can match, which takes hardly any time.
    pub(crate) fn is_lookup(&self) -> bool {
        self.is_few() || self.at_most().is_some_and(|rows| rows <= LOOKED_UP)
    }

    /// Whether an index finds the few records that can match.
    pub(crate) fn is_few(&self) -> bool {
        matches!(self, Self::Sql(test) if test.few)
    }

    /// Maximum number of matching rows, if unique fields limit it.
    pub fn at_most(&self) -> Option<usize> {
        match self {
            Self::All => None,
            Self::Nothing => Some(0),
            Self::Sql(test) => test.at_most,
        }
    }

    /// Comparisons per tested row.
    pub fn comparisons(&self) -> usize {
        match self {
            Self::All | Self::Nothing => 0,
            Self::Sql(test) => test.comparisons,
        }
    }

    /// Comparisons without an index, which are made for every row of the table.
    pub fn unserved(&self) -> usize {
        match self {
            Self::All | Self::Nothing => 0,
            Self::Sql(test) => test.unserved,
        }
    }

    /// What all matching rows satisfy as far as an index serves it, if any does: the whole, or the condition without the
    /// parts that must be compared with every row.
    pub(crate) fn served_part(&self) -> Option<Fragment> {
        let Self::Sql(test) = self else { return None };
        test.served_parts().into_iter().reduce(|all, part| all.sql(" AND ").then(part))
    }

    /// What all matching rows satisfy about an indexed expression; `None` if nothing is known.
    pub(crate) fn about(&self, key: &str) -> Option<Fragment> {
        let Self::Sql(test) = self else { return None };
        let mut parts = test.about.iter().filter(|(about, _)| about == key).map(|(_, part)| part.clone());
        let first = parts.next()?;
        Some(parts.fold(first, |all, part| all.sql(" AND ").then(part)))
    }

    /// Whether some of it is a condition on records of other tables.
    pub(crate) fn is_of_others(&self) -> bool {
        matches!(self, Self::Sql(test) if test.of_others)
    }

    /// Nesting depth of parentheses.
    pub fn depth(&self) -> usize {
        match self {
            Self::All | Self::Nothing => 0,
            Self::Sql(test) => test.depth,
        }
    }
}

impl Test {
    fn joined(self, joint: Joint, other: Self, at_most: Option<usize>, unserved: usize) -> Self {
        let comparisons = self.comparisons + other.comparisons;
        let of_others = self.of_others || other.of_others;
        let about = match joint {
            Joint::And => self.about.iter().chain(&other.about).cloned().collect(),
            _ => Vec::new(),
        };
        let served = match joint {
            Joint::And if unserved > 0 => [self.served_parts(), other.served_parts()].concat(),
            _ => Vec::new(),
        };
        let few = match joint {
            Joint::And => self.few || other.few,
            _ => self.few && other.few,
        };
        let (left, right) = (self.inside(joint), other.inside(joint));
        Self {
            depth: left.depth.max(right.depth),
            sql: left.sql.sql(joint.sql()).then(right.sql),
            joint,
            at_most,
            comparisons,
            unserved,
            about,
            served,
            few,
            of_others,
        }
    }

    fn served_parts(&self) -> Vec<Fragment> {
        match self.unserved {
            0 => vec![self.clone().inside(Joint::And).sql],
            _ => self.served.clone(),
        }
    }

    /// This condition as an operand of `joint`, in parentheses if necessary.
    fn inside(self, joint: Joint) -> Self {
        if self.joint == Joint::None || self.joint == joint {
            return self;
        }
        Self { sql: self.sql.within("(", ")"), joint: Joint::None, depth: self.depth + 1, ..self }
    }
}
