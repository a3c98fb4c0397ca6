//! Carrel: the `store` crate; see docs/architecture.md.
