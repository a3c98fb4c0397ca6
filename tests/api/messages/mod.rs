//! Messages to patrons (mod-template-engine, mod-email, mod-sender; folio-circulation §9).

mod templates;
