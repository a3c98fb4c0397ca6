//! The result of a load.

use std::path::Path;

use api::load::Outcome;

use super::Aside;

/// The result for one collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Path of the collection.
    pub path: String,
    /// Records found in the files.
    pub read: u64,
    /// Records created.
    pub created: u64,
    /// Records that replaced another.
    pub replaced: u64,
    /// Records whose id already existed.
    pub already_there: u64,
    /// Records that were refused.
    pub refused: u64,
}

impl Summary {
    pub(super) fn of(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
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

/// The result for a folder.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// For each collection, in the order of loading.
    pub summaries: Vec<Summary>,
    /// Files that were left out.
    pub aside: Vec<Aside>,
}

impl Report {
    pub fn refused(&self) -> u64 {
        self.summaries.iter().map(|summary| summary.refused).sum()
    }

    pub fn read(&self) -> u64 {
        self.summaries.iter().map(|summary| summary.read).sum()
    }
}

/// A refused record.
#[derive(Debug, Clone, Copy)]
pub struct Refusal<'a> {
    /// Path of the collection.
    pub path: &'a str,
    pub file: &'a Path,
    /// Line number, in a file with a record on each line.
    pub line: Option<u64>,
    /// Its id, if it has one.
    pub id: Option<&'a str>,
    /// The API's reason.
    pub reason: &'a str,
}

/// Follows a load.
pub trait Listener: Send {
    /// A collection with this many files begins.
    fn begins(&mut self, path: &str, files: usize);
    /// A record was refused.
    fn refused(&mut self, refusal: &Refusal<'_>);
    /// A collection is done.
    fn ends(&mut self, summary: &Summary);
}
