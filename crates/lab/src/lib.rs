//! The performance lab: drives workloads with virtual users against any server that speaks FOLIO's or ArchivesSpace's
//! HTTP API, and records the latencies.
//!
//! It depends on no other crate of Carrel, so it measures all servers alike.

pub mod access;
pub mod client;
pub mod compare;
mod data;
pub mod document;
pub mod progress;
pub mod published;
pub mod report;
pub mod results;
pub mod run;
mod virtual_users;
pub mod watch;
pub mod workload;
