//! Queries against a small library on a real server: what they find, in which order, how many, and how.

mod catalogue;
mod finding;
mod lists;
mod plans;
mod refusals;
mod statements;
