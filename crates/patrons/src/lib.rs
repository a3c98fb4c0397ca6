//! Carrel: the `patrons` crate; see docs/architecture.md.
