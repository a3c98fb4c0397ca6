//! The rows of one data set while a run lasts.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// A row: a value for each column.
pub type Row = Arc<[String]>;

/// Rows that many users work with at once.
pub struct Pool {
    /// As they were at the start.
    all: Vec<Row>,
    /// The next one for a pick of new rows.
    next: AtomicUsize,
    /// Those that are free, the longest unused first.
    free: Mutex<VecDeque<Row>>,
    retired: AtomicUsize,
}

impl Pool {
    /// A pool of these.
    pub fn new(rows: Vec<Row>) -> Self {
        let free = Mutex::new(rows.iter().cloned().collect());
        Self {
            all: rows,
            next: AtomicUsize::new(0),
            free,
            retired: AtomicUsize::new(0),
        }
    }

    /// A row that others may work with, too; none if there is none.
    pub fn share(&self) -> Option<Row> {
        let mut free = self.free();
        let row = free.pop_front()?;
        free.push_back(Arc::clone(&row));
        Some(row)
    }

    /// A row that nobody else works with until it is [put](Self::put) somewhere; none if there is none.
    pub fn take(&self) -> Option<Row> {
        self.free().pop_front()
    }

    /// A row that is free again.
    pub fn put(&self, row: Row) {
        self.free().push_back(row);
    }

    /// Nobody works with this row any more.
    pub fn retire(&self, row: &Row) {
        self.retired.fetch_add(1, Ordering::Relaxed);
        self.free().retain(|free| !Arc::ptr_eq(free, row));
    }

    /// How many are free.
    pub fn len(&self) -> usize {
        self.free().len()
    }

    /// Whether none is free.
    pub fn is_empty(&self) -> bool {
        self.free().is_empty()
    }

    /// How many were retired.
    pub fn retired(&self) -> usize {
        self.retired.load(Ordering::Relaxed)
    }

    /// The values of a column in `count` rows, joined: the first ones, or the next ones. In a pool of fewer rows: all.
    pub fn pick(&self, column: usize, count: usize, same: bool, join: &str) -> String {
        let count = count.min(self.all.len());
        let first = if same {
            0
        } else {
            self.next.fetch_add(count, Ordering::Relaxed)
        };
        let mut text = String::new();
        for at in 0..count {
            if at > 0 {
                text.push_str(join);
            }
            text.push_str(&self.all[(first.wrapping_add(at)) % self.all.len()][column]);
        }
        text
    }

    fn free(&self) -> MutexGuard<'_, VecDeque<Row>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(names: &[&str]) -> Pool {
        Pool::new(
            names
                .iter()
                .map(|name| Row::from([(*name).to_owned()]))
                .collect(),
        )
    }

    #[test]
    fn shared_rows_take_turns_and_taken_ones_are_gone() {
        let pool = pool(&["a", "b", "c"]);
        let shared: Vec<_> = (0..4)
            .filter_map(|_| pool.share())
            .map(|row| row[0].clone())
            .collect();
        assert_eq!(shared, ["a", "b", "c", "a"]);
        let taken = pool.take().expect("one");
        assert_eq!((taken[0].as_str(), pool.len()), ("b", 2));
        pool.put(taken);
        let row = pool.share().expect("one");
        pool.retire(&row);
        assert_eq!((pool.len(), pool.retired()), (2, 1));
        while pool.take().is_some() {}
        assert!(pool.share().is_none() && pool.is_empty());
    }

    #[test]
    fn picks_are_the_same_or_new() {
        let pool = pool(&["a", "b", "c"]);
        let pick = |count, same| pool.pick(0, count, same, " or ");
        assert_eq!(pick(2, true), "a or b");
        assert_eq!(pick(2, true), "a or b");
        assert_eq!(pick(2, false), "a or b");
        assert_eq!(pick(2, false), "c or a");
        assert_eq!(pick(9, false), "b or c or a", "no id twice");
    }
}
