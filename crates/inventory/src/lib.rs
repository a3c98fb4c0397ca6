//! Carrel: the `inventory` crate; see docs/architecture.md.
