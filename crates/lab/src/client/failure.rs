//! Failures between a request and its answer.

use std::io;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot connect: {0}")]
    Connect(io::Error),
    /// The TLS handshake failed.
    #[error("no TLS: {0}")]
    Tls(io::Error),
    /// The connection ended before the answer.
    #[error("connection closed")]
    Closed,
    /// The answer is not HTTP.
    #[error("not HTTP: {0}")]
    Garbled(String),
    #[error("timeout")]
    Timeout,
}

impl Failure {
    /// The kind of failure, for counting.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Connect(_) => "cannot connect",
            Self::Tls(_) => "no TLS",
            Self::Closed => "connection closed",
            Self::Garbled(_) => "not HTTP",
            Self::Timeout => "timeout",
        }
    }

    /// Whether no connection was possible.
    pub(crate) fn is_unreachable(&self) -> bool {
        matches!(self, Self::Connect(_) | Self::Tls(_))
    }
}

/// Any system error on an open connection means that it is closed.
impl From<io::Error> for Failure {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}
