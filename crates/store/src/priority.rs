//! Gives the desk priority when processors are scarce. Other long work yields to it: server processes for lists and
//! reports, and password checks. They get a low priority, half of the processors, and a longer time slice. Low priority
//! alone is not enough: a process that wakes up for the desk would still wait for the running slice to end. Linux lets
//! it preempt at once if its own slice is shorter.

use std::io;

use rustix::{
    process::{Pid, getpriority_process},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};

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
pub(crate) fn lower_priority_of(process: i32) {
    let Some(pid) = Pid::from_raw(process) else {
        return;
    };
    lower_priority(Some(pid), PROCESS);
    // If Linux first divides processors among sessions, the priority counts only within a session; each process of
    // PostgreSQL is a session.
    let _ = std::fs::write(format!("/proc/{process}/autogroup"), PROCESS.to_string());
}

/// Gives the calling thread a lower priority than the others of this process. If the system refuses, nothing changes.
pub fn lower_priority_of_this_thread() {
    lower_priority(None, THREAD);
}

/// Applies to a process, or to the calling thread if `pid` is `None`.
fn lower_priority(pid: Option<Pid>, nice: i32) {
    // Carrel itself may already run with a lower priority than this.
    let lowered = getpriority_process(pid).map_err(io::Error::from);
    let lowered = lowered.and_then(|now| lower(pid, nice.max(now)));
    let lowered = lowered.and_then(|()| {
        let allowed = sched_getaffinity(pid)?;
        Ok(sched_setaffinity(pid, &half_of(&allowed))?)
    });
    if let Err(error) = lowered {
        tracing::debug!(%error, ?pid, "cannot lower its priority");
    }
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

/// The upper half of these processors; all of them if there is only one.
fn half_of(allowed: &CpuSet) -> CpuSet {
    let processors = (0..CpuSet::MAX_CPU).filter(|processor| allowed.is_set(*processor));
    let kept = (allowed.count() as usize).div_ceil(2);
    let mut half = CpuSet::new();
    for processor in processors.rev().take(kept) {
        half.set(processor);
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_processors_is_left_to_the_desk() {
        for (allowed, kept) in [(&[3][..], &[3][..]), (&[0, 1], &[1]), (&[0, 2, 5], &[2, 5]), (&[0, 1, 2, 3], &[2, 3])]
        {
            let set = |of: &[usize]| {
                let mut set = CpuSet::new();
                of.iter().for_each(|processor| set.set(*processor));
                set
            };
            assert_eq!(half_of(&set(allowed)), set(kept), "{allowed:?}");
        }
    }

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
