//! The plain columns of a collection: what a statement that writes a record writes beside it.

use crate::collection::{Collection, Column};

use super::expression;

/// The plain columns, in one order everywhere; none if the collection has generated ones, or if they do not follow from its record.
pub(crate) fn columns(collection: &Collection) -> Vec<Column> {
    if !collection.plain || collection.composed {
        return Vec::new();
    }
    let references = collection.references.iter().map(|reference| Column {
        name: reference.column(),
        kind: "uuid",
        value: format!("{}::uuid", expression::text(collection, reference.field)),
    });
    let keys = collection.keyed().filter_map(|index| {
        let name = expression::key_column(index.field, &index.kind)?;
        let value = expression::derived(collection, index.field, &index.kind);
        Some(Column { name, kind: "text COLLATE \"C\"", value })
    });
    references.chain(keys).chain(collection.columns.iter().cloned()).collect()
}

/// The collections that have such columns.
pub(crate) fn having(collections: &[Collection]) -> impl Iterator<Item = &Collection> {
    collections.iter().filter(|one| one.plain && !one.composed)
}

/// A statement on one table with the names of its plain columns: `{columns}`, as they are kept (`{kept}`) and as they follow from the
/// record (`{derived}`).
pub(crate) fn filled(sql: &str, collection: &Collection) -> String {
    let columns = columns(collection);
    let list = |prefix: &str| {
        let names = columns.iter().map(|column| format!("{prefix}{}", column.name));
        names.collect::<Vec<_>>().join(", ")
    };
    sql.replace("{table}", collection.table)
        .replace("{columns}", &list(""))
        .replace("{kept}", &list("r."))
        .replace("{derived}", &list("c."))
}

/// The names of the plain columns, each after a comma, and the FROM item that derives them from the SQL value `doc`,
/// after `joint` (`FROM ` or a comma). Both are empty if the collection has none.
pub fn derived(collection: &Collection, joint: &str, doc: &str) -> (String, String) {
    let names = columns(collection).iter().map(|column| format!(", {}", column.name)).collect();
    match collection.plain && !collection.composed {
        true => (names, format!("{joint}{}_columns({doc}) AS derived", collection.table)),
        false => Default::default(),
    }
}
