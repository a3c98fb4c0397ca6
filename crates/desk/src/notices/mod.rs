//! Notice processing: events and due scheduled notices become e-mails in the queue. One statement claims each batch
//! with all its records, one reads the templates, and one writes the results; an unfinished batch is left for the next
//! run.

mod batch;
mod events;
mod reminders;
mod scheduled;

pub use events::deal_with_events;
pub use reminders::process_reminders;
pub use scheduled::process_scheduled;
