//! Who somebody is and what they may do: tokens, credentials, permissions, and the tenants they belong to.
//!
//! - [`tokens`]: access tokens, signed and verified in process;
//! - [`access`]: what a user may do, with every nested permission set unfolded.

pub mod access;
pub mod tokens;
