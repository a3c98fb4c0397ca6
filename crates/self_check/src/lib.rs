//! Self-checks: terminals where patrons check items out and in themselves. They speak SIP2 (crate `sip2`) on their own
//! port, sign in as a user of the library, and do what that user may do through the same handlers as every HTTP client,
//! so no rule of the desk is written twice.
//!
//! [`server`] accepts terminals, [`connection`] serves one over its [`line`], and [`conversation`] keeps its state.
//! [`rights`] decides what a terminal may do, [`transaction`] does it, [`offline`] handles what a terminal did
//! offline, and [`answers`] has a module for each kind of message. [`why`] puts refusals into words for the log.
//!
//! docs/adding-a-sip2-message.md says how a message is added.

mod answer_begin;
mod answers;
mod blocks;
mod connection;
mod conversation;
mod line;
mod offline;
mod outcome;
mod patron;
mod recent;
mod rights;
mod server;
mod settings;
mod station;
mod tenants;
mod transaction;
mod why;
mod words;

pub use server::serve;
pub use settings::Settings;
pub use tenants::{TenantTable, TenantTableError};
