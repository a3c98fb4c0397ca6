//! An HTTP/1.1 client that does no more than a measurement needs: connections that stay open, over TLS where the
//! address says `https`, and answers whose bytes are counted.
//!
//! - [`target`]: the address, and opening connections to it.
//! - [`connection`]: one request after the other.
//! - [`answer`]: what came back.
//! - [`failure`]: what can go wrong on the way, by kind.

pub mod answer;
mod body;
pub mod connection;
pub mod failure;
pub mod target;

pub use answer::Answer;
pub use connection::Connection;
pub use failure::Failure;
pub use target::Target;
