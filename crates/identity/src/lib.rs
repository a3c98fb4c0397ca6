//! Who somebody is and what they may do: tokens, credentials, permissions, and the modules a tenant has.
//!
//! - [`tokens`]: access tokens, signed and verified in process;
//! - [`access`]: what a user may do, with every nested permission set unfolded;
//! - [`permissions`]: the permissions themselves and who holds them;
//! - [`sign_in`], [`refresh`], [`credentials`], [`passwords`], [`pins`], [`events`]: signing in and what belongs to it;
//! - [`door`]: who may have a password checked, and who first;
//! - [`composite`]: a user with what belongs to him; [`password_rules`];
//! - [`modules`]: FOLIO's modules, which bring permissions, routes and data to a tenant.

pub mod access;
pub mod collections;
pub mod composite;
pub mod credentials;
pub mod door;
pub mod events;
pub mod modules;
pub mod password_rules;
pub mod passwords;
pub mod permissions;
pub mod pins;
pub mod refresh;
pub mod sign_in;
pub mod tokens;
mod turns;
