//! What a run leaves behind: `results.json`, from which every report and comparison is made.
//!
//! - [`model`]: the types, which are the schema of the file.
//! - [`histogram`]: latencies of one kind, and their form in the file.
//! - [`summary`]: a table for the terminal.
//! - [`drift`]: whether something grew or fell.
//! - [`file`]: reads and writes the file.
//! - [`export`]: the files for other tools: [`hgrm`], [`tables`] (CSV), [`junit`].
//! - [`jtl`]: every request on a line of its own, as JMeter has it: written, and read from elsewhere.
//! - [`threshold`]: what a run must keep to pass.

pub mod drift;
pub mod export;
pub mod file;
pub mod hgrm;
pub mod histogram;
pub mod jtl;
pub mod junit;
pub mod model;
#[cfg(test)]
pub mod sample;
pub mod summary;
pub mod tables;
pub mod threshold;
