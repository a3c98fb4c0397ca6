//! Patrons and what a library keeps about them: users, groups, proxies, custom fields, blocks, fees and
//! fines; and the settings, notes, tags and calendars that a desk session reads beside them
//! (docs/folio/users.md, docs/folio/configuration-and-settings.md, docs/folio/notes-and-tags.md,
//! docs/folio/fees-fines.md, docs/folio/patron-blocks.md, docs/folio/calendars.md).
//!
//! [`collections`] declares the records. The other modules decide; none of them does I/O.

pub mod block;
pub mod collections;
pub mod custom_fields;
pub mod import;
mod note_content;
pub mod settings;
pub mod staging;
pub mod user;
pub mod users;
