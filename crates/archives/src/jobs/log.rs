//! The log of a job while it runs: written every moment, and not without end.

use std::sync::{Mutex, PoisonError};

use store::{Session, StoreError, statements::writes::LOG_ARCHIVES_JOB};

/// A log has at most this many bytes.
const MOST: usize = 8 << 20;

#[derive(Debug, Default)]
struct Text {
    waiting: String,
    written: usize,
    full: bool,
}

/// Collects lines from any thread.
#[derive(Debug, Default)]
pub(super) struct Log(Mutex<Text>);

impl Log {
    /// Adds a line.
    pub(super) fn line(&self, line: &str) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if text.full {
            return;
        }
        if text.written + text.waiting.len() + line.len() > MOST {
            text.full = true;
            text.waiting.push_str("… the rest is left out: a log has at most 8 MB\n");
            return;
        }
        // The database takes no U+0000.
        text.waiting.push_str(&line.replace('\0', "\u{fffd}"));
        text.waiting.push('\n');
    }

    /// Adds a line that must be there, even at the end of a full log.
    pub(super) fn last(&self, line: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).full = false;
        let written = std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).written);
        self.line(line);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).written += written;
    }

    /// Writes what was collected. One round trip, none without anything new.
    pub(super) async fn flush(&self, session: &Session, job: i64) -> Result<(), StoreError> {
        let text = {
            let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            text.written += text.waiting.len();
            std::mem::take(&mut text.waiting)
        };
        if !text.is_empty() {
            session.execute(LOG_ARCHIVES_JOB, &[&job, &text]).await?;
        }
        Ok(())
    }
}
