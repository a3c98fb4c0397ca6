//! This crate has only tests, in the suites of this folder.
