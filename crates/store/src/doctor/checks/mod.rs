//! One module per check. All are pure functions of the facts.

pub(crate) mod clock;
pub(crate) mod columns;
pub(crate) mod connections;
pub(crate) mod constraints;
pub(crate) mod counters;
pub(crate) mod disk;
pub(crate) mod events;
pub(crate) mod housekeeping;
pub(crate) mod indexes;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod statements;
pub(crate) mod writes;

#[cfg(test)]
mod sample;

use super::finding::Finding;

/// The findings, or `ok` if there are none.
fn or_ok(findings: Vec<Finding>, ok: impl FnOnce() -> Finding) -> Vec<Finding> {
    if findings.is_empty() { vec![ok()] } else { findings }
}
