//! Patrons and what a library keeps about them: users, groups, proxies, custom fields, manual blocks, accounts
//! (docs/folio/users.md, docs/folio/fees-fines.md, docs/folio/patron-blocks.md).
//!
//! [`collections`] declares the records. [`users`], [`staging`], [`custom_fields`] and [`import`] also read and write;
//! the other modules are pure rules.

mod block;
pub mod collections;
pub mod custom_fields;
pub mod import;
pub mod refusal;
pub mod staging;
mod user;
pub mod users;
