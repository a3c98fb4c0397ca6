//! The checks, one module for each thing that is looked at. All are pure functions of the facts.

pub mod clock;
pub mod connections;
pub mod constraints;
pub mod counters;
pub mod disk;
pub mod events;
pub mod housekeeping;
pub mod indexes;
pub mod schema;
pub mod settings;
pub mod statements;
pub mod writes;

#[cfg(test)]
mod sample;

use super::finding::Finding;

/// The findings, or that all is well where there are none.
fn or_ok(findings: Vec<Finding>, ok: impl FnOnce() -> Finding) -> Vec<Finding> {
    if findings.is_empty() {
        vec![ok()]
    } else {
        findings
    }
}
