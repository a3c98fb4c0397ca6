//! Compact tables (decision 96): the usual members of a record are in columns, `rest` has the others, and the SQL function
//! `doc(row)` composes the record, so that `r.doc` is the record there, too. A member is in `rest` if its column would give
//! another value back, so nothing is lost, whatever clients store.

use crate::collection::{Collection, Column, Kept, KeptKind};

use super::member::{literal, member};

/// The column of the other members.
pub(crate) const REST: &str = "rest";

/// The columns of members that no reference or key has, and [`REST`]; none if the collection is not compact.
pub(super) fn columns(collection: &Collection) -> Vec<Column> {
    if !collection.is_compact() {
        return Vec::new();
    }
    let is_reference = |kept: &&Kept| collection.references.iter().any(|reference| reference.field == kept.path);
    let own = collection.compact.iter().filter(|kept| kept.key.is_none() && !is_reference(kept)).map(|kept| {
        let text = member("doc", kept.path, "->>");
        let (kind, value) = match kept.kind {
            KeptKind::Uuid => ("uuid", format!("carrel.stored_uuid({text})")),
            KeptKind::Int => ("int", format!("carrel.stored_int({text})")),
            KeptKind::Text => ("text", text),
        };
        Column { name: column(kept), kind, value }
    });
    let rest = Column { name: REST.into(), kind: "jsonb", value: rest("doc", &record(collection, "c.")) };
    own.chain([rest]).collect()
}

/// The members of `doc` that `record` lacks or has with other values.
fn rest(doc: &str, record: &str) -> String {
    format!("carrel.replaced_members({doc}, {record})")
}

/// The members in columns as a record, of a row whose columns have the prefix.
fn record(collection: &Collection, row: &str) -> String {
    let mut members = vec![format!("'id', {row}id")];
    let mut grouped = Vec::new();
    for kept in &collection.compact {
        match kept.path.split_once('.') {
            None => members.push(format!("{}, {row}{}", literal(kept.path), column(kept))),
            Some((object, _)) if !grouped.contains(&object) => {
                grouped.push(object);
                members.push(format!("{}, {}", literal(object), object_of(collection, object, row)));
            }
            Some(_) => {}
        }
    }
    format!("jsonb_strip_nulls(jsonb_build_object({}))", members.join(", "))
}

fn object_of(collection: &Collection, object: &str, row: &str) -> String {
    let members = collection.compact.iter().filter_map(|kept| {
        let (parent, name) = kept.path.split_once('.')?;
        (parent == object).then(|| (literal(name), format!("{row}{}", column(kept))))
    });
    let (names, columns): (Vec<_>, Vec<_>) = members.unzip();
    let pairs: Vec<_> = names.iter().zip(&columns).map(|(name, column)| format!("{name}, {column}")).collect();
    format!("CASE WHEN num_nonnulls({}) > 0 THEN jsonb_build_object({}) END", columns.join(", "), pairs.join(", "))
}

/// A field's value as text, without composing the record: a member is in the rest or in its column.
pub(super) fn text(collection: &Collection, field: &str) -> String {
    match place(collection, field) {
        Place::Kept(kept) => format!("coalesce({}, {}::text)", member(REST, field, "->>"), column(kept)),
        Place::Rest => member(REST, field, "->>"),
        Place::Several => member("doc", field, "->>"),
    }
}

/// The same as JSON.
pub(super) fn json(collection: &Collection, field: &str) -> String {
    match place(collection, field) {
        Place::Kept(kept) => {
            format!("coalesce({}, to_jsonb({}))", member(REST, field, "->"), column(kept))
        }
        Place::Rest => member(REST, field, "->"),
        Place::Several => member("doc", field, "->"),
    }
}

/// Where the value of a field is.
enum Place<'c> {
    /// In a column, or in the rest.
    Kept(&'c Kept),
    Rest,
    /// Its members are in several columns.
    Several,
}

fn place<'c>(collection: &'c Collection, field: &str) -> Place<'c> {
    let is_within = |kept: &Kept| kept.path.strip_prefix(field).is_some_and(|more| more.starts_with('.'));
    match collection.compact.iter().find(|kept| kept.path == field) {
        Some(kept) => Place::Kept(kept),
        None if field == "id" || collection.compact.iter().any(is_within) => Place::Several,
        None => Place::Rest,
    }
}

/// The column that has the member.
pub(super) fn column(kept: &Kept) -> String {
    kept.key.map_or_else(|| kept.path.replace('.', "_").to_lowercase(), str::to_owned)
}

/// What derives all columns from `doc`, as the body of an SQL function.
pub(crate) fn derivation(columns: &[Column]) -> String {
    let (rest, others): (Vec<_>, Vec<_>) = columns.iter().partition(|column| column.name == REST);
    let values: Vec<_> = others.iter().map(|column| format!("{} AS {}", column.value, column.name)).collect();
    let names: Vec<_> = others.iter().map(|column| format!("c.{}", column.name)).collect();
    let rest = rest.first().map_or("NULL", |column| column.value.as_str());
    // Each value is computed once, though the rest is told from it.
    format!(
        "SELECT {}, {rest} FROM (SELECT (doc->>'id')::uuid AS id, {} OFFSET 0) c",
        names.join(", "),
        values.join(", ")
    )
}

/// The function that composes a record, and the view with it for queries.
pub(crate) fn composition(collection: &Collection, columns: &[Column]) -> String {
    let (table, record) = (collection.table, record(collection, "r."));
    let columns: String = columns.iter().map(|column| format!(", r.{}", column.name)).collect();
    format!(
        "CREATE OR REPLACE FUNCTION doc(r {table}) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $doc$ \
         SELECT CASE WHEN r.id IS NOT NULL THEN {record} || coalesce(r.{REST}, '{{}}') END $doc$;\n\
         DROP VIEW IF EXISTS {table}_record; \
         CREATE VIEW {table}_record AS SELECT r.id, r.seq, r.doc AS doc{columns} FROM {table} r;\n"
    )
}
