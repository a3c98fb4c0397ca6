//! Whose turn it is: transactions by their shares, evenly mixed, the same in each run.

use std::sync::{Mutex, PoisonError};

/// Chooses transactions.
pub struct Chooser {
    shares: Vec<f64>,
    credit: Mutex<Vec<f64>>,
}

impl Chooser {
    /// A chooser by these shares.
    pub fn new(shares: Vec<f64>) -> Self {
        let credit = Mutex::new(vec![0.0; shares.len()]);
        Self { shares, credit }
    }

    /// The next transaction among those that can be done now; none if none can.
    pub fn next(&self, can_be_done: impl Fn(usize) -> bool) -> Option<usize> {
        let mut credit = self.credit.lock().unwrap_or_else(PoisonError::into_inner);
        credit
            .iter_mut()
            .zip(&self.shares)
            .for_each(|(credit, share)| *credit += share);
        let able = (0..self.shares.len()).filter(|&one| can_be_done(one));
        let chosen = able.max_by(|&a, &b| credit[a].total_cmp(&credit[b]).then(b.cmp(&a)))?;
        credit[chosen] -= self.shares.iter().sum::<f64>();
        // One that could not be done for long does not make up for all of it later.
        let bound = self.shares.iter().sum::<f64>() * 2.0;
        credit
            .iter_mut()
            .for_each(|credit| *credit = credit.min(bound));
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
    fn what_cannot_be_done_is_passed_over() {
        let chooser = Chooser::new(vec![1.0, 1.0]);
        assert_eq!(chooser.next(|one| one == 1), Some(1));
        assert_eq!(chooser.next(|one| one == 1), Some(1));
        assert_eq!(chooser.next(|_| true), Some(0));
        assert_eq!(chooser.next(|_| false), None);
    }
}
