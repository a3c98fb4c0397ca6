//! Fills a tenant with records: a folder of FOLIO records, or the sample library.
//!
//! Both go through the checks of the API. A folder is posted set by set; the sample library is copied into tables that
//! are still empty.

mod bulk;
mod error;
pub mod folder;
pub mod library;
pub mod progress;

pub use error::LoadError;
