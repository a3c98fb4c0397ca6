//! E-mails to patrons (mod-email): their records, the queue of those that wait, and the tenant's mail server.

pub mod email;
pub mod queue;
mod smtp;
