//! Sample archives: collections with their trees, containers and digital objects, and what they share with each other.
//!
//! | Records | Module |
//! |---|---|
//! | shared: agents, subjects, places, profiles of containers, classifications | [`shared`] |
//! | a collection: the resource, its accessions and events | [`collection`] |
//! | its components, boxes and digital objects | [`components`] |
//!
//! Records refer to each other by temporary addresses, `/subjects/import_7`, as an import takes them. A collection can have
//! any number of components; nothing of it is kept in memory.

mod collection;
mod components;
mod shared;
mod words;

use crate::library::Library;

/// The repository of all sample collections: code and name.
pub const REPOSITORY: (&str, &str) = ("SC", "Special Collections");
/// Its address where records name it: the first repository of a library, after the hidden one.
const IN_REPOSITORY: &str = "/repositories/2";

impl Library {
    /// The number of components of each collection: the first has a fifth of all, the others fewer and fewer.
    pub fn collection_sizes(&self) -> Vec<u32> {
        let (collections, components) = (u64::from(self.plan.resources), u64::from(self.plan.components));
        let first = match collections {
            0 => return Vec::new(),
            1 => components,
            _ => components / 5,
        };
        let weight = |collection: u64| 1_000_000 / (collection + 3);
        let whole: u64 = (1..collections).map(weight).sum();
        let (mut passed, mut given) = (0, 0);
        let rest = (1..collections).map(|collection| {
            passed += weight(collection);
            let until = (components - first) * passed / whole;
            let size = until - given;
            given = until;
            size
        });
        [first].into_iter().chain(rest).map(|size| u32::try_from(size).unwrap_or(u32::MAX)).collect()
    }
}

/// The temporary address of a record of the repository.
fn in_repository(kind: &str, number: impl std::fmt::Display) -> String {
    format!("{IN_REPOSITORY}/{kind}/import_{number}")
}
