//! What can go wrong between a request and its answer.

use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No connection.
    #[error("cannot connect: {0}")]
    Connect(io::Error),
    /// TLS was not agreed upon.
    #[error("no TLS: {0}")]
    Tls(io::Error),
    /// The connection ended before the answer did.
    #[error("connection closed")]
    Closed,
    /// What came back is not HTTP.
    #[error("not HTTP: {0}")]
    Garbled(String),
    /// No answer in time.
    #[error("timeout")]
    Timeout,
}

impl Failure {
    /// Its kind, as it is counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Connect(_) => "cannot connect",
            Self::Tls(_) => "no TLS",
            Self::Closed => "connection closed",
            Self::Garbled(_) => "not HTTP",
            Self::Timeout => "timeout",
        }
    }

    /// Whether the target was not there at all.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Tls(_))
    }
}

/// Whatever the system says once a connection is open: it is open no more.
impl From<io::Error> for Failure {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}
