//! Records of the archives: read, list, add, change, publish, suppress and delete. The rules of a type are its declaration
//! ([`crate::model`]); what a type adds to its records is in [`derived`].

mod derived;
mod given_arks;
mod identities;
mod keys;
mod read;
mod revise;
mod staged;
mod write;

use jiff::Timestamp;

use crate::{
    arks::Numbering,
    model::{Uri, record_type},
};

pub use given_arks::set_arks;
pub use read::{Listing, Page, Seen, get, list};
pub(crate) use revise::{BATCH, lock, revise};
pub(crate) use staged::{Key, Numbered, complete, taken};
pub use write::{Replacement, add, change, change_together, delete, delete_all, publish, suppress};
pub(crate) use write::{
    Target, accepted, add_all, changed, first_id, held_agent, prepare, rewritten, settled, written,
};

/// Who makes a change, and when.
#[derive(Debug, Clone)]
pub struct Author {
    /// User name.
    pub name: String,
    pub now: Timestamp,
    /// How records get ARKs that are saved without one.
    pub arks: Numbering,
}

/// Where a request looks for a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Name of the record type.
    pub kind: &'static str,
    /// Null for types that no repository owns.
    pub repository: Option<i64>,
}

impl Place {
    /// The address of a record there; empty if nobody knows the type.
    pub(crate) fn uri(self, id: i64) -> String {
        let of = record_type(self.kind).map(|kind| Uri { repository: self.repository, kind, id }.to_string());
        of.unwrap_or_default()
    }
}
