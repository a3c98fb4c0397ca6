//! Archives over ArchivesSpace's API: the records of archival description and their trees.
//!
//! | Topic | Module |
//! |---|---|
//! | what a record of each type may be | [`model`] |
//! | reading and writing records | [`records`] |
//! | the places of records in trees | [`nodes`] |
//! | trees of components | [`tree`] |
//! | value lists of a library | [`value_lists`] |
//! | subjects and their terms | [`subjects`] |
//! | imports | [`import`] |
//! | finding aids as EAD | [`finding_aid`] |
//! | `resolve[]` | [`resolve`](mod@resolve) |
//! | sessions of the API, and what their users may do | [`sessions`], [`permissions`] |
//! | what a process remembers of them | [`remembered`] |
//! | refusals | [`refusal`] |

pub mod finding_aid;
pub mod import;
mod markup;
pub mod model;
pub mod nodes;
pub mod permissions;
pub mod records;
pub mod refusal;
pub mod remembered;
pub mod repositories;
pub mod resolve;
pub mod sessions;
pub mod subjects;
pub mod tree;
pub mod value_lists;
