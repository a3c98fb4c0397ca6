//! Self-checks, tested over TCP against a booted library on a real PostgreSQL: recorded conversations, an independent
//! client, and terminals that behave badly.

mod conversations;
// The library of the API's tests; not all of it is used here.
#[allow(dead_code)]
#[path = "../api/circulation/lending_library.rs"]
mod lending_library;
mod terminal;
