//! The progress of a load.

/// Follows a load. Steps come one after the other.
pub trait Progress: Send + Sync {
    /// A step with this many parts begins.
    fn begin(&self, step: &str, parts: u64);
    /// This many more parts are done.
    fn advance(&self, parts: u64);
}

/// Ignores progress.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}
