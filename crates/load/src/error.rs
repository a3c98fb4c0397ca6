//! Why nothing, or not everything, was loaded.

use api::answer::Problem;
use store::StoreError;

/// A load that failed.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The tenant that should be made is there.
    #[error("there is a tenant {0} already")]
    TenantExists(String),
    /// There is no such tenant.
    #[error("there is no tenant {0}")]
    NoTenant(String),
    /// A record of the program's own was refused: a defect.
    #[error("{path}: {reason}")]
    Refused {
        /// The collection.
        path: String,
        /// What the API says.
        reason: String,
    },
    /// The API refused a step.
    #[error("{0}")]
    Api(Problem),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A folder or file cannot be read.
    #[error("{place}: {error}")]
    Read {
        /// Which.
        place: String,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// A thread of ours broke off.
    #[error("the load broke off: {0}")]
    BrokeOff(String),
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> Self {
        LoadError::Api(problem)
    }
}
