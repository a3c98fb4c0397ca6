//! Permissions and who holds them: installing those of modules, and the reads and writes of `/perms`
//! (folio-platform §2.3). Every function is one round trip.

mod install;

pub use install::{deprecate, install, purge};
