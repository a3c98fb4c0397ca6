//! Compares runs: the figures side by side, each judged better, worse, stable or unstable.
//!
//! - [`statistics`]: intervals of ratios and the verdicts that follow.
//! - [`wavering`]: how much a single run varied in its own course.
//! - [`group`]: which runs repeat one another.
//! - [`figure`]: the compared figures.
//! - [`outcome`]: the comparison of two groups of runs.
//! - [`machine`]: differences between the conditions.
//! - [`pages`]: the comparison as a document.

pub(crate) mod figure;
pub mod group;
pub(crate) mod machine;
pub(crate) mod outcome;
pub mod pages;
pub(crate) mod statistics;
pub(crate) mod wavering;

pub use group::Group;
pub use outcome::{Comparison, compare};
