//! SIP2, the protocol of self-checks (3M Standard Interchange Protocol 2.00): bytes in, messages out, and back.
//!
//! Nothing here reads a socket or a clock. [`Frames`] cuts a stream of bytes into lines, [`Dialect::read`] reads a line
//! as a [`Message`], [`Dialect::write`] writes one. Which messages there are and what each begins with is one table,
//! [`kind`]; the fields that follow are in [`field`].

mod checksum;
mod date;
mod dialect;
mod encoding;
pub mod field;
mod frames;
pub mod kind;
mod message;

pub use checksum::checksum;
pub use date::{moment, stamp};
pub use dialect::{Dialect, Ending, Fault, Received, Trailer};
pub use encoding::Encoding;
pub use field::Code;
pub use frames::{Frame, Frames};
pub use kind::{Kind, Part};
pub use message::Message;
