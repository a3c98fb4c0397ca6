//! Which SQL expression serves a field: the one place that both the indexes of a table and the conditions
//! of a query take it from, so that the one always fits the other.
//!
//! Columns are not qualified: an expression belongs to the innermost table around it.

use crate::collection::{Collection, IndexKind, Virtual};

/// Characters of a value that a B-tree keeps; PostgreSQL refuses index rows beyond 2.7 kB.
pub const KEY_LENGTH: usize = 600;

/// The field's value as text: `doc->>'name'`, `doc->'status'->>'name'`, or a computed field's expression.
#[must_use]
pub fn text(collection: &Collection, field: &str) -> String {
    match computed(collection, field) {
        Some(computed) => format!("({})", computed.sql),
        None => member(collection.column_of(field), field, "->>"),
    }
}

/// The field's value as JSON.
#[must_use]
pub fn json(collection: &Collection, field: &str) -> String {
    member(collection.column_of(field), field, "->")
}

/// The computed field of that name.
#[must_use]
pub fn computed<'a>(collection: &'a Collection, field: &str) -> Option<&'a Virtual> {
    collection
        .virtuals
        .iter()
        .find(|computed| computed.name == field)
}

/// The expression an index of that kind is built on, and a query on it compares.
#[must_use]
pub fn indexed(collection: &Collection, field: &str, kind: &IndexKind) -> String {
    let text = text(collection, field);
    match kind {
        IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact => {
            format!("(left({}, {KEY_LENGTH}) COLLATE \"C\")", whole(&text, kind))
        }
        IndexKind::Words => words(&text),
        IndexKind::Elements => json(collection, field),
    }
}

/// A text as an index of that kind folds it, in its whole length.
#[must_use]
pub fn whole(text: &str, kind: &IndexKind) -> String {
    match kind {
        IndexKind::Folded => format!("carrel.fold({text})"),
        IndexKind::CaseFolded => format!("lower({text})"),
        IndexKind::Exact | IndexKind::Words | IndexKind::Elements => text.to_owned(),
    }
}

/// The words of a text, as full-text search sees them.
#[must_use]
pub fn words(text: &str) -> String {
    format!("carrel.words({text})")
}

/// How a field's text is compared: the kind of B-tree it has, alone or in a unique.
#[must_use]
pub fn ordered_kind<'a>(collection: &'a Collection, field: &str) -> Option<&'a IndexKind> {
    let indexes = collection
        .indexes
        .iter()
        .filter(|index| index.field == field)
        .map(|index| &index.kind);
    let uniques = collection
        .uniques
        .iter()
        .filter(|unique| unique.fields.contains(&field))
        .map(|unique| &unique.kind);
    indexes.chain(uniques).find(|kind| {
        matches!(
            kind,
            IndexKind::Folded | IndexKind::CaseFolded | IndexKind::Exact
        )
    })
}

/// Whether the field has an index of that kind.
#[must_use]
pub fn has_index(collection: &Collection, field: &str, kind: &IndexKind) -> bool {
    collection
        .indexes
        .iter()
        .any(|index| index.field == field && index.kind == *kind)
}

/// Whether one value of the field occurs in one record at most.
#[must_use]
pub fn is_unique(collection: &Collection, field: &str) -> bool {
    collection
        .uniques
        .iter()
        .any(|unique| unique.fields == [field])
}

/// A text as SQL literal.
#[must_use]
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A member at a dotted path. Names below free-form JSON come from the client, so each is a literal.
fn member(column: &str, field: &str, last: &str) -> String {
    let names: Vec<String> = field.split('.').map(literal).collect();
    let (name, parents) = names
        .split_last()
        .map_or(("''", &[][..]), |(name, parents)| (name, parents));
    let parents: String = parents.iter().map(|parent| format!("->{parent}")).collect();
    format!("({column}{parents}{last}{name})")
}
