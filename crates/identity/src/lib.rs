//! Users' identity and rights: tokens, credentials, permissions, and the modules of a tenant.
//!
//! - [`tokens`]: access tokens, signed and verified in process;
//! - [`access`]: a user's permissions, with nested sets expanded;
//! - [`permissions`]: permissions and their holders; [`granting`]: who may grant them;
//! - [`sign_in`], [`refresh`], [`credentials`], [`passwords`], [`pins`], [`events`]: log-in;
//! - [`staff_sessions`]: who is signed in at the staff pages;
//! - [`door`]: limits password checks and orders them;
//! - [`composite`]: a user with related records; [`password_rules`];
//! - [`modules`]: FOLIO's modules, which bring permissions, routes and data to a tenant.

pub mod access;
pub mod collections;
pub mod composite;
pub mod credentials;
pub mod door;
pub mod events;
pub mod granting;
pub mod modules;
pub mod password_rules;
pub mod passwords;
pub mod permissions;
pub mod pins;
pub mod refresh;
pub mod sign_in;
pub mod staff_sessions;
pub mod tokens;
mod turns;
