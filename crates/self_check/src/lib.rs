//! Self-checks: terminals at which patrons lend and return by themselves. They speak SIP2 (crate `sip2`) on a port of
//! their own, sign in as a user of the library, and do what that user may do, through the same handlers as every HTTP
//! client: nothing of the desk is written twice.
//!
//! [`server`] accepts terminals, [`connection`] talks with one over its [`line`], [`conversation`] knows what was said before,
//! [`rights`] what a terminal may do, [`why`] what the log says of a refusal; [`transaction`] does what a message asks for, [`offline`] what a terminal did while
//! it was off line, and [`answers`] has a module for each kind of message.

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
