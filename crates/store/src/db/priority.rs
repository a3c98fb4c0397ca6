//! Who goes first where processors are short: the desk. Every other connection's process at our own server gives way: it
//! has a low priority, and half of the processors only, so that the desk finds one at once. A priority alone is not
//! enough: who wakes up for the desk still waits some milliseconds for whoever is running.

use rustix::{
    process::{Pid, setpriority_process},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};

/// As `nice` has it: a thirtieth of what a process of the desk gets when both want a processor. Still enough that nobody waits
/// long for a lock that such a process holds.
const NICE: i32 = 15;

/// Puts a process of our own server on this machine behind those of the desk. Where the system refuses, it stays as it is.
pub(super) fn give_way(process: i32) {
    let Some(pid) = Pid::from_raw(process) else {
        return;
    };
    let lowered = setpriority_process(Some(pid), NICE).and_then(|()| {
        let allowed = sched_getaffinity(Some(pid))?;
        sched_setaffinity(Some(pid), &half_of(&allowed))
    });
    if let Err(error) = lowered {
        tracing::debug!(%error, process, "it does not give way to the desk");
    }
    // Where Linux shares out processors among sessions first, the number above counts inside of them only; each process
    // of PostgreSQL is a session.
    let _ = std::fs::write(format!("/proc/{process}/autogroup"), NICE.to_string());
}

/// The later half of these processors; all of one.
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
        for (allowed, kept) in [
            (&[3][..], &[3][..]),
            (&[0, 1], &[1]),
            (&[0, 2, 5], &[2, 5]),
            (&[0, 1, 2, 3], &[2, 3]),
        ] {
            let set = |of: &[usize]| {
                let mut set = CpuSet::new();
                of.iter().for_each(|processor| set.set(*processor));
                set
            };
            assert_eq!(half_of(&set(allowed)), set(kept), "{allowed:?}");
        }
    }
}
