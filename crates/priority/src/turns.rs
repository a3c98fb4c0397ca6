//! Requests at the desk, and work that goes on between them.

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{processors, yields};

/// Requests at the desk that are being answered.
static AT_DESK: AtomicUsize = AtomicUsize::new(0);

/// How soon work that gave way sees that it can go on.
const LOOK: Duration = Duration::from_micros(500);
/// It goes on after this time in any case, and then for that long: a desk may never be without a request.
const LONGEST: Duration = Duration::from_millis(20);
const SHARE: Duration = Duration::from_millis(5);

thread_local! {
    /// Until when a thread that has waited does not wait again.
    static GOES_ON: Cell<Option<Instant>> = const { Cell::new(None) };
}

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

/// To be called between pieces of work that take less than a millisecond. A thread whose priority was lowered waits until the requests at
/// the desk are answered. Its priority counts only within this process if Linux divides processors among sessions (autogroup, as on
/// Debian), and each process of PostgreSQL is one.
#[expect(clippy::disallowed_methods, reason = "such a thread may wait")]
pub fn give_way() {
    if AT_DESK.load(Ordering::Relaxed) == 0 || !yields(None) {
        return;
    }
    let began = Instant::now();
    if GOES_ON.get().is_some_and(|end| began < end) {
        return;
    }
    while AT_DESK.load(Ordering::Relaxed) > 0 {
        if began.elapsed() >= LONGEST {
            GOES_ON.set(Some(Instant::now() + SHARE));
            return;
        }
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::PoisonError;

    use super::*;

    #[test]
    fn what_has_waited_goes_on_for_a_while() {
        let _alone = crate::ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let _at_desk = at_desk();
        let works = std::thread::spawn(|| {
            crate::lower_priority_of_this_piece();
            give_way();
            let first = GOES_ON.get().unwrap();
            give_way();
            assert!(GOES_ON.get() == Some(first) || Instant::now() > first, "the next piece did not wait");
            while GOES_ON.get().unwrap() > Instant::now() {
                std::hint::spin_loop();
            }
            let before = GOES_ON.get();
            give_way();
            assert!(GOES_ON.get() > before, "later ones did");
        });
        works.join().unwrap();
    }

    #[test]
    fn what_can_wait_goes_on_when_the_desk_is_free_or_after_a_while() {
        let waits = |is_low: bool| {
            let works = std::thread::spawn(move || {
                if is_low {
                    crate::lower_priority_of_this_piece();
                }
                give_way();
                GOES_ON.get().is_some()
            });
            works.join().unwrap()
        };
        let _alone = crate::ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let first = at_desk();
        let second = at_desk();
        assert!(waits(true));
        assert!(!waits(false));
        drop(first);
        assert!(waits(true));
        drop(second);
        assert!(!waits(true));
    }
}
