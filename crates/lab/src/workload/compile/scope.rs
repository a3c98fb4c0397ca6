//! The names that a template can use.

use std::collections::BTreeMap;

use super::{super::template::Slot, list};

/// The names known at a step.
pub(super) struct Scope {
    /// Rows of the transaction: name, columns.
    pub rows: Vec<(String, Vec<String>)>,
    /// Names of values used several at once.
    pub picks: Vec<String>,
    /// Values extracted from earlier answers.
    pub variables: BTreeMap<String, usize>,
    /// The number of variables.
    pub count: usize,
}

impl Scope {
    /// The index of a row.
    pub fn row(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|(known, _)| known == name)
    }

    /// Resolves a name in a template.
    pub fn slot(&self, name: &str) -> Result<Slot, String> {
        match name {
            "now" => return Ok(Slot::Now),
            "uuid" => return Ok(Slot::Uuid),
            "me" => return Ok(Slot::Me),
            _ => {}
        }
        if let Some(pick) = self.picks.iter().position(|known| known == name) {
            return Ok(Slot::Pick(pick));
        }
        if let Some((row, column)) = name.split_once('.') {
            let at = self.row(row).ok_or_else(|| {
                let names: Vec<_> = self.rows.iter().map(|(name, _)| name.as_str()).collect();
                format!("the transaction has no row {row:?}; it has: {}", list(&names))
            })?;
            let columns = &self.rows[at].1;
            let column = columns.iter().position(|known| known == column).ok_or_else(|| {
                let names: Vec<_> = columns.iter().map(String::as_str).collect();
                format!("the row {row:?} has no column {column:?}; it has: {}", list(&names))
            })?;
            return Ok(Slot::Row { row: at, column });
        }
        let known = self.variables.get(name).copied();
        known.map(Slot::Variable).ok_or_else(|| {
            format!("nothing is called {name:?} here (what an answer has can be used from the next step on)")
        })
    }

    /// The index of a variable, which is added if new.
    pub fn variable(&mut self, name: &str, new: &mut Vec<(String, usize)>) -> usize {
        let known = self.variables.get(name).copied();
        let known = known.or_else(|| new.iter().find(|(known, _)| known == name).map(|(_, at)| *at));
        known.unwrap_or_else(|| {
            new.push((name.to_owned(), self.count));
            self.count += 1;
            self.count - 1
        })
    }
}
