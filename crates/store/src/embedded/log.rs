//! The server's log file: limited in size, and quoted in errors.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Size in bytes at which the log is moved to `postgres.log.1`.
const FULL: u64 = 32 << 20;
/// How much of the end is read for an error.
const TAIL_BYTES: u64 = 16 << 10;
const TAIL_LINES: usize = 15;

/// `<data>/postgres.log`.
#[derive(Debug, Clone)]
pub(super) struct ServerLog {
    path: PathBuf,
}

impl ServerLog {
    pub(crate) fn in_data_dir(data_dir: &Path) -> Self {
        Self { path: data_dir.join("postgres.log") }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the log for the server to append to.
    pub fn open(&self) -> std::io::Result<File> {
        OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path)
    }

    /// Length of the log in bytes: growth is a sign of life.
    pub fn length(&self) -> u64 {
        self.path.metadata().map_or(0, |meta| meta.len())
    }

    /// Rotates a full log. The server keeps its file open, so the log is copied and truncated.
    pub(crate) fn rotate_when_full(&self) -> std::io::Result<()> {
        if self.length() < FULL {
            return Ok(());
        }
        std::fs::copy(&self.path, self.path.with_extension("log.1"))?;
        self.open()?.set_len(0)
    }

    /// The last lines written after the log was `from` bytes long.
    pub fn tail(&self, from: u64) -> String {
        let text = self.read_end(from).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
    }

    fn read_end(&self, from: u64) -> std::io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        let start = from.max(file.metadata()?.len().saturating_sub(TAIL_BYTES));
        file.seek(SeekFrom::Start(start))?;
        let mut text = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut text)?;
        Ok(text)
    }
}
