//! What came of a load.

use std::path::Path;

use api::loading::Outcome;

use super::Aside;

/// What came of the records of one collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Path of the collection.
    pub path: String,
    /// Records found.
    pub read: u64,
    /// New ones.
    pub created: u64,
    /// Those that took the place of another.
    pub replaced: u64,
    /// Those whose id was there before.
    pub already_there: u64,
    /// Those that were not accepted.
    pub refused: u64,
}

impl Summary {
    pub(super) fn of(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }

    pub(super) fn count(&mut self, outcome: &Outcome) {
        self.read += 1;
        let counter = match outcome {
            Outcome::Created => &mut self.created,
            Outcome::Replaced => &mut self.replaced,
            Outcome::AlreadyThere => &mut self.already_there,
            Outcome::Refused(_) => &mut self.refused,
        };
        *counter += 1;
    }
}

/// What came of all records of a folder.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// For each collection, in the order of loading.
    pub summaries: Vec<Summary>,
    /// What was left aside, and why.
    pub aside: Vec<Aside>,
}

impl Report {
    /// How many records were refused.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.summaries.iter().map(|summary| summary.refused).sum()
    }

    /// How many records were found.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.summaries.iter().map(|summary| summary.read).sum()
    }
}

/// A record that was not accepted.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// Path of the collection.
    pub path: &'a str,
    /// Where it stands.
    pub file: &'a Path,
    /// Line, in a file with a record on each.
    pub line: Option<u64>,
    /// Its id, when it has one.
    pub id: Option<&'a str>,
    /// What the API says.
    pub reason: &'a str,
}

/// Who is told while a load runs.
pub trait Listener: Send {
    /// A collection begins, with so many files.
    fn begins(&mut self, path: &str, files: usize);
    /// A record was refused.
    fn refused(&mut self, refusal: &Refusal<'_>);
    /// A collection is done.
    fn ends(&mut self, summary: &Summary);
}
