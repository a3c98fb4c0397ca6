//! Finding aids as EAD: ArchivesSpace records to EAD 2002 or EAD3, and EAD 2002 to records.
//!
//! Both ways stream: [`Exporter`] writes a component as it is told of it, [`Importer`] gives a component out as soon as
//! its description is read. Neither grows with the number of components, only with the depth of the tree and, on import,
//! with the number of distinct agents, subjects and containers.
//!
//! Contract: archives reference, section 6.

mod ead3_text;
mod export;
mod import;
mod json;
mod lists;
mod text;
mod xml;

pub use export::{ExportError, Exporter, Format, Options as ExportOptions, Repository};
pub use import::{ImportError, Importer, Item, Limits, Mode, Options as ImportOptions, Repair};
pub use lists::{Lists, Verbatim};
