//! Why a load failed.

use api::answer::Problem;
use store::StoreError;

/// A load that failed.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The tenant to create already exists.
    #[error("there is a tenant {0} already")]
    TenantExists(String),
    /// The tenant does not exist.
    #[error("there is no tenant {0}")]
    NoTenant(String),
    /// A record of the sample library was refused: a defect.
    #[error("{path}: {reason}")]
    Refused {
        /// Path of the collection.
        path: String,
        /// The API's reason.
        reason: String,
    },
    /// The repository does not exist.
    #[error("there is no repository with the code {0}")]
    NoRepository(String),
    /// The archives refused a step.
    #[error(transparent)]
    Archives(#[from] archives::refusal::Refusal),
    /// The API refused a step.
    #[error("{0}")]
    Api(Problem),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder or file cannot be read.
    #[error("{place}: {error}")]
    Read { place: String, error: std::io::Error },
    /// A thread of the load ended unexpectedly.
    #[error("the load broke off: {0}")]
    BrokeOff(String),
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> Self {
        LoadError::Api(problem)
    }
}
