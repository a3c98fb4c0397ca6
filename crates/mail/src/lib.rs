//! Messages to patrons: their templates, and the e-mails made from them (mod-template-engine, mod-email).

pub mod collections;
pub mod locale;
pub mod message;
pub mod queue;
pub mod refusal;
mod smtp;
pub mod template;
