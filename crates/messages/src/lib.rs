//! Messages to patrons: their templates (mod-template-engine), and the e-mails made from them (mod-email).
//!
//! [`templates`] is pure but for [`templates::stored`]: no I/O, no clock.

pub mod collections;
pub mod mail;
pub mod refusal;
pub mod templates;
