//! Gives the desk priority when processors are scarce. Other long work yields to it: server processes for lists and
//! reports, and password checks. They get a low priority, half of the processors, and a longer time slice. Low priority
//! alone is not enough: a process that wakes up for the desk would still wait for the running slice to end. Linux lets
//! it preempt at once if its own slice is shorter.
//!
//! Work that nobody waits for is done between requests at the desk: [`give_way`].
//!
//! Which processors they may use, and that all are theirs while nobody is at the desk: [`processors`].

mod processors;
mod turns;

use std::{fs, io};

use rustix::process::{Pid, getpid, getpriority_process};

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

/// The same, with all processors while nobody is at the desk: for threads whose work is done piece by piece, before each piece.
pub fn lower_priority_of_this_piece() {
    lower_priority(None, THREAD);
    processors::divide_this_piece();
}

/// The same for threads of this process whose names begin so.
pub fn lower_priority_of_threads(name: &str) {
    for thread in threads(name) {
        lower_priority(Some(thread), THREAD);
        processors::halve(Some(thread));
    }
}

/// Threads of this process whose names begin so, and that were started by others with a lower priority, leave half of the processors to
/// the desk from its next request on, until nobody is there.
pub fn divide_threads(name: &str) {
    threads(name).filter(|thread| yields(Some(*thread))).for_each(processors::divide);
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
    let lowered = lowered.and_then(|now| lower(pid, nice.max(now)));
    if let Err(error) = lowered {
        tracing::debug!(%error, ?pid, "cannot lower its priority");
    }
}

/// Whether a thread, or the calling one, has a lower priority than this process: its first thread never yields.
fn yields(thread: Option<Pid>) -> bool {
    let nice = |thread| getpriority_process(thread).ok();
    nice(thread).is_some_and(|own| own >= THREAD && Some(own) > nice(Some(getpid())))
}

/// Sets priority and slice. Before Linux 6.12 the slice has no effect and is not needed.
#[expect(unsafe_code, reason = "no crate wraps sched_setattr for ordinary scheduling")]
fn lower(pid: Option<Pid>, nice: i32) -> io::Result<()> {
    let attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: libc::SCHED_OTHER as u32,
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

/// For tests: whether the desk works is known for the whole process.
#[cfg(test)]
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

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
}
