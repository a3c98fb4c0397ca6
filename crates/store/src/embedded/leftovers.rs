//! What an earlier run left in the cluster: a server that outlived its Carrel, processes that
//! outlived their server, a lock file of a server that is gone.
//!
//! A server that is still there is stopped and started anew rather than adopted: it may run with
//! other settings or programs, and only a child of this process can be watched. The caller holds
//! the data directory's lock, so no living Carrel owns what is found.

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::EmbeddedError;

const POLL: Duration = Duration::from_millis(10);
/// How long the processes of a server may take to notice an immediate stop.
const IMMEDIATE: Duration = Duration::from_secs(10);

/// Stops every process of the cluster and removes the lock file that then is nobody's.
pub(super) fn clear(cluster: &Path, patience: Duration) -> Result<(), EmbeddedError> {
    stop_servers(cluster, patience)?;
    let lock_file = cluster.join("postmaster.pid");
    match std::fs::remove_file(&lock_file) {
        Ok(()) => tracing::info!(file = %lock_file.display(), "removed a stale lock file"),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(EmbeddedError::file("remove", lock_file, e)),
    }
    Ok(())
}

fn stop_servers(cluster: &Path, patience: Duration) -> Result<(), EmbeddedError> {
    let found = processes_of(cluster);
    if found.is_empty() {
        return Ok(());
    }
    tracing::warn!(processes = ?found, "stopping the PostgreSQL server that an earlier run left behind");
    if let Some(main) = locked_by(cluster).filter(|main| found.contains(main)) {
        signal(&[main], Signal::SIGINT);
        if all_gone(cluster, patience) {
            return Ok(());
        }
    }
    // Without its main process, or when that is stuck: crash recovery follows at the next start.
    for harsher in [Signal::SIGQUIT, Signal::SIGKILL] {
        signal(&processes_of(cluster), harsher);
        if all_gone(cluster, IMMEDIATE) {
            return Ok(());
        }
    }
    Err(EmbeddedError::LeftoverServer {
        dir: cluster.to_owned(),
        process_ids: processes_of(cluster),
    })
}

fn signal(processes: &[i32], signal: Signal) {
    for process in processes {
        // One that is already gone is what we want.
        let _ = kill(Pid::from_raw(*process), signal);
    }
}

fn all_gone(cluster: &Path, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        if processes_of(cluster).is_empty() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(POLL);
    }
}

/// The main process according to the lock file.
pub(super) fn locked_by(cluster: &Path) -> Option<i32> {
    let text = std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
    text.lines()
        .next()?
        .trim()
        .parse()
        .ok()
        .filter(|pid| *pid > 0)
}

/// The PostgreSQL processes that work in a cluster: all of them have it as their directory. The
/// lock file alone would not do, for its number may by now be any other program's.
#[cfg(target_os = "linux")]
pub(super) fn processes_of(cluster: &Path) -> Vec<i32> {
    let works_here = |process: &i32| {
        let dir = Path::new("/proc").join(process.to_string());
        std::fs::read_link(dir.join("cwd")).is_ok_and(|cwd| cwd == cluster)
            && std::fs::read_to_string(dir.join("comm"))
                .is_ok_and(|name| matches!(name.trim_end(), "postgres" | "postmaster"))
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(works_here)
        .collect()
}

/// The main process of a cluster, where the system does not show the directories of processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn processes_of(cluster: &Path) -> Vec<i32> {
    let alive = |process: &i32| kill(Pid::from_raw(*process), None).is_ok();
    let is_postgres = |process: &i32| {
        let output = std::process::Command::new("ps")
            .args(["-o", "comm=", "-p", &process.to_string()])
            .output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("postgres"))
    };
    locked_by(cluster)
        .filter(alive)
        .filter(is_postgres)
        .into_iter()
        .collect()
}
