//! The performance lab: drives workloads with virtual users against any server that speaks FOLIO's or
//! ArchivesSpace's HTTP API, and records what they saw.
//!
//! It depends on no other crate of Carrel, so it measures ours and theirs alike.

pub mod access;
pub mod client;
pub mod compare;
pub mod data;
pub mod document;
pub mod load;
pub mod progress;
pub mod published;
pub mod report;
pub mod results;
pub mod run;
pub mod watch;
pub mod workload;
