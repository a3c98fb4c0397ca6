//! Keeps an index of records on disk as the database has them: for the archives and for the catalogue (decisions 44, 57).
//!
//! | Topic | Module |
//! |---|---|
//! | what is indexed: an owner's records, their changes and documents | [`Source`] |
//! | the task that keeps an index; searches that wait for it | [`Index`] |
//! | folders, locks and generations | [`on_disk`] |

mod keeper;
mod on_disk;
mod source;

pub use keeper::{Index, Sessions, Shown, Status};
pub use source::{Batch, Changes, Reached, Source};
