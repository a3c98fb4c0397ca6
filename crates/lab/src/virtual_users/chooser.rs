//! Chooses transactions by their shares: evenly mixed, and the same in each run.

use std::sync::{Mutex, PoisonError};

pub(crate) struct Chooser {
    shares: Vec<f64>,
    credit: Mutex<Vec<f64>>,
}

impl Chooser {
    pub fn new(shares: Vec<f64>) -> Self {
        let credit = Mutex::new(vec![0.0; shares.len()]);
        Self { shares, credit }
    }

    /// The next transaction of those that are possible now; `None` if none is.
    pub fn next(&self, can_be_done: impl Fn(usize) -> bool) -> Option<usize> {
        let mut credit = self.credit.lock().unwrap_or_else(PoisonError::into_inner);
        credit.iter_mut().zip(&self.shares).for_each(|(credit, share)| *credit += share);
        let able = (0..self.shares.len()).filter(|&one| can_be_done(one));
        let chosen = able.max_by(|&a, &b| credit[a].total_cmp(&credit[b]).then(b.cmp(&a)))?;
        credit[chosen] -= self.shares.iter().sum::<f64>();
        // A transaction that was impossible for long does not catch up completely later.
        let bound = self.shares.iter().sum::<f64>() * 2.0;
        credit.iter_mut().for_each(|credit| *credit = credit.min(bound));
        Some(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_kept_and_mixed() {
        let chooser = Chooser::new(vec![3.0, 1.0, 2.0]);
        let turns: Vec<_> = (0..12).filter_map(|_| chooser.next(|_| true)).collect();
        assert_eq!(turns, [0, 2, 0, 1, 2, 0, 0, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn impossible_transactions_are_skipped() {
        let chooser = Chooser::new(vec![1.0, 1.0]);
        assert_eq!(chooser.next(|one| one == 1), Some(1));
        assert_eq!(chooser.next(|one| one == 1), Some(1));
        assert_eq!(chooser.next(|_| true), Some(0));
        assert_eq!(chooser.next(|_| false), None);
    }
}
