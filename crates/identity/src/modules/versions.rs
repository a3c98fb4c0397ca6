//! Versions of interfaces.

/// True if the version `provided` satisfies one of the versions in `required`, separated by spaces: the same major
/// version, and at least that minor version.
#[must_use]
pub(crate) fn is_compatible(provided: &str, required: &str) -> bool {
    let provided = parts(provided);
    let of_same_major = |version: &&str| parts(version)[0] == provided[0];
    required.split_whitespace().find(of_same_major).is_some_and(|version| parts(version) <= provided)
}

/// Major, minor and patch.
pub(super) fn parts(version: &str) -> [u64; 3] {
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| numbers.next().unwrap_or(0))
}
