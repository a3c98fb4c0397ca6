//! Which SQL expression serves a field: the one place that both the indexes of a table and the conditions
//! of a query take it from, so that the one always fits the other.

use crate::collection::{Collection, IndexKind};

/// The field's value as text: `doc->>'name'`, `doc#>>'{status,name}'`, or a computed field's expression.
#[must_use]
pub fn text(collection: &Collection, field: &str) -> String {
    if let Some(computed) = collection
        .virtuals
        .iter()
        .find(|computed| computed.name == field)
    {
        return format!("({})", computed.sql);
    }
    let column = collection.column_of(field);
    match path(field).as_slice() {
        [name] => format!("({column}->>{})", literal(name)),
        names => format!(
            "({column}#>>{})",
            literal(&format!("{{{}}}", names.join(",")))
        ),
    }
}

/// The field's value as JSON.
#[must_use]
pub fn json(collection: &Collection, field: &str) -> String {
    let column = collection.column_of(field);
    match path(field).as_slice() {
        [name] => format!("({column}->{})", literal(name)),
        names => format!(
            "({column}#>{})",
            literal(&format!("{{{}}}", names.join(",")))
        ),
    }
}

/// The expression an index of that kind is built on, and a query on it compares.
#[must_use]
pub fn indexed(collection: &Collection, field: &str, kind: &IndexKind) -> String {
    match kind {
        IndexKind::Folded => format!("(carrel.fold({}) COLLATE \"C\")", text(collection, field)),
        IndexKind::CaseFolded => format!("(lower({}) COLLATE \"C\")", text(collection, field)),
        IndexKind::Exact => format!("({} COLLATE \"C\")", text(collection, field)),
        IndexKind::Words => format!("carrel.words({})", text(collection, field)),
        IndexKind::Elements => json(collection, field),
    }
}

/// A text as SQL literal.
#[must_use]
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn path(field: &str) -> Vec<&str> {
    field.split('.').collect()
}
