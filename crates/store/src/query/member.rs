//! SQL of a member of a record.

/// A text as an SQL literal.
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A member at a dotted path. Clients choose the names below free-form JSON, so every name is a literal.
pub(super) fn member(column: &str, field: &str, last: &str) -> String {
    let names: Vec<String> = field.split('.').map(literal).collect();
    let (name, parents) = names.split_last().map_or(("''", &[][..]), |(name, parents)| (name, parents));
    let parents: String = parents.iter().map(|parent| format!("->{parent}")).collect();
    format!("({column}{parents}{last}{name})")
}
