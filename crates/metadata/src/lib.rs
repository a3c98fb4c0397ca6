//! Formats other than EAD: MARCXML, Dublin Core, MODS, METS, EAC-CPF, and tables for labels and forms. What is read from such
//! formats is in [`import`]; the rest is written.
//!
//! Records are ArchivesSpace JSON with their references resolved in place (`_resolved`); nothing is read here. What can
//! have any number of parts is written a part at a time.
//!
//! Contract: archives reference, sections 3.5, 6.7 and 6.8. Where ArchivesSpace's exports contradict the standard, or
//! show what is not to be shown, this does otherwise:
//!
//! * A public MARCXML file has no unpublished notes of any kind, and no field that holds only a caption.
//! * In MARCXML, punctuation ends the last subfield of a name, not an identifier (`$0`); a subject with subdivisions has
//!   no `$0`. Positions of a leader or an 008 field that nothing is known about have a fill character, so that the others
//!   stay in their places.
//! * The names of a family in an authority record have one pair of parentheses. An inverted name has the
//!   first indicator 1. The number of an entity is its `001`.
//! * Components within METS are described like digital objects, and have files with ids.
//! * Elements that would be empty are left out, except those that a schema requires.

mod dates;
mod dublin_core;
mod eac;
mod harvest;
pub mod import;
mod marc;
mod marc_authority;
mod mets;
mod mods;
mod notes;
mod publishing;
mod tables;

pub use dublin_core::dublin_core;
pub use eac::{Eac, Related};
pub use harvest::{Harvest, harvested};
pub use marc::{Marc, marc};
pub use marc_authority::marc_authority;
pub use mets::{Dmd, Mets};
pub use mods::Mods;
pub use tables::{Labels, Sheet};
