//! The directory of an index, whose large files reach the disk while they are written. Otherwise they do at their end, all at once, and
//! whoever writes to the same disk waits for that: the database at each check-out.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    ops::Range,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    sync::Arc,
};

use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
    error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
};

/// So many bytes are sent to the disk at once; it has at most twice as many before it.
const STEP: u64 = 256 << 10;

/// A directory in which files are written steadily.
#[derive(Debug, Clone)]
pub(crate) struct SteadyDirectory {
    inner: MmapDirectory,
    path: PathBuf,
}

impl SteadyDirectory {
    pub(crate) fn open(path: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { inner: MmapDirectory::open(path)?, path: path.to_owned() })
    }
}

impl Directory for SteadyDirectory {
    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = OpenOptions::new().write(true).create_new(true).open(self.path.join(path));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(Steady { file, written: 0, sent: 0..0 })))
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

struct Steady {
    file: File,
    written: u64,
    /// What was sent to the disk last.
    sent: Range<u64>,
}

impl Steady {
    /// Sends to the disk what was written since the last time, and waits for what was sent then.
    fn send(&mut self) {
        let next = self.sent.end..self.written;
        let before = std::mem::replace(&mut self.sent, next);
        send(&self.file, &self.sent, libc::SYNC_FILE_RANGE_WRITE);
        let whole = libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
        send(&self.file, &before, whole);
    }
}

impl Write for Steady {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        priority::give_way();
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        if self.written >= self.sent.end + STEP {
            self.send();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for Steady {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Sends a part of a file to the disk. If the file system refuses, it is written at the end.
#[expect(unsafe_code, reason = "no crate wraps sync_file_range")]
fn send(file: &File, part: &Range<u64>, how: libc::c_uint) {
    let (from, length) = (part.start.cast_signed(), (part.end - part.start).cast_signed());
    // A length of 0 would be all of the file.
    if length > 0 {
        // SAFETY: it takes numbers only, and the file is open.
        unsafe { libc::sync_file_range(file.as_raw_fd(), from, length, how) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_what_was_written_and_are_made_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = SteadyDirectory::open(folder.path()).expect("a directory");
        let bytes: Vec<u8> = (0..3 * STEP + 7).map(|number| number as u8).collect();
        let mut file = directory.open_write(Path::new("file")).expect("a file");
        bytes.chunks(10_000).for_each(|some| file.write_all(some).expect("room"));
        file.terminate().expect("the end");
        assert!(std::fs::read(folder.path().join("file")).expect("the file") == bytes);
        let again = directory.open_write(Path::new("file"));
        assert!(matches!(again, Err(OpenWriteError::FileAlreadyExists(_))));
    }
}
