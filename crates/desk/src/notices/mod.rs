//! Notices, from the read to the write: what has happened, and scheduled notices whose time has come, become e-mails in the
//! queue. Each batch is claimed with everything it is about in one statement, and settled in another; a batch that
//! is not settled is there for the next run.

mod batch;
mod events;
mod reminders;
mod scheduled;

pub use events::deal_with_events;
pub use reminders::process_reminders;
pub use scheduled::process_scheduled;
