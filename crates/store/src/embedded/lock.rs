//! The lock on a data directory: one Carrel at a time.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::kill;
use nix::unistd::Pid;

use super::{EmbeddedError, poll};

const LOCK_FILE: &str = "carrel.lock";
/// How long a killed Carrel may take to end: the system first frees its memory, and a child that is just starting holds
/// the lock until `exec`.
const ENDING: Duration = Duration::from_secs(5);
/// The same for a Carrel that looks alive: it still does for a moment after the kill.
const ALIVE: Duration = Duration::from_millis(250);

/// Creates a data directory if necessary. Other accounts, such as that of the server, may pass through it.
///
/// # Errors
/// If it cannot be created.
pub fn make_folder(data_dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o711).create(data_dir)
}

/// The lock file of a data directory. The system releases the lock when the process ends, so it is never stale. The
/// file itself stays: removing it would let two Carrels in.
#[derive(Debug)]
pub(super) struct DataLock {
    data_dir: PathBuf,
    file: File,
}

impl DataLock {
    /// Creates the data directory if necessary, and locks it.
    pub fn take(data_dir: &Path) -> Result<Self, EmbeddedError> {
        make_folder(data_dir).map_err(|e| EmbeddedError::file("create", data_dir, e))?;
        let data_dir = data_dir.canonicalize().map_err(|e| EmbeddedError::file("read", data_dir, e))?;
        let path = data_dir.join(LOCK_FILE);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|e| EmbeddedError::file("write", &path, e))?;
        let began = Instant::now();
        while let Err(error) = file.try_lock() {
            if let TryLockError::Error(e) = error {
                return Err(EmbeddedError::file("lock", path, e));
            }
            let process_id = read_process_id(&mut file);
            let patience = if is_alive(process_id) { ALIVE } else { ENDING };
            if began.elapsed() > patience {
                return Err(EmbeddedError::InUse { data_dir, process_id });
            }
            poll::pause();
        }
        // The process id is for messages only; a full disk must not prevent the start.
        let _ = write_process_id(&mut file);
        Ok(Self { data_dir, file })
    }

    /// The directory, absolute and without symbolic links.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }
}

impl Drop for DataLock {
    /// A child that has not reached `exec` holds the file too: closing it here would not release the lock.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Whether a process runs. A process that is ending has no memory left, and so no command line.
fn is_alive(process_id: Option<u32>) -> bool {
    let Some(process_id) = process_id else {
        return false;
    };
    if cfg!(target_os = "linux") {
        let line = std::fs::read(format!("/proc/{process_id}/cmdline"));
        return line.is_ok_and(|line| !line.is_empty());
    }
    i32::try_from(process_id).is_ok_and(|id| kill(Pid::from_raw(id), None).is_ok())
}

fn read_process_id(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_process_id(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_released_although_a_child_holds_the_file() {
        let dir = tempfile::tempdir().expect("a directory");
        let lock = DataLock::take(dir.path()).expect("it is free");
        let held_by_child = lock.file.try_clone().expect("a second handle");
        assert!(matches!(DataLock::take(dir.path()), Err(EmbeddedError::InUse { .. })));
        drop(lock);
        DataLock::take(dir.path()).expect("given back");
        drop(held_by_child);
    }
}
