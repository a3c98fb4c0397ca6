//! Requests at the desk, and work that goes on between them.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{is_idle, processors};

/// Requests at the desk that are being answered.
static AT_DESK: AtomicUsize = AtomicUsize::new(0);

/// How soon work that gave way sees that it can go on.
const LOOK: Duration = Duration::from_micros(500);
/// It goes on after this time in any case: a desk may never be without a request.
const LONGEST: Duration = Duration::from_millis(20);

/// A request at the desk, until it is answered.
#[derive(Debug)]
#[must_use]
pub struct AtDesk(());

/// Notes a request at the desk: what yields leaves half of the processors to it at once, and what can give way does.
pub fn at_desk() -> AtDesk {
    AT_DESK.fetch_add(1, Ordering::Relaxed);
    processors::desk_works();
    AtDesk(())
}

impl Drop for AtDesk {
    fn drop(&mut self) {
        AT_DESK.fetch_sub(1, Ordering::Relaxed);
    }
}

/// To be called between pieces of work that take less than a millisecond. A thread that works only while a processor is idle waits
/// until the requests at the desk are answered. Linux lets them go first only within a process if it divides processors among sessions
/// (autogroup, as on Debian), and each process of PostgreSQL is one.
#[expect(clippy::disallowed_methods, reason = "such a thread may wait")]
pub fn give_way() {
    if AT_DESK.load(Ordering::Relaxed) == 0 || !is_idle(None) {
        return;
    }
    let began = Instant::now();
    while AT_DESK.load(Ordering::Relaxed) > 0 && began.elapsed() < LONGEST {
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_wait_goes_on_when_the_desk_is_free_or_after_a_while() {
        let is_idle = |idle: bool| {
            std::thread::spawn(move || {
                if idle {
                    crate::be_idle_for_this_piece();
                }
                let began = Instant::now();
                give_way();
                began.elapsed() >= LONGEST
            })
        };
        let first = at_desk();
        let second = at_desk();
        assert!(is_idle(true).join().unwrap());
        assert!(!is_idle(false).join().unwrap());
        drop(first);
        assert!(is_idle(true).join().unwrap());
        drop(second);
        assert_eq!(AT_DESK.load(Ordering::Relaxed), 0);
    }
}
