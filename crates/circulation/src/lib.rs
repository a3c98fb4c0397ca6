//! Circulation: what a library lends, to whom, for how long, and what happens when it comes back.
//!
//! Decisions are pure functions: everything they need is read before, everything they change is
//! written after (see "read, decide, write" in `docs/architecture.md`). The contract they follow is
//! FOLIO's.

pub mod rules;
