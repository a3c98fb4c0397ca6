//! Gives the desk priority when processors are scarce. Other long work yields to it: server processes for lists and
//! reports, and password checks. They get a low priority, half of the processors, and a longer time slice. Low priority
//! alone is not enough: a process that wakes up for the desk would still wait for the running slice to end. Linux lets
//! it preempt at once if its own slice is shorter.
//!
//! Work that nobody waits for is done while a processor is idle, and between requests at the desk: [`be_idle_for_this_piece`], [`give_way`].
//!
//! Which processors they may use, and that all are theirs while nobody is at the desk: [`processors`].

mod processors;
mod turns;

use std::{fs, io};

use rustix::process::{Pid, getpriority_process};

pub use processors::{is_quiet, widen};
pub use turns::{AtDesk, at_desk, give_way};

/// `nice` of server processes for lists and reports, which any client can request: a seventieth of the desk's share
/// when both want a processor. More is never needed: while such a process holds a lock that the desk waits for, the
/// desk does not want the processor.
const PROCESS: i32 = 19;

/// `nice` of a thread that yields: a tenth of the share of this process's other threads.
const THREAD: i32 = 10;

/// Time slice, in nanoseconds, of work that yields: about twice Linux's own. With a much longer one, work for the desk
/// that wakes up out of turn may wait for the scheduler's next look, up to a whole slice.
const SLICE: u64 = 3_000_000;

/// Gives a process of our own server on this machine a lower priority than the desk's. If the system refuses, nothing
/// changes.
pub fn lower_priority_of(process: i32) {
    let Some(pid) = Pid::from_raw(process) else {
        return;
    };
    lower_priority(Some(pid), PROCESS);
    // If Linux first divides processors among sessions, the priority counts only within a session; each process of
    // PostgreSQL is a session.
    let _ = fs::write(format!("/proc/{process}/autogroup"), PROCESS.to_string());
    processors::divide(pid);
}

/// Gives the calling thread a lower priority than the others of this process, and half of the processors; also to threads that
/// it starts. If the system refuses, nothing changes.
pub fn lower_priority_of_this_thread() {
    lower_priority(None, THREAD);
    processors::halve(None);
}

/// Has the calling thread, and threads that it starts, work only while a processor is idle. They have half of the processors, and all
/// of them while nobody is at the desk: for threads whose work is done piece by piece, before each piece.
pub fn be_idle_for_this_piece() {
    be_idle(None);
    processors::divide_this_piece();
}

/// Has threads of this process whose names begin so work only while one half of the processors is idle.
pub fn be_idle_in_threads(name: &str) {
    for thread in threads(name) {
        be_idle(Some(thread));
        processors::halve(Some(thread));
    }
}

/// Threads of this process whose names begin so, and that were started by others with a lower priority, leave half of the processors to
/// the desk from its next request on, until nobody is there.
pub fn divide_threads(name: &str) {
    let yields = |thread: &Pid| getpriority_process(Some(*thread)).is_ok_and(|nice| nice >= THREAD);
    threads(name).filter(yields).for_each(processors::divide);
}

fn threads(name: &str) -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc/self/task").into_iter().flatten().flatten().filter_map(move |thread| {
        let named = fs::read_to_string(thread.path().join("comm")).is_ok_and(|found| found.starts_with(name));
        thread.file_name().to_str().filter(|_| named)?.parse().ok().and_then(Pid::from_raw)
    })
}

/// Applies to a process, or to the calling thread if `pid` is `None`.
fn lower_priority(pid: Option<Pid>, nice: i32) {
    // Carrel itself may already run with a lower priority than this.
    let lowered = getpriority_process(pid).map_err(io::Error::from);
    let lowered = lowered.and_then(|now| schedule(pid, libc::SCHED_OTHER, nice.max(now)));
    if let Err(error) = lowered {
        tracing::debug!(%error, ?pid, "cannot lower its priority");
    }
}

/// Work that nobody waits for gives way as soon as anybody else wants the processor, and does not keep the desk from one: with a low
/// priority alone, it ends its time slice first. Applies to a process, or to the calling thread if `pid` is `None`.
fn be_idle(pid: Option<Pid>) {
    if is_idle(pid) {
        return;
    }
    // If the system refuses the rest, this is left.
    lower_priority(pid, THREAD);
    if let Err(error) = schedule(pid, libc::SCHED_IDLE, 0) {
        tracing::debug!(%error, ?pid, "cannot work only when idle");
    }
}

#[expect(unsafe_code, reason = "no crate wraps sched_getscheduler")]
fn is_idle(pid: Option<Pid>) -> bool {
    // SAFETY: it takes a number only.
    unsafe { libc::sched_getscheduler(pid.map_or(0, Pid::as_raw_pid)) == libc::SCHED_IDLE }
}

/// Sets policy, priority and slice. Before Linux 6.12 the slice has no effect and is not needed.
#[expect(unsafe_code, reason = "no crate wraps sched_setattr for ordinary scheduling")]
fn schedule(pid: Option<Pid>, policy: i32, nice: i32) -> io::Result<()> {
    let attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: policy.cast_unsigned(),
        sched_flags: 0,
        sched_nice: nice,
        sched_priority: 0,
        sched_runtime: SLICE,
        sched_deadline: 0,
        sched_period: 0,
    };
    let pid = pid.map_or(0, Pid::as_raw_pid);
    // SAFETY: the kernel reads `size` bytes from a struct that outlives the call.
    let done = unsafe { libc::syscall(libc::SYS_sched_setattr, pid, &raw const attributes, 0) };
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_gives_way_alone() {
        let before = getpriority_process(None).unwrap();
        let behind = std::thread::spawn(|| {
            lower_priority_of_this_thread();
            getpriority_process(None).unwrap()
        });
        assert_eq!(behind.join().unwrap(), THREAD.max(before));
        assert_eq!(getpriority_process(None).unwrap(), before);
    }

    #[test]
    fn a_thread_that_is_idle_starts_idle_threads_and_others_are_not() {
        let idle = std::thread::spawn(|| {
            // The second time changes nothing.
            [(); 2].map(|()| {
                be_idle_for_this_piece();
                std::thread::spawn(|| is_idle(None)).join().unwrap() && is_idle(None)
            })
        });
        assert_eq!(idle.join().unwrap(), [true, true]);
        assert!(!is_idle(None));
    }
}
