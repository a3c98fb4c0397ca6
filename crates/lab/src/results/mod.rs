//! The results of a run: `results.json`, the source of every report and comparison.
//!
//! - [`model`]: the types, which are the schema of the file.
//! - [`histogram`]: latencies of one kind, and their form in the file.
//! - [`summary`]: a table for the terminal.
//! - [`drift`]: whether something grew or fell.
//! - [`file`]: reads and writes the file.
//! - [`export`]: files for other tools: [`hgrm`], [`tables`] (CSV), [`junit`].
//! - [`jtl`]: a line per request in JMeter's format: written, and read from other tools.
//! - [`threshold`]: the conditions for a run to pass.

pub(crate) mod drift;
pub mod export;
pub mod file;
pub(crate) mod hgrm;
pub mod histogram;
pub mod jtl;
pub(crate) mod junit;
pub mod model;
#[cfg(test)]
pub(crate) mod sample;
pub mod summary;
pub(crate) mod tables;
pub mod threshold;
