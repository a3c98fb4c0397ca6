//! The files that came with a job, one after the other, while the database still sends them.

use std::io::{self, BufReader, Read};

use bytes::{Buf, Bytes};
use tokio::sync::mpsc;

/// Bytes that a reader takes at a time.
const AT_A_TIME: usize = 1 << 16;

/// The parts of the files as they come, each with the place of its file.
pub(super) struct Parts {
    parts: mpsc::Receiver<(i32, Bytes)>,
    /// The file that is read now.
    place: i32,
    now: Bytes,
    /// The first part of the next file.
    next: Option<(i32, Bytes)>,
}

impl Parts {
    pub(super) fn new(parts: mpsc::Receiver<(i32, Bytes)>) -> Self {
        Self { parts, place: 0, now: Bytes::new(), next: None }
    }

    /// The file at a place, from 0. Files can only be opened in their order; what was not read of earlier ones is skipped.
    /// Reading waits for the database, so it belongs on a thread that may wait.
    pub(super) fn open(&mut self, place: usize) -> BufReader<&mut Self> {
        self.place = i32::try_from(place).unwrap_or(i32::MAX);
        self.now.clear();
        BufReader::with_capacity(AT_A_TIME, self)
    }
}

impl Read for Parts {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.now.is_empty() {
            let part = self.next.take().or_else(|| self.parts.blocking_recv());
            match part {
                Some((place, content)) if place == self.place => self.now = content,
                // What was not read of an earlier file.
                Some((place, _)) if place < self.place => {}
                other => {
                    self.next = other;
                    return Ok(0);
                }
            }
        }
        let many = into.len().min(self.now.len());
        self.now.copy_to_slice(&mut into[..many]);
        Ok(many)
    }
}
