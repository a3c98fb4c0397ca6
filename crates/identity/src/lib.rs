//! Carrel: the `identity` crate; see docs/architecture.md.
