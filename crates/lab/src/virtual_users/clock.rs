//! Wakes users on time. The runtime's timers have a resolution of a millisecond, longer than a fast answer takes; a
//! separate thread wakes within a tenth of that.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

/// The thread that wakes waiting users.
pub struct Clock {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    earlier: Condvar,
}

#[derive(Default)]
struct Waiting {
    heap: BinaryHeap<Reverse<Alarm>>,
    stopped: bool,
    count: u64,
}

struct Alarm {
    at: Instant,
    number: u64,
    wake: oneshot::Sender<()>,
}

impl PartialEq for Alarm {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.number) == (other.at, other.number)
    }
}

impl Eq for Alarm {}

impl PartialOrd for Alarm {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Alarm {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl Default for Clock {
    fn default() -> Self {
        let shared = Arc::new(Shared::default());
        let ticking = Arc::clone(&shared);
        std::thread::spawn(move || ticking.tick());
        Self { shared }
    }
}

impl Clock {
    /// Waits until `at`; returns at once if it has passed.
    pub async fn wait(&self, at: Instant) {
        if at <= Instant::now() {
            return;
        }
        let (wake, woken) = oneshot::channel();
        {
            let mut waiting = self.shared.waiting();
            let number = waiting.count;
            waiting.count += 1;
            let first = waiting.heap.peek().is_none_or(|Reverse(alarm)| at < alarm.at);
            waiting.heap.push(Reverse(Alarm { at, number, wake }));
            if first {
                self.shared.earlier.notify_one();
            }
        }
        // The thread ends only after the clock.
        let _ = woken.await;
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.shared.waiting().stopped = true;
        self.shared.earlier.notify_one();
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) {
        let mut waiting = self.waiting();
        while !waiting.stopped {
            let now = Instant::now();
            while let Some(Reverse(alarm)) = waiting.heap.peek()
                && alarm.at <= now
            {
                if let Some(Reverse(alarm)) = waiting.heap.pop() {
                    // The waiter may have gone.
                    let _ = alarm.wake.send(());
                }
            }
            let next = waiting.heap.peek().map_or(Duration::from_secs(60), |Reverse(alarm)| alarm.at - now);
            waiting = self.earlier.wait_timeout(waiting, next).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everybody_is_woken_in_order_and_never_early() {
        let clock = Clock::default();
        let began = Instant::now();
        let order = Mutex::new(Vec::new());
        let wait = async |millis: u64| {
            let at = began + Duration::from_millis(millis);
            clock.wait(at).await;
            assert!(Instant::now() >= at);
            order.lock().expect("no panic").push(millis);
        };
        tokio::join!(wait(30), wait(10), wait(0), wait(20), wait(10));
        assert_eq!(order.into_inner().expect("no panic"), [0, 10, 10, 20, 30]);
    }
}
