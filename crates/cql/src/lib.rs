//! Carrel: the `cql` crate; see docs/architecture.md.
