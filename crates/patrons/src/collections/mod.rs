//! The declared collections of patrons, their money and blocks, and the desk's settings and neighbours.
//!
//! Routes, validation, tables, CQL and OpenAPI of these records come from their declarations; the handlers of
//! `api::folio` have the routes that a declaration names in `without`.

mod blocks;
mod calendars;
mod fees_fines;
mod notes;
mod people;
mod satellites;
mod settings;

pub use people::{USERS, users};

use store::collection::Collection;

/// Every collection of this domain; a table comes after those it refers to.
#[must_use]
pub fn collections() -> Vec<Collection> {
    let mut all = people::collections();
    all.extend(satellites::collections());
    all.extend(fees_fines::collections());
    all.extend(blocks::collections());
    all.extend(notes::collections());
    all.extend(settings::collections());
    all.push(calendars::calendars());
    all
}

/// The text of a member, when it is one.
pub(crate) fn text<'a>(
    record: &'a serde_json::Map<String, serde_json::Value>,
    member: &str,
) -> Option<&'a str> {
    record.get(member).and_then(serde_json::Value::as_str)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_occur_once() {
        let all = collections();
        for name in [|c: &Collection| c.path, |c: &Collection| c.table] {
            let names: HashSet<_> = all.iter().map(name).collect();
            assert_eq!(names.len(), all.len());
        }
    }

    #[test]
    fn every_searched_field_is_declared() {
        for collection in collections() {
            let virtuals: Vec<_> = collection.virtuals.iter().map(|field| field.name).collect();
            let indexed = collection.indexes.iter().map(|index| index.field);
            let unique = collection
                .uniques
                .iter()
                .flat_map(|unique| unique.fields.iter().copied());
            let references = collection
                .references
                .iter()
                .map(|reference| reference.field);
            for field in indexed.chain(unique).chain(references) {
                let known = virtuals.contains(&field) || collection.schema.find(field).is_some();
                assert!(known, "{}: {field}", collection.path);
            }
        }
    }

    #[test]
    fn references_lead_to_tables_declared_before() {
        let mut known = HashSet::new();
        for collection in collections() {
            for target in collection
                .references
                .iter()
                .filter_map(|reference| reference.table)
            {
                assert!(
                    known.contains(target),
                    "{} refers to {target}",
                    collection.table
                );
            }
            known.insert(collection.table);
        }
    }
}
