//! The content of a JTL, as read.

/// A line: a request or a transaction.
pub(super) struct Sample {
    /// Index in [`Log::labels`].
    pub label: usize,
    /// Start, in milliseconds since 1970.
    pub began: i64,
    /// In milliseconds.
    pub elapsed: u64,
    /// Index in [`Log::errors`], if it failed.
    pub error: Option<usize>,
    /// Size of the answer.
    pub bytes: u64,
    /// Active virtual users.
    pub users: u32,
}

/// The content of a file.
#[derive(Default)]
pub(super) struct Log {
    pub samples: Vec<Sample>,
    /// Labels, each with whether it is a transaction.
    pub labels: Vec<(String, bool)>,
    /// Kinds of errors.
    pub errors: Vec<String>,
    /// The first URL in it.
    pub url: Option<String>,
}
