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

/// Orders by product name, then by version number; a version before its release (`1.0.0-SNAPSHOT.3`) comes first.
pub(super) fn compare_ids(a: &str, b: &str) -> Ordering {
    product_of(a).cmp(product_of(b)).then_with(|| place(a).cmp(&place(b))).then_with(|| a.cmp(b))
}

/// The numbers of a version, whether it is released, and the numbers of what comes before a release.
fn place(id: &str) -> (Vec<u64>, bool, Vec<u64>) {
    let version = version_of(id).unwrap_or_default();
    let (release, before) =
        version.split_once('-').map_or((version, None), |(release, before)| (release, Some(before)));
    (numbers(release), before.is_none(), numbers(before.unwrap_or_default()))
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap_or(0)).collect()
}
