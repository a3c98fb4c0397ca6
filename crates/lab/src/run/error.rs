//! What can go wrong with a run, and the exit code of each.

use std::path::PathBuf;

use crate::{
    access::AccessError, client::target::BadAddress, data::DataError, results::file::FileError,
    workload::place::WorkloadError,
};

/// Why a run did not begin, or has no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The workload has an error.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// The address is none.
    #[error(transparent)]
    Address(#[from] BadAddress),
    /// An address of something to watch is none.
    #[error("{0}")]
    Watch(String),
    /// Nobody there, or no log-in.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Nothing to work with.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The results cannot be written.
    #[error("the results cannot be written: {0}. What was written before is still there")]
    Results(#[from] FileError),
    /// Somebody stopped it.
    #[error("interrupted; the results so far are in {file}", file = file.display())]
    Interrupted {
        /// The results.
        file: PathBuf,
    },
    /// Not one transaction went well.
    #[error("not one transaction succeeded, {failed} failed. {first} (results: {file})", file = file.display())]
    NothingSucceeded {
        /// How many failed.
        failed: u64,
        /// The first error.
        first: String,
        /// The results, such as they are.
        file: PathBuf,
    },
}

impl RunError {
    /// The exit code of the command.
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
