//! How many rows an ordered list has, by the groups that they are in, and what is kept of that.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tantivy::{index::SegmentId, schema::Field as Column};

/// The numbers of rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub(crate) rows: Vec<(Box<[Arc<str>]>, u64)>,
}

impl Tally {
    /// Each set of groups that rows are in, with how many are in just these.
    pub fn rows(&self) -> impl Iterator<Item = (&[Arc<str>], u64)> {
        self.rows.iter().map(|(groups, count)| (&**groups, *count))
    }
}

/// What was counted, and of what.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    pub(crate) tally: Arc<Tally>,
    pub(crate) generation: u64,
    pub(crate) values: u64,
    pub(crate) took: Duration,
    pub(crate) at: Instant,
}

/// What was counted of a list last.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) counted: Option<Counted>,
    pub(crate) is_counting: bool,
}

/// The groups of a list in a segment.
pub(crate) type Groups = Arc<[Arc<str>]>;

/// What is kept of the ordered lists of an index.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    /// The groups of each segment, which never change.
    pub(crate) groups: Mutex<HashMap<(SegmentId, Column), Groups>>,
    /// By the names of fields.
    pub(crate) slots: Mutex<HashMap<String, Arc<Mutex<Slot>>>>,
}
