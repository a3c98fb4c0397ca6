//! The plain columns of a collection: what a statement that writes a record writes beside it.

use crate::collection::{Collection, Column};

use super::{compact, expression};

/// The plain columns, in one order everywhere; none if the collection has generated ones, or if they do not follow from its record.
pub(crate) fn columns(collection: &Collection) -> Vec<Column> {
    if !collection.plain || collection.composed {
        return Vec::new();
    }
    let references = collection.references.iter().map(|reference| Column {
        name: reference.column(),
        kind: "uuid",
        value: format!("{}::uuid", expression::of_record(collection, reference.field)),
    });
    let keys = collection.keyed().filter_map(|index| {
        let name = expression::key_column(index.field, &index.kind)?;
        let value = expression::derived_of_record(collection, index.field, &index.kind);
        Some(Column { name, kind: "text COLLATE \"C\"", value })
    });
    references.chain(keys).chain(collection.columns.iter().cloned()).chain(compact::columns(collection)).collect()
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

/// What a statement that writes records from the SQL value `doc` names.
pub struct Written {
    /// The columns that have a record, each after a comma.
    pub names: String,
    /// Their values.
    pub values: String,
    /// The FROM item that derives the plain ones, after `joint` (`FROM ` or a comma); empty without any.
    pub from: String,
}

/// The record itself is a column of its own, unless the table is compact.
pub fn written(collection: &Collection, joint: &str, doc: &str) -> Written {
    let plain: String = columns(collection).iter().map(|column| format!(", {}", column.name)).collect();
    let from = match collection.plain && !collection.composed {
        true => format!("{joint}{}_columns({doc}) AS derived", collection.table),
        false => String::new(),
    };
    match collection.is_compact() {
        true => Written { names: plain.clone(), values: plain, from },
        false => Written { names: format!(", doc{plain}"), values: format!(", {doc}{plain}"), from },
    }
}
