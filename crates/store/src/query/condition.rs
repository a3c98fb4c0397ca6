//! Conditions on a row, joined so that neither ten thousand terms nor a contradiction become deep SQL.

use super::sql::Fragment;

/// A condition on a row of a collection's table.
///
/// An undefined condition (SQL's NULL) counts as false; [`Condition::and_not`] keeps to that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Every row.
    All,
    /// No row.
    Nothing,
    /// The rows that meet an SQL condition.
    Sql(Test),
}

/// An SQL condition with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    sql: Fragment,
    joint: Joint,
    /// Levels of parentheses.
    depth: usize,
    /// Rows that can meet it at most, where unique fields tell.
    at_most: Option<usize>,
    /// Comparisons for each row that it is tested on.
    comparisons: usize,
    /// Those of them that no index serves: they are made for every row of the table.
    unserved: usize,
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
    /// A condition without an outer AND or OR, one comparison that no index serves.
    #[must_use]
    pub fn test(sql: Fragment) -> Self {
        Self::Sql(Test {
            sql,
            joint: Joint::None,
            depth: 0,
            at_most: None,
            comparisons: 1,
            unserved: 1,
        })
    }

    /// Says that an index serves it.
    #[must_use]
    pub fn served(mut self) -> Self {
        if let Self::Sql(test) = &mut self {
            test.unserved = 0;
        }
        self
    }

    /// The same, if so.
    #[must_use]
    pub fn served_if(self, served: bool) -> Self {
        if served { self.served() } else { self }
    }

    /// Says that it costs as much as so many plain comparisons.
    #[must_use]
    pub fn weighing(mut self, comparisons: usize) -> Self {
        if let Self::Sql(test) = &mut self {
            test.comparisons = comparisons;
            test.unserved = comparisons;
        }
        self
    }

    /// Says how many rows can meet it at most.
    #[must_use]
    pub fn matching_at_most(mut self, rows: Option<usize>) -> Self {
        if let Self::Sql(test) = &mut self {
            test.at_most = rows;
        }
        self
    }

    /// Both.
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

    /// One of them or both. Where no index serves the one, it helps nothing that one serves the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::Nothing, condition) | (condition, Self::Nothing) => condition,
            (Self::Sql(left), Self::Sql(right)) => {
                let at_most = left
                    .at_most
                    .zip(right.at_most)
                    .map(|(a, b)| a.saturating_add(b));
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
    pub fn and_not(self, other: Self) -> Self {
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
            })),
        }
    }

    /// The condition as SQL.
    #[must_use]
    pub fn sql(&self) -> Fragment {
        match self {
            Self::All => Fragment::new("TRUE"),
            Self::Nothing => Fragment::new("FALSE"),
            Self::Sql(test) => test.sql.clone(),
        }
    }

    /// Rows that can meet it at most, where unique fields tell.
    #[must_use]
    pub fn at_most(&self) -> Option<usize> {
        match self {
            Self::All => None,
            Self::Nothing => Some(0),
            Self::Sql(test) => test.at_most,
        }
    }

    /// Comparisons for each row that it is tested on.
    #[must_use]
    pub fn comparisons(&self) -> usize {
        match self {
            Self::All | Self::Nothing => 0,
            Self::Sql(test) => test.comparisons,
        }
    }

    /// Comparisons that are made for every row of a table, since no index serves them.
    #[must_use]
    pub fn unserved(&self) -> usize {
        match self {
            Self::All | Self::Nothing => 0,
            Self::Sql(test) => test.unserved,
        }
    }

    /// Levels of parentheses.
    #[must_use]
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
        let (left, right) = (self.inside(joint), other.inside(joint));
        Self {
            depth: left.depth.max(right.depth),
            sql: left.sql.sql(joint.sql()).then(right.sql),
            joint,
            at_most,
            comparisons,
            unserved,
        }
    }

    /// As operand of that operator: between parentheses, unless it needs none.
    fn inside(self, joint: Joint) -> Self {
        if self.joint == Joint::None || self.joint == joint {
            return self;
        }
        Self {
            sql: self.sql.within("(", ")"),
            joint: Joint::None,
            depth: self.depth + 1,
            ..self
        }
    }
}
