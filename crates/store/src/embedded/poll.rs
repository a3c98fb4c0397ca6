//! Waiting for what the system does not announce: the end of a process, a lock that is free again.

use std::time::Duration;

/// How often to look.
pub(super) const POLL: Duration = Duration::from_millis(10);

/// Waits until it is worth looking again.
#[expect(clippy::disallowed_methods, reason = "the calls of this module block, and have threads of their own")]
pub(super) fn pause() {
    std::thread::sleep(POLL);
}
