//! Patrons and what a library keeps about them: users, groups, proxies, custom fields, manual blocks, accounts; and the
//! settings, notes and tags that a desk session needs (docs/folio/users.md, docs/folio/configuration-and-settings.md,
//! docs/folio/notes-and-tags.md, docs/folio/fees-fines.md, docs/folio/patron-blocks.md).
//!
//! [`collections`] declares the records. [`users`], [`staging`], [`custom_fields`] and [`import`] also read and write;
//! the other modules are pure rules.

mod block;
pub mod collections;
pub mod custom_fields;
pub mod import;
mod note_content;
pub mod refusal;
pub mod settings;
pub mod staging;
mod user;
pub mod users;
