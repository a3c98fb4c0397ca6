//! Finding aids as EAD: ArchivesSpace records to EAD 2002 or EAD3, and either to records.
//!
//! Both ways stream: [`Exporter`] writes a component as it is told of it, [`Importer`] gives a component out as soon as
//! its description is read. Neither grows with the number of components, only with the depth of the tree and, on import,
//! with the number of distinct agents, subjects and containers.
//!
//! Contract: archives reference, section 6. Where ArchivesSpace would lose something or make a file that nobody can read,
//! this does otherwise:
//!
//! * A note within a note is a note of its own and no longer part of the text of the outer one, so that it is not doubled
//!   on each round. Paragraphs within tables and quotations stay paragraphs.
//! * A `normal` date whose two parts are the same is a single date: that is how exports write single dates.
//! * A fourth container without a `parent` starts a new instance; `aspace_uri` never becomes a component's identifier.
//! * Labels (`@label`) of abstracts and locations, captions of file versions and titles in the XLink namespace are kept.
//! * An export repeats neither the number in a title nor a language note that says no more than the codes.
//! * An unpublished agent stays out of a public EAD3 file, too; digital objects are in one only when asked for.
//! * Resources come before their components, and again ([`Item::Revised`]) if the file describes them further.
//! * What is not well-formed is escaped; characters that XML cannot hold are left out.

mod ead3_text;
mod export;
mod identifiers;
mod import;
mod lists;
mod text;

pub use export::{ExportError, Exporter, Format, Linked, Options as ExportOptions, Repository};
pub use import::{Fault, Source, Tag, Token};
pub use import::{ImportError, Importer, Item, Limits, Mode, Options as ImportOptions, Repair};
pub use record_xml::{Lists, Verbatim, read::Json};
use record_xml::{read, xml};
