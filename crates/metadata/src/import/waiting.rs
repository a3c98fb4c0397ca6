//! Files are read entry by entry, and an entry becomes several records: those that nobody has taken yet wait here.

use std::collections::VecDeque;

use serde_json::Value;

use super::{ImportError, Imported, record::finished};

/// Records that wait, and whether the file has more.
#[derive(Default)]
pub(super) struct Waiting {
    records: VecDeque<Imported>,
    over: bool,
}

impl Waiting {
    /// Adds what the entry at a line has become.
    pub(super) fn add(&mut self, records: Vec<Value>, line: u64) {
        self.records.extend(records.into_iter().map(|record| Imported { record: finished(record), line }));
    }
}

/// A file that is read entry by entry.
pub(super) trait Entries {
    fn waiting(&mut self) -> &mut Waiting;

    /// Reads the next entry; `false` at the end.
    fn read(&mut self) -> Result<bool, ImportError>;

    /// The next record. Nothing follows an error.
    fn next_record(&mut self) -> Option<Result<Imported, ImportError>> {
        while self.waiting().records.is_empty() && !self.waiting().over {
            match self.read() {
                Ok(more) => self.waiting().over = !more,
                Err(error) => {
                    self.waiting().over = true;
                    return Some(Err(error));
                }
            }
        }
        self.waiting().records.pop_front().map(Ok)
    }
}
