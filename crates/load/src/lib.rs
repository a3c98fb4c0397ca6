//! Fills a tenant with records: a folder of FOLIO records, finding aids, or the sample library; and writes finding aids.
//!
//! Both go through the checks of the API. A folder is posted set by set; the sample library is copied into tables that
//! are still empty.

pub mod archives;
mod bulk;
mod error;
pub mod finding_aids;
pub mod folder;
pub mod library;
pub mod progress;

pub use error::LoadError;
