//! Identifiers of elements.

/// The id as exports write it.
pub(crate) fn prefixed(id: &str) -> String {
    let id = id.replace(char::is_whitespace, "_");
    if id.starts_with("aspace_") { id } else { format!("aspace_{id}") }
}
