//! Which processors work that yields may use: half of them, and all of them while nobody is at the desk.

use std::{
    fs,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use rustix::{
    io,
    process::{Pid, getpid},
    thread::{CpuSet, sched_getaffinity, sched_setaffinity},
};

/// The desk is quiet after so long without a request.
const QUIET: Duration = Duration::from_secs(2);

/// When the desk's last request came, in milliseconds since 1970.
static LAST: AtomicU64 = AtomicU64::new(0);
/// Whether processes that yield may use all processors.
static ARE_WIDE: AtomicBool = AtomicBool::new(false);
/// What the names begin with of processes and threads that yield.
const YIELDING: &[&str] = &["postgres", "thrd-tantivy"];
/// What yields: processes of the server, and threads of this process that build indexes.
static PROCESSES: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Notes a request at the desk: what yields leaves half of the processors to it at once.
pub(super) fn desk_works() {
    LAST.store(now(), Ordering::Relaxed);
    if ARE_WIDE.load(Ordering::Relaxed) && ARE_WIDE.swap(false, Ordering::SeqCst) {
        place_all();
    }
}

/// Whether nobody is at the desk.
pub fn is_quiet() -> bool {
    now().saturating_sub(LAST.load(Ordering::Relaxed)) > QUIET.as_millis() as u64
}

/// Lets processes that yield use all processors if nobody is at the desk.
pub fn widen() {
    if !ARE_WIDE.load(Ordering::Relaxed) && is_quiet() && !ARE_WIDE.swap(true, Ordering::SeqCst) {
        place_all();
        // The desk's request came while they were placed.
        if !is_quiet() {
            desk_works();
        }
    }
}

/// Adds a process of the server, or a thread, to those that yield.
pub(super) fn divide(process: Pid) {
    let mut processes = processes();
    if !processes.contains(&process) {
        processes.push(process);
    }
    place(process);
}

/// Gives a process, or the calling thread, half of the processors.
pub(super) fn halve(of: Option<Pid>) {
    let halved = all().and_then(|all| sched_setaffinity(of, &half_of(&all)));
    if let Err(error) = halved {
        tracing::debug!(%error, ?of, "cannot leave processors to the desk");
    }
}

/// Gives the calling thread half of the processors, or all of them while nobody is at the desk.
pub(super) fn divide_this_piece() {
    if is_quiet() {
        let _ = all().and_then(|all| sched_setaffinity(None, &all));
    } else {
        halve(None);
    }
}

/// Those that are still there. A number may have passed to another process.
fn place_all() {
    let is_there = |process: Pid| {
        let name = fs::read_to_string(format!("/proc/{}/comm", process.as_raw_pid()));
        name.is_ok_and(|name| YIELDING.iter().any(|begins| name.starts_with(begins)))
    };
    let mut processes = processes();
    processes.retain(|process| is_there(*process));
    processes.iter().copied().for_each(place);
}

fn place(process: Pid) {
    if ARE_WIDE.load(Ordering::SeqCst) {
        let widened = all().and_then(|all| sched_setaffinity(Some(process), &all));
        if let Err(error) = widened {
            tracing::debug!(%error, ?process, "cannot use all processors");
        }
    } else {
        halve(Some(process));
    }
}

fn processes() -> MutexGuard<'static, Vec<Pid>> {
    PROCESSES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processors of this process. Its first thread never yields.
fn all() -> io::Result<CpuSet> {
    sched_getaffinity(Some(getpid()))
}

fn now() -> u64 {
    Timestamp::now().as_millisecond().unsigned_abs()
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
    fn threads_that_build_an_index_yield_and_others_of_the_name_do_not() {
        let _alone = crate::ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let start = || {
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let (give, number) = std::sync::mpsc::channel();
            let work = move || {
                give.send(rustix::thread::gettid()).unwrap();
                ended.recv()
            };
            std::thread::Builder::new().name("thrd-tantivy-of-test".into()).spawn(work).unwrap();
            (number.recv().unwrap(), end)
        };
        let (other, _end_of_other) = start();
        let building = std::thread::spawn(move || {
            crate::lower_priority_of_this_piece();
            start()
        });
        let (builds, _end) = building.join().unwrap();
        let others = sched_getaffinity(Some(other)).unwrap();
        desk_works();
        crate::divide_threads("thrd-tantivy-of");
        assert_eq!(sched_getaffinity(Some(builds)).unwrap(), half_of(&all().unwrap()));
        assert_eq!(sched_getaffinity(Some(other)).unwrap(), others);
    }

    #[test]
    fn a_process_that_yields_has_half_of_the_processors_while_the_desk_works() {
        let _alone = crate::ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut other = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let process = Pid::from_child(&other);
        let placed = || sched_getaffinity(Some(process)).unwrap();
        desk_works();
        divide(process);
        assert_eq!(placed(), half_of(&all().unwrap()));
        assert!(!is_quiet());
        widen();
        assert_eq!(placed(), half_of(&all().unwrap()), "the desk works");
        LAST.store(0, Ordering::Relaxed);
        assert!(is_quiet());
        ARE_WIDE.store(true, Ordering::SeqCst);
        place(process);
        assert_eq!(placed(), all().unwrap());
        // It is no process of PostgreSQL.
        desk_works();
        assert!(!processes().contains(&process));
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
