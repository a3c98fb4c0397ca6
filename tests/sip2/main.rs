//! Self-checks, tested over TCP against a booted library on a real PostgreSQL: recorded conversations, an independent
//! client, and terminals that behave badly.

mod bad_terminals;
mod conversations;
mod independent_client;
// The library of the API's tests; not all of it is used here.
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
