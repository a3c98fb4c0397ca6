//! Permissions and their holders: installation with modules, and the reads and writes of `/perms`
//! (docs/folio/permissions.md#permission-records). Each function is one round trip.

mod holders;
mod install;
mod read;
mod replaced;

pub use holders::{Holder, find_holder, grant, held, remove_holder, replace_holder, withdraw};
pub use install::{Collision, deprecate, install, purge};
pub use read::{Definition, definitions, delete};
pub(crate) use replaced::replacements;
pub use replaced::replacing;
