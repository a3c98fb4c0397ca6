//! Carrel: the `api` crate; see docs/architecture.md.
