//! What a run leaves behind: `results.json`, from which every report and comparison is made.
//!
//! - [`model`]: the types, which are the schema of the file.
//! - [`histogram`]: latencies of one kind, and their form in the file.
//! - [`summary`]: a table for the terminal.
//! - [`file`]: reads and writes the file.

pub mod file;
pub mod histogram;
pub mod model;
#[cfg(test)]
pub mod sample;
pub mod summary;
