//! Self-checks, tested over TCP against a running library with a real PostgreSQL: recorded conversations, an
//! independent client, and misbehaving terminals.

mod bad_terminals;
mod conversations;
mod independent_client;
// The helper library of the API tests, of which only a part is used here.
#[allow(dead_code)]
#[path = "../api/circulation/lending_library.rs"]
mod lending_library;
mod log;
mod log_in;
mod money;
mod offline;
mod patrons;
mod permissions;
mod refusals;
mod requests;
mod resend;
mod specification;
mod terminal;
