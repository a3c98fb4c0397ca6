//! Module ids: a product and a version.

use std::cmp::Ordering;

/// The product of a module id: `mod-users` of `mod-users-19.5.4`; an id without version is a product.
pub fn product_of(id: &str) -> &str {
    version_start(id).map_or(id, |start| &id[..start - 1])
}

/// The version of a module id: `19.5.1` of `mod-users-19.5.4`.
pub fn version_of(id: &str) -> Option<&str> {
    version_start(id).map(|start| &id[start..])
}

fn version_start(id: &str) -> Option<usize> {
    id.match_indices('-')
        .map(|(place, _)| place + 1)
        .find(|start| id[*start..].starts_with(|c: char| c.is_ascii_digit()))
}

/// Orders by product name, then by version number.
pub(super) fn compare_ids(a: &str, b: &str) -> Ordering {
    product_of(a).cmp(product_of(b)).then_with(|| numbers(a).cmp(&numbers(b))).then_with(|| a.cmp(b))
}

fn numbers(id: &str) -> Vec<u64> {
    version_of(id)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .map(|part| part.parse().unwrap_or(0))
        .collect()
}
