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
    /// A condition without an outer AND or OR.
    #[must_use]
    pub fn test(sql: Fragment) -> Self {
        Self::Sql(Test {
            sql,
            joint: Joint::None,
            depth: 0,
            at_most: None,
        })
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
                Self::Sql(left.joined(Joint::And, right, at_most))
            }
        }
    }

    /// One of them or both.
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
                Self::Sql(left.joined(Joint::Or, right, at_most))
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
    fn joined(self, joint: Joint, other: Self, at_most: Option<usize>) -> Self {
        let (left, right) = (self.inside(joint), other.inside(joint));
        Self {
            depth: left.depth.max(right.depth),
            sql: left.sql.sql(joint.sql()).then(right.sql),
            joint,
            at_most,
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
