//! The SQL expression for a field: the only source for both the indexes of a table and the conditions of a query, so
//! that they always match.
//!
//! Columns are not qualified: an expression refers to the innermost table around it.

pub use super::member::literal;
use super::{compact, member::member};
use crate::collection::{Collection, IndexKind, Virtual};

/// Characters of a value stored in a B-tree; PostgreSQL refuses index rows over 2.7 kB.
pub(crate) const KEY_LENGTH: usize = 600;

/// The field's value as text: `doc->>'name'`, `doc->'status'->>'name'`, or a computed field's expression; in a compact table, what is
/// kept of it.
pub fn text(collection: &Collection, field: &str) -> String {
    match computed(collection, field) {
        Some(computed) => format!("({})", computed.sql),
        None if collection.is_compact() => compact::text(collection, field),
        None => of_record(collection, field),
    }
}

/// The same, of a whole record.
pub(super) fn of_record(collection: &Collection, field: &str) -> String {
    match computed(collection, field) {
        Some(computed) => format!("({})", computed.sql),
        None => member(collection.column_of(field), field, "->>"),
    }
}

pub fn json(collection: &Collection, field: &str) -> String {
    match collection.is_compact() {
        true => compact::json(collection, field),
        false => member(collection.column_of(field), field, "->"),
    }
}

pub fn computed<'a>(collection: &'a Collection, field: &str) -> Option<&'a Virtual> {
    collection.virtuals.iter().find(|computed| computed.name == field)
}

/// The plain column with a field's comparison key; `None` for kinds that have no key.
pub(crate) fn key_column(field: &str, kind: &IndexKind) -> Option<String> {
    let suffix = match kind {
        IndexKind::Folded => "fold",
        IndexKind::CaseFolded => "lower",
        IndexKind::Exact => "exact",
        IndexKind::Words | IndexKind::Elements => return None,
    };
    Some(format!("{}_{suffix}", field.replace('.', "_").to_lowercase()))
}

/// The expression that an index of that kind is built on and a query compares.
pub fn indexed(collection: &Collection, field: &str, kind: &IndexKind) -> String {
    let has_column = collection.plain && collection.keyed().any(|index| index.field == field && index.kind == *kind);
    match key_column(field, kind) {
        Some(column) if has_column => format!("({column})"),
        _ => derived(collection, field, kind),
    }
}

/// The same expression, derived from the record.
pub(crate) fn derived(collection: &Collection, field: &str, kind: &IndexKind) -> String {
    key(collection, field, kind, &text(collection, field))
}

/// The same, derived from a whole record.
pub(super) fn derived_of_record(collection: &Collection, field: &str, kind: &IndexKind) -> String {
    key(collection, field, kind, &of_record(collection, field))
}

fn key(collection: &Collection, field: &str, kind: &IndexKind, text: &str) -> String {
    match kind {
        IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact => {
            format!("(left({}, {KEY_LENGTH}) COLLATE \"C\")", whole(text, kind))
        }
        IndexKind::Words => words(text),
        IndexKind::Elements => json(collection, field),
    }
}

/// A text folded for that kind of index, at full length.
pub fn whole(text: &str, kind: &IndexKind) -> String {
    match kind {
        IndexKind::Folded => format!("carrel.fold({text})"),
        IndexKind::CaseFolded => format!("lower({text})"),
        IndexKind::Exact | IndexKind::Words | IndexKind::Elements => text.to_owned(),
    }
}

/// The words of a text, as in full-text search.
pub fn words(text: &str) -> String {
    format!("carrel.words({text})")
}

/// How a field's text is compared: the kind of its B-tree, its own or that of a unique.
#[must_use]
pub(crate) fn ordered_kind<'a>(collection: &'a Collection, field: &str) -> Option<&'a IndexKind> {
    let indexes = collection.keyed().filter(|index| index.field == field).map(|index| &index.kind);
    let uniques = collection.uniques.iter().filter(|unique| unique.fields.contains(&field)).map(|unique| &unique.kind);
    indexes.chain(uniques).find(|kind| matches!(kind, IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact))
}

#[must_use]
pub(crate) fn has_index(collection: &Collection, field: &str, kind: &IndexKind) -> bool {
    collection.indexes.iter().any(|index| index.field == field && index.kind == *kind)
}

/// Whether the B-tree of a field has nothing before it: a walk through it meets the records in the field's order.
#[must_use]
pub(crate) fn gives_order(collection: &Collection, field: &str) -> bool {
    let ordered = |kind: &IndexKind| matches!(kind, IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact);
    let mut indexes = collection.indexes.iter().filter(|index| ordered(&index.kind));
    indexes.any(|index| index.field == field)
        || collection.uniques.iter().any(|unique| unique.fields.first() == Some(&field))
}

/// Whether each value of the field occurs in at most one record.
#[must_use]
pub(crate) fn is_unique(collection: &Collection, field: &str) -> bool {
    collection.uniques.iter().any(|unique| unique.fields == [field])
}
