//! Compares runs: each figure side by side, and whether it is better, worse, stable, or cannot be told.
//!
//! - [`statistics`]: intervals of ratios, and the verdict from them: what the words mean.
//! - [`wavering`]: how much a single run varied in its own course.
//! - [`group`]: which runs are repetitions of one another.
//! - [`figure`]: the figures that are compared.
//! - [`outcome`]: two groups of runs, compared.
//! - [`machine`]: what was not the same.
//! - [`pages`]: the comparison as a document.

pub mod figure;
pub mod group;
pub mod machine;
pub mod outcome;
pub mod pages;
pub mod statistics;
pub mod wavering;

pub use group::Group;
pub use outcome::{Comparison, compare};
