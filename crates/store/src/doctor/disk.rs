//! Measures the disk's free space, and the time to write a page durably.

use std::{
    fs::{self, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
    time::{Duration, Instant},
};

use super::facts::Disk;
use crate::embedded::machine;

/// The size of a PostgreSQL page.
const PAGE: [u8; 8192] = [0x5a; 8192];
/// Number of writes whose median is taken.
const WRITES: usize = 21;

/// Measures the disk of a directory; `None` if the system does not report its size.
pub fn measure(dir: &Path) -> Option<Disk> {
    Some(Disk {
        path: dir.to_owned(),
        free: machine::free_space(dir)?,
        size: machine::disk_size(dir)?,
        sync: sync_time(dir).map_err(|error| error.to_string()),
    })
}

/// Memory of this machine in bytes, or its container's limit.
pub fn memory() -> u64 {
    machine::memory()
}

/// Median time to write and sync a page.
fn sync_time(dir: &Path) -> io::Result<Duration> {
    let path = dir.join(format!(".carrel-doctor-{}", std::process::id()));
    let measured = write_pages(&path);
    let removed = fs::remove_file(&path);
    let mut times = measured?;
    removed?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// Rewrites the same page, as PostgreSQL's log does: the file does not grow, so only the page itself is synced.
fn write_pages(path: &Path) -> io::Result<Vec<Duration>> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(&PAGE)?;
    file.sync_all()?;
    let write = |_| {
        let began = Instant::now();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&PAGE)?;
        file.sync_data()?;
        Ok(began.elapsed())
    };
    (0..WRITES).map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_measured_and_left_as_it_was() {
        let dir = tempfile::tempdir().expect("a directory");
        let disk = measure(dir.path()).expect("a disk");
        assert!(disk.free <= disk.size && disk.size > 0);
        assert!(disk.sync.expect("written") > Duration::ZERO);
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 0);
    }

    #[test]
    fn an_unwritable_disk_is_reported() {
        let dir = tempfile::tempdir().expect("a directory");
        let gone = dir.path().join("gone");
        assert!(sync_time(&gone).is_err());
    }
}
