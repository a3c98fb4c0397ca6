//! What patrons are told, and when (docs/folio/notices.md).
//!
//! The desk only notes that something has happened ([`Happenings`]), with whatever it writes anyhow, and only
//! when some notice policy of the library asks for it. Later, off the desk's path, the circulation rules choose the policy,
//! and what happened becomes [`Letter`]s and scheduled notices ([`events`]); scheduled notices become letters when
//! their time has come ([`scheduled`]).

pub mod context;
pub mod events;
pub mod happenings;
pub mod letter;
pub mod policy;
pub mod reminders;
pub mod scheduled;
pub mod scheduling;
pub mod subject;

#[cfg(test)]
mod tests;

pub use happenings::{Event, Happenings};
pub use letter::Letter;
pub use policy::{Notice, NoticePolicy, Timing};
pub use subject::Subject;
