//! Cleans up after an earlier run: a server that outlived its Carrel, processes that outlived their server, and stale
//! lock files.
//!
//! A surviving server is stopped and restarted rather than adopted: it may run with other settings or programs, and
//! only a child of this process can be watched. The caller holds the data directory's lock, so no living Carrel owns
//! what is found.
//!
//! The process id in PostgreSQL's lock files proves nothing: after a power cut, or where dead processes are not reaped,
//! it may belong to another process or a dead one, and PostgreSQL then refuses to start. So every server process has
//! `<data>/postgres.lock`, locked, as its standard input: the kernel releases the lock when the last of them ends, for
//! whatever reason. PostgreSQL's lock files are removed only by a Carrel that holds this lock and finds no PostgreSQL
//! running in the cluster.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{EmbeddedError, PORT, poll};

/// Time limit for an immediate stop.
const IMMEDIATE: Duration = Duration::from_secs(10);
/// The same for processes without a server: they have nothing to clean up.
const ORPHANED: Duration = Duration::from_secs(2);
/// Programs that run in a cluster's folder: the server, its launcher, and the creation of the cluster.
const PROGRAMS: [&str; 4] = ["postgres", "postmaster", "setpriv", "initdb"];

/// Where a server of this data directory leaves traces.
#[derive(Debug)]
pub(super) struct Leftovers {
    cluster: PathBuf,
    lock_file: PathBuf,
    socket: PathBuf,
}

impl Leftovers {
    pub fn of(data_dir: &Path, cluster: &Path, socket_dir: &Path) -> Self {
        Self {
            cluster: cluster.to_owned(),
            lock_file: data_dir.join("postgres.lock"),
            socket: socket_dir.join(format!(".s.PGSQL.{PORT}")),
        }
    }

    /// Stops every process of the cluster and removes stale lock files. The returned file is locked and must become the
    /// standard input of the next server.
    pub fn clear(&self, patience: Duration) -> Result<File, EmbeddedError> {
        let lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&self.lock_file)
            .map_err(|e| EmbeddedError::file("write", &self.lock_file, e))?;
        self.stop_servers(&lock, patience)?;
        let stale = [
            self.cluster.join("postmaster.pid"),
            self.socket.with_file_name(format!(".s.PGSQL.{PORT}.lock")),
            self.socket.clone(),
        ];
        for file in stale {
            match std::fs::remove_file(&file) {
                Ok(()) => tracing::info!(file = %file.display(), "removed what a dead server left"),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(EmbeddedError::file("remove", file, e)),
            }
        }
        Ok(lock)
    }

    fn stop_servers(&self, lock: &File, patience: Duration) -> Result<(), EmbeddedError> {
        if self.all_gone(lock)? {
            return Ok(());
        }
        let found = self.processes();
        tracing::warn!(processes = ?found, "stopping the PostgreSQL server that an earlier run left behind");
        let main = locked_by(&self.cluster).filter(|main| found.contains(main));
        if let Some(main) = main {
            signal(&[main], Signal::SIGINT);
            if self.all_gone_within(lock, patience)? {
                return Ok(());
            }
        }
        // The main process is gone or stuck: the next start recovers from the crash.
        let notice = if main.is_some() { IMMEDIATE } else { ORPHANED };
        for (harsher, patience) in [(Signal::SIGQUIT, notice), (Signal::SIGKILL, IMMEDIATE)] {
            signal(&self.processes(), harsher);
            if self.all_gone_within(lock, patience)? {
                return Ok(());
            }
        }
        Err(EmbeddedError::LeftoverServer { dir: self.cluster.clone(), process_ids: self.processes() })
    }

    /// Whether no server process is left; if so, this handle now holds the lock.
    fn all_gone(&self, lock: &File) -> Result<bool, EmbeddedError> {
        match lock.try_lock() {
            Ok(()) => Ok(self.processes().is_empty()),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(e)) => Err(EmbeddedError::file("lock", &self.lock_file, e)),
        }
    }

    fn all_gone_within(&self, lock: &File, patience: Duration) -> Result<bool, EmbeddedError> {
        let deadline = Instant::now() + patience;
        loop {
            if self.all_gone(lock)? {
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
            poll::pause();
        }
    }

    /// The processes of a server: those running in the cluster, including an older Carrel's, and those holding the
    /// lock.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<i32> {
        let mut found = processes_in(&self.cluster);
        let Ok(lock) = self.lock_file.metadata() else {
            return found;
        };
        found.extend(every_process().filter(|process| {
            let input = of_process(*process, "fd/0").metadata();
            input.is_ok_and(|input| is_same(&input, &lock))
        }));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The main process, on systems that do not show which files a process has open.
    #[cfg(not(target_os = "linux"))]
    fn processes(&self) -> Vec<i32> {
        processes_in(&self.cluster)
    }
}

/// Kills processes that still work on an unfinished cluster.
pub(super) fn kill_creators(unfinished: &Path) {
    let deadline = Instant::now() + IMMEDIATE;
    loop {
        let found = processes_in(unfinished);
        if found.is_empty() || Instant::now() >= deadline {
            return;
        }
        signal(&found, Signal::SIGKILL);
        poll::pause();
    }
}

fn signal(processes: &[i32], signal: Signal) {
    for process in processes {
        // It may already have ended.
        let _ = kill(Pid::from_raw(*process), signal);
    }
}

/// The main process according to the lock file.
fn locked_by(cluster: &Path) -> Option<i32> {
    let text = std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
    text.lines().next()?.trim().parse().ok().filter(|pid| *pid > 0)
}

/// The PostgreSQL processes running in a folder: each has the cluster as its working directory. The lock file alone is
/// not enough, because its process id may have been reused.
#[cfg(target_os = "linux")]
pub(super) fn processes_in(cluster: &Path) -> Vec<i32> {
    let Ok(cluster) = cluster.metadata() else {
        return Vec::new();
    };
    let works_here = |process: &i32| {
        let dir = of_process(*process, "cwd").metadata();
        dir.is_ok_and(|dir| is_same(&dir, &cluster))
            && std::fs::read_to_string(of_process(*process, "comm"))
                .is_ok_and(|name| PROGRAMS.contains(&name.trim_end()))
    };
    every_process().filter(works_here).collect()
}

#[cfg(target_os = "linux")]
fn every_process() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(target_os = "linux")]
fn of_process(process: i32, file: &str) -> PathBuf {
    Path::new("/proc").join(process.to_string()).join(file)
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The main process of a cluster, on systems that do not show working directories.
#[cfg(not(target_os = "linux"))]
pub(super) fn processes_in(cluster: &Path) -> Vec<i32> {
    let alive = |process: &i32| kill(Pid::from_raw(*process), None).is_ok();
    let is_postgres = |process: &i32| {
        let output =
            super::environment::command(Path::new("ps")).args(["-o", "comm=", "-p", &process.to_string()]).output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("postgres"))
    };
    locked_by(cluster).filter(alive).filter(is_postgres).into_iter().collect()
}
