//! Filling a tenant with records: a folder of FOLIO's, and the sample library.
//!
//! Both go through the checks of the API. A folder is posted set by set; the sample library, whose tables are
//! empty, is copied into them.

mod bulk;
pub mod error;
pub mod folder;
pub mod library;
pub mod progress;

pub use error::LoadError;
