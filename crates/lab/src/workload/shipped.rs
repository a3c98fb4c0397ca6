//! The workloads in the binary.

macro_rules! shipped {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../../tests/workloads/", $name, ".toml")))),*]
    };
}

/// Names and texts.
pub const SHIPPED: [(&str, &str); 5] = shipped!("check-in-check-out", "uuid-batch", "data-export", "archives", "smoke");

/// The text of a shipped workload.
pub fn text(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
