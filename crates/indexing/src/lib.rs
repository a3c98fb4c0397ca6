//! Keeps an index of records on disk as the database has them: for the archives and for the catalogue (decisions 44, 57, 62).
//!
//! | Topic | Module |
//! |---|---|
//! | what is indexed: an owner's records, their changes and documents | [`Source`] |
//! | searches: they wait for what was saved before them | [`Index`] |
//! | the task that keeps an index | [`keeper`] |
//! | how an index that is built is filled, also beside the desk | [`filling`] |
//! | folders, locks and generations | [`on_disk`] |
//! | what gives way to the desk | [`pace`] |
//! | how an index stands, for the doctor | [`examine`] |

mod examine;
mod filling;
mod index;
mod keeper;
mod on_disk;
mod pace;
mod source;

pub use examine::examine;
pub use index::{Index, Shown, Status};
pub use keeper::Sessions;
pub use pace::Pace;
pub use source::{Batch, Changes, Reached, Source, Waiting};
