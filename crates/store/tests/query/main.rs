//! Queries against a small library on a real server: what they find, in which order, how many, and how.

// The helpers of a test may fail by a panic, too.
#![allow(clippy::unwrap_used)]

mod finding;
mod growth;
mod inventory;
mod lists;
mod plans;
mod refusals;
mod statements;
mod states;
mod walks;
