//! Carrel: the `circulation` crate; see docs/architecture.md.
