//! Messages to patrons: their templates, and the e-mails that are made of them
//! (mod-template-engine, mod-email, mod-sender).

pub mod collections;
pub mod locale;
pub mod message;
pub mod queue;
pub mod smtp;
pub mod template;
