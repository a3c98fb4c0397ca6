//! Patron notices (docs/folio/notices.md).
//!
//! The desk only records events ([`Happenings`]), together with its other writes and only for events that some notice
//! policy of the library uses. Later, outside desk operations, the circulation rules choose the policy, and events
//! become [`Letter`]s and scheduled notices ([`events`]; when these are due: [`scheduling`]). Due scheduled notices become
//! letters ([`scheduled`]).

pub(crate) mod context;
pub mod events;
pub(crate) mod happenings;
pub(crate) mod letter;
pub mod reminders;
pub mod scheduled;
pub mod scheduling;
pub(crate) mod subject;

#[cfg(test)]
mod tests;

pub use crate::policies::notice::{Event, Notice, NoticePolicy, Timing};
pub use happenings::Happenings;
pub use letter::Letter;
pub use scheduled::Failure;
pub use subject::Subject;
