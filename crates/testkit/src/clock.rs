//! A clock that stands still until a test moves it.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use jiff::{SignedDuration, Timestamp};

/// A clock that starts at the real time and moves only when a test moves it.
#[derive(Clone)]
pub struct TestClock(Arc<AtomicI64>);

impl Default for TestClock {
    fn default() -> Self {
        Self(Arc::new(AtomicI64::new(Timestamp::now().as_millisecond())))
    }
}

impl TestClock {
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub fn set(&self, instant: Timestamp) {
        self.0.store(instant.as_millisecond(), Ordering::SeqCst);
    }

    pub fn advance(&self, by: SignedDuration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap_or(0), Ordering::SeqCst);
    }
}
