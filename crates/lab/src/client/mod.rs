//! A minimal HTTP/1.1 client for measurements: persistent connections, TLS for `https` addresses, and byte counts.
//!
//! - [`target`]: addresses and connecting.
//! - [`connection`]: one request after the other.
//! - [`answer`]: the answers.
//! - [`failure`]: failures by kind.

pub mod answer;
mod body;
pub mod connection;
pub mod failure;
pub mod target;

pub use answer::Answer;
pub use connection::Connection;
pub use failure::Failure;
pub use target::Target;
