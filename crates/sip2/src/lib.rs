//! SIP2, the protocol of self-checks (3M Standard Interchange Protocol 2.00): bytes in, messages out, and back.
//!
//! The crate uses no sockets and no clock. [`Frames`] splits a stream of bytes into lines, [`Dialect::read`] reads a
//! line as a [`Message`], and [`Dialect::write`] writes one. [`kind`] is the table of messages and their fixed-length
//! parts; [`field`] lists the codes of the fields that follow. docs/adding-a-sip2-message.md says how a message is
//! added.

mod checksum;
mod date;
mod dialect;
mod encoding;
pub mod field;
mod frames;
mod kind;
mod message;

pub use checksum::checksum;
pub use date::{moment, stamp};
pub use dialect::{Dialect, Ending, Fault, Received, Trailer};
pub use encoding::Encoding;
pub use field::Code;
pub use frames::{Frame, Frames};
pub use kind::{Kind, Part};
pub use message::Message;
