//! What the catalogue keeps, declared: `folio-platform.md` §4.1 and §4.4–§4.6.
//!
//! Routes, validation, tables, CQL and OpenAPI of these records come from their declarations. What instances,
//! holdings and items do beyond that (numbers, effective values, locking) is written in `store::catalogue`.

mod holdings;
mod instances;
mod items;
mod links;
mod locations;
mod reference_data;

pub use holdings::{HOLDINGS_TABLE, holdings};
pub use instances::{INSTANCE_TABLE, instances};
pub use items::{ITEM_STATE, ITEM_TABLE, items};
pub use links::titles;

use store::collection::Collection;

/// Every collection of the catalogue; a table comes after those it refers to.
#[must_use]
pub fn collections() -> Vec<Collection> {
    let mut all = reference_data::collections();
    all.extend(locations::collections());
    all.extend([instances(), holdings(), items()]);
    all.extend(links::collections());
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
