//! Messages to patrons (mod-template-engine, mod-email, mod-sender; docs/folio/notices.md).

mod emails;
mod fees;
mod mail_server;
mod noticing;
mod real_time;
mod scheduled;
mod templates;
