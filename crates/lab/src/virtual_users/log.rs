//! Writes every counted request and transaction to a JTL during the load, if requested.

use std::{
    fs::File,
    io::{self, BufWriter},
    path::Path,
    sync::{Mutex, OnceLock},
    time::Duration,
};

use jiff::Timestamp;

use super::tally::lock;
use crate::results::jtl::write::{JtlWriter, Kind, Sample};

/// The JTL of a run. A write error does not stop the load: the log ends there, and the report says so.
pub struct Log {
    writer: Mutex<JtlWriter<BufWriter<File>>>,
    broken: OnceLock<String>,
}

/// A request or transaction.
pub struct Entry<'a> {
    /// Its name in the workload.
    pub label: &'a str,
    pub kind: Kind<'a>,
    /// Time from the intended start until now.
    pub elapsed: Duration,
    pub failure: Option<&'a str>,
    /// The virtual user.
    pub user: u64,
    /// Number of active virtual users.
    pub users: u32,
}

impl Log {
    /// Creates the file.
    ///
    /// # Errors
    /// The folder does not exist, the disk is full, …
    pub fn create(path: &Path) -> io::Result<Self> {
        let writer = JtlWriter::new(BufWriter::new(File::create(path)?))?;
        Ok(Self { writer: Mutex::new(writer), broken: OnceLock::new() })
    }

    /// Writes an entry that has just ended.
    pub fn write(&self, entry: &Entry<'_>) {
        if self.broken.get().is_some() {
            return;
        }
        let now = Timestamp::now();
        let began = now.checked_sub(entry.elapsed).unwrap_or(now);
        let sample = Sample {
            began,
            elapsed: entry.elapsed,
            label: entry.label,
            kind: entry.kind,
            failure: entry.failure,
            user: entry.user,
            users: entry.users,
        };
        self.note(lock(&self.writer).write(&sample));
    }

    /// Writes buffered entries; returns why the log ends early, if it does.
    pub fn end(&self) -> Option<&str> {
        self.note(lock(&self.writer).flush());
        self.broken.get().map(String::as_str)
    }

    fn note(&self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.broken.get_or_init(|| error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str) -> Entry<'_> {
        Entry {
            label,
            kind: Kind::Transaction { requests: 1, failed: 0 },
            elapsed: Duration::from_millis(20),
            failure: None,
            user: 1,
            users: 1,
        }
    }

    #[test]
    fn a_written_log_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.jtl");
        let log = Log::create(&path).expect("a file");
        (0..30).for_each(|_| log.write(&entry("Check-in")));
        assert_eq!(log.end(), None);
        let results = crate::results::jtl::read::read(&path).expect("a JTL");
        let check_in = &results.stages[0].transactions[0];
        assert_eq!((check_in.name.as_str(), check_in.count), ("Check-in", 30));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_the_log_and_is_reported() {
        let log = Log::create(Path::new("/dev/full")).expect("still in memory");
        (0..5_000).for_each(|_| log.write(&entry("Check-in")));
        assert!(log.end().is_some_and(|why| why.contains("No space left")));
    }
}
