//! How far a load is, for whoever watches.

/// Somebody who watches a load. Steps come one after the other.
pub trait Progress: Send + Sync {
    /// A step of so many parts begins.
    fn begin(&self, step: &str, parts: u64);
    /// So many parts more are done.
    fn advance(&self, parts: u64);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}
