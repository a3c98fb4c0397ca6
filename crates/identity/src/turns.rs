//! Turns for work that keeps a processor busy. Only a limited number run at once; among those waiting, the lowest rank
//! goes first, and within a rank the one that came first.

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

/// Order of waiting, lowest first.
pub(crate) type Rank = u32;

/// The rank of work that the door need not admit: of signed-in users and the operator.
const FIRST: Rank = 0;

tokio::task_local! {
    static RANK: Rank;
}

/// True if the current work is a stranger's.
pub(crate) fn is_stranger() -> bool {
    rank() > FIRST
}

fn rank() -> Rank {
    RANK.try_with(|rank| *rank).unwrap_or(FIRST)
}

/// Runs work whose turns have that rank.
pub(crate) async fn at_rank<T>(rank: Rank, work: impl Future<Output = T>) -> T {
    RANK.scope(rank, work).await
}

/// A limited number of turns at once.
pub(crate) struct Turns(Mutex<Queue>);

struct Queue {
    free: usize,
    next: u64,
    waiting: BTreeMap<(Rank, u64), oneshot::Sender<Turn>>,
}

/// A turn; dropping it ends the turn.
pub(crate) struct Turn(&'static Turns);

impl Turns {
    pub(crate) fn of(free: usize) -> Self {
        Self(Mutex::new(Queue { free, next: 0, waiting: BTreeMap::new() }))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn, with the rank of the current work.
    pub(crate) async fn take(&'static self) -> Turn {
        let rank = rank();
        let turn = {
            let mut queue = self.queue();
            if queue.free > 0 {
                queue.free -= 1;
                return Turn(self);
            }
            let (give, turn) = oneshot::channel();
            let place = (rank, queue.next);
            queue.next += 1;
            queue.waiting.insert(place, give);
            turn
        };
        turn.await.expect("a waiter gets a turn")
    }

    fn give_back(&'static self) {
        loop {
            let mut queue = self.queue();
            let Some((_, give)) = queue.waiting.pop_first() else {
                queue.free += 1;
                return;
            };
            drop(queue);
            match give.send(Turn(self)) {
                Ok(()) => return,
                // It has stopped waiting; the next one gets the turn.
                Err(turn) => std::mem::forget(turn),
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    async fn until_waiting(turns: &Turns, many: usize) {
        while turns.queue().waiting.len() < many {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn the_lowest_rank_goes_first_and_waiters_that_left_are_skipped() {
        let turns: &'static Turns = Box::leak(Box::new(Turns::of(1)));
        let first = turns.take().await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut waiting = Vec::new();
        for (place, (name, rank)) in [("c", 7), ("left", 0), ("a", 1), ("d", 7), ("b", 1)].into_iter().enumerate() {
            let order = Arc::clone(&order);
            waiting.push(tokio::spawn(at_rank(rank, async move {
                let _turn = turns.take().await;
                order.lock().unwrap().push(name);
            })));
            until_waiting(turns, place + 1).await;
        }
        waiting[1].abort();
        assert!((&mut waiting[1]).await.is_err());
        drop(first);
        for done in [0, 2, 3, 4] {
            (&mut waiting[done]).await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["a", "b", "c", "d"]);
        assert_eq!(turns.queue().free, 1);
    }
}
