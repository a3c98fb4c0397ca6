//! The suites in this folder are the tests; there is nothing to build but them.
