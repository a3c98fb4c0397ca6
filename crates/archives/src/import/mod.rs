//! Imports: records that refer to each other by temporary addresses are saved together, all of them or none (decision 43;
//! contract 2 "batch_imports", 6.4).
//!
//! | Step | Module |
//! |---|---|
//! | read a source, one record after the other | [`finding_aid`], [`batch`], [`other_formats`] |
//! | check and complete each record, and keep it on disk | [`stage`] |
//! | give all of them numbers and write them in one transaction | [`save`](mod@save), [`rows`] |
//!
//! Memory grows with the number of addresses and keys, not with the records.

pub mod batch;
pub mod finding_aid;
mod other_formats;
pub(crate) mod reading;
mod rows;
mod save;
mod stage;
pub mod types;

use std::{
    fmt, io,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use serde_json::{Map, Value};
use store::StoreError;

use crate::refusal::Refusal;

pub use save::{Saved, is_loaded, save_all};
pub(crate) use save::{met_another, save};
pub use stage::{Stage, Staged};

/// Why an import ended. Nothing of it is saved then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{0}")]
    Refused(Box<Trouble>),
    #[error("the import was canceled")]
    Canceled,
    /// Records cannot be kept on disk between reading and writing.
    #[error("the records cannot be kept on disk: {0}")]
    Disk(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is wrong with a source, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trouble {
    pub file: Option<String>,
    /// From 1.
    pub line: Option<u64>,
    /// What the record calls itself.
    pub identifier: Option<String>,
    pub reason: String,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = self.file.iter().cloned().collect::<Vec<_>>();
        place.extend(self.line.map(|line| format!("line {line}")));
        place.extend(self.identifier.clone());
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&self.reason)
    }
}

/// How far long work is, and whether it is to end. Shared with whoever watches it.
#[derive(Debug, Default)]
pub struct Progress {
    canceled: AtomicBool,
    read: AtomicU64,
    written: AtomicU64,
    total: AtomicU64,
}

impl Progress {
    /// Ends the work soon, without saving anything.
    pub fn cancel(&self) {
        self.canceled.store(true, Ordering::Release);
    }

    /// Records read so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Records written so far, and how many there are to write; none before all are read.
    pub fn written(&self) -> (u64, u64) {
        (self.written.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Says how many records there are to write.
    pub(crate) fn expect(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts records that are written.
    pub(crate) fn wrote(&self, written: u64) {
        self.written.fetch_add(written, Ordering::Relaxed);
    }

    /// Whether the work is to end soon.
    pub(crate) fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Acquire)
    }

    fn check(&self) -> Result<(), ImportError> {
        if self.is_canceled() { Err(ImportError::Canceled) } else { Ok(()) }
    }
}

/// The reasons of a refusal in one line.
pub(crate) fn reason(refusal: &Refusal) -> String {
    let listed = |messages: &Map<String, Value>| {
        let one = |(at, texts): (&String, &Value)| {
            let texts = texts.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
            format!("{at}: {}", texts.join(", "))
        };
        messages.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    match refusal {
        Refusal::Invalid(invalid) => listed(&invalid.errors),
        Refusal::Taken(messages) | Refusal::Parameters(messages) => listed(messages),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_names_its_place() {
        let mut trouble = Trouble { reason: "title: too long".to_owned(), ..Trouble::default() };
        assert_eq!(trouble.to_string(), "title: too long");
        trouble.file = Some("a.xml".to_owned());
        trouble.line = Some(7);
        trouble.identifier = Some("MS 1".to_owned());
        assert_eq!(trouble.to_string(), "a.xml, line 7, MS 1: title: too long");
    }
}
