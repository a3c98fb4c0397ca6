//! Permissions and who holds them: installing those of modules, and the reads and writes of `/perms`
//! (docs/folio/permissions.md#permission-records). Every function is one round trip.

mod guard;
mod holders;
mod install;
mod read;
mod replaced;

pub use guard::{NotOwned, check_grant};
pub use holders::{Holder, find_holder, grant, held, remove_holder, replace_holder, withdraw};
pub use install::{deprecate, install, purge};
pub use read::{Definition, definitions, delete};
pub use replaced::{replacements, replacing};
