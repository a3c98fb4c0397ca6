//! How fast the disk is, where it counts: writing a page so that it is there after a power cut.

use std::{
    fs::{self, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
    time::{Duration, Instant},
};

use super::facts::Disk;
use crate::embedded::machine;

/// A page of PostgreSQL.
const PAGE: [u8; 8192] = [0x5a; 8192];
/// How many pages are written for the median.
const WRITES: usize = 21;

/// Looks at the disk of a directory; none where the system does not say how big it is.
#[must_use]
pub fn look(dir: &Path) -> Option<Disk> {
    Some(Disk {
        path: dir.to_owned(),
        free: machine::free_space(dir)?,
        size: machine::disk_size(dir)?,
        sync: sync_time(dir).map_err(|error| error.to_string()),
    })
}

/// Bytes of memory of this machine, or what its container may use.
#[must_use]
pub fn memory() -> u64 {
    machine::memory()
}

/// The median time of writing a page and waiting for the disk.
fn sync_time(dir: &Path) -> io::Result<Duration> {
    let path = dir.join(format!(".carrel-doctor-{}", std::process::id()));
    let measured = write_pages(&path);
    let removed = fs::remove_file(&path);
    let mut times = measured?;
    removed?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// Over the same page again and again, as the log of changes does: the file does not grow, only the page is waited for.
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
        let disk = look(dir.path()).expect("a disk");
        assert!(disk.free <= disk.size && disk.size > 0);
        assert!(disk.sync.expect("written") > Duration::ZERO);
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 0);
    }

    #[test]
    fn a_disk_that_cannot_be_written_to_is_told() {
        let dir = tempfile::tempdir().expect("a directory");
        let gone = dir.path().join("gone");
        assert!(sync_time(&gone).is_err());
    }
}
