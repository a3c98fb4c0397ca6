//! Failures of a run, and their exit codes.

use std::path::PathBuf;

use crate::{
    access::AccessError, client::target::BadAddress, data::DataError, results::file::FileError,
    workload::place::WorkloadError,
};

/// Why a run did not begin, or has no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// An invalid address.
    #[error(transparent)]
    Address(#[from] BadAddress),
    /// An invalid address of something to watch.
    #[error("{0}")]
    Watch(String),
    /// The server is unreachable, or the log-in failed.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// No rows to work with.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The results cannot be written.
    #[error("the results cannot be written: {0}. What was written before is still there")]
    Results(#[from] FileError),
    /// The user stopped the run.
    #[error("interrupted; the results so far are in {file}", file = file.display())]
    Interrupted { file: PathBuf },
    /// Not one transaction succeeded.
    #[error("not one transaction succeeded, {failed} failed. {first} (results: {file})", file = file.display())]
    NothingSucceeded {
        /// Number of failures.
        failed: u64,
        first: String,
        /// The results file, such as it is.
        file: PathBuf,
    },
}

impl RunError {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Workload(_) | Self::Address(_) | Self::Watch(_) => 2,
            Self::Access(_) => 3,
            Self::Data(DataError::File { .. } | DataError::NoSuchSet { .. }) => 2,
            Self::Data(DataError::Unreachable { .. } | DataError::NoList { .. }) => 3,
            Self::Data(DataError::TooFew { .. }) => 4,
            Self::Results(_) => 5,
            Self::NothingSucceeded { .. } => 6,
            Self::Interrupted { .. } => 130,
        }
    }
}
