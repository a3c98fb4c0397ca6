//! File, line and column of an error in a workload.

use std::{fmt, ops::Range};

/// An error in a workload, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadError {
    /// The file, or the name of a shipped workload.
    pub file: String,
    /// Line and column, from 1; `None` if the error concerns the whole file.
    pub place: Option<(usize, usize)>,
    pub message: String,
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, message } = self;
        match place {
            Some((line, column)) => write!(f, "{file}:{line}:{column}: {message}"),
            None => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for WorkloadError {}

/// A named text, for the position of errors.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at the start of `span`.
    pub fn error(&self, span: &Range<usize>, message: impl Into<String>) -> WorkloadError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        WorkloadError { file: self.file.to_owned(), place: Some((line, column)), message: message.into() }
    }

    /// An error without a position.
    pub(crate) fn anywhere(&self, message: impl Into<String>) -> WorkloadError {
        WorkloadError { file: self.file.to_owned(), place: None, message: message.into() }
    }
}
