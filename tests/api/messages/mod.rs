//! Messages to patrons (mod-template-engine, mod-email, mod-sender; folio-circulation §9).

mod noticing;
mod real_time;
mod scheduled;
mod templates;
