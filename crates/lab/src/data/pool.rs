//! The rows of one data set during a run.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// One value per column.
pub type Row = Arc<[String]>;

/// Rows shared by the virtual users.
pub struct Pool {
    /// As at the start.
    all: Vec<Row>,
    /// Start of the next pick.
    next: AtomicUsize,
    /// Free rows, the longest unused first.
    free: Mutex<VecDeque<Row>>,
    retired: AtomicUsize,
}

impl Pool {
    pub fn new(rows: Vec<Row>) -> Self {
        let free = Mutex::new(rows.iter().cloned().collect());
        Self { all: rows, next: AtomicUsize::new(0), free, retired: AtomicUsize::new(0) }
    }

    /// A row that others may use at the same time; `None` if there is none.
    pub fn share(&self) -> Option<Row> {
        let mut free = self.free();
        let row = free.pop_front()?;
        free.push_back(Arc::clone(&row));
        Some(row)
    }

    /// A row for exclusive use until it is [put](Self::put) back; `None` if none is free.
    pub fn take(&self) -> Option<Row> {
        self.free().pop_front()
    }

    /// Makes a row free again.
    pub fn put(&self, row: Row) {
        self.free().push_back(row);
    }

    /// Removes a row from use.
    pub(crate) fn retire(&self, row: &Row) {
        self.retired.fetch_add(1, Ordering::Relaxed);
        self.free().retain(|free| !Arc::ptr_eq(free, row));
    }

    /// Whether no row is free.
    pub fn is_empty(&self) -> bool {
        self.free().is_empty()
    }

    /// Number of retired rows.
    pub(crate) fn retired(&self) -> usize {
        self.retired.load(Ordering::Relaxed)
    }

    /// The values of a column in `count` rows, joined: always the first ones if `same`, otherwise the next ones. A
    /// smaller pool gives all its rows.
    pub fn pick(&self, column: usize, count: usize, same: bool, join: &str) -> String {
        let count = count.min(self.all.len());
        let first = if same { 0 } else { self.next.fetch_add(count, Ordering::Relaxed) };
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
        Pool::new(names.iter().map(|name| Row::from([(*name).to_owned()])).collect())
    }

    #[test]
    fn shared_rows_take_turns_and_taken_rows_are_exclusive() {
        let pool = pool(&["a", "b", "c"]);
        let shared: Vec<_> = (0..4).filter_map(|_| pool.share()).map(|row| row[0].clone()).collect();
        assert_eq!(shared, ["a", "b", "c", "a"]);
        let taken = pool.take().expect("one");
        assert_eq!((taken[0].as_str(), pool.free().len()), ("b", 2));
        pool.put(taken);
        let row = pool.share().expect("one");
        pool.retire(&row);
        assert_eq!((pool.free().len(), pool.retired()), (2, 1));
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
