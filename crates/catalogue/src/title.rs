//! An instance as the index reads it.

use serde_json_borrow::Value;

/// An instance with what belongs to it, as it is read. Its texts are those of the database's answer: most of the work on an index
/// would be to copy them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Title<'t> {
    pub(crate) id: &'t str,
    pub(crate) instance: Value<'t>,
    pub(crate) holdings: Vec<Value<'t>>,
    pub(crate) items: Vec<Value<'t>>,
    pub(crate) is_bound_with: bool,
}

/// The entries of a list; none of anything else.
pub(crate) fn listed<'v>(value: &'v Value<'v>) -> &'v [Value<'v>] {
    value.as_array().unwrap_or_default()
}
