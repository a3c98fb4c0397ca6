//! Carrel: the `testkit` crate; see docs/architecture.md.
