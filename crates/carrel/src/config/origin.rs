//! Where the value of a setting comes from.

use std::{fmt, path::PathBuf};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Default,
    File(PathBuf),
    Environment(String),
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "from {}", path.display()),
            Self::Environment(name) => write!(f, "from the environment variable {name}"),
            Self::Flag(name) => write!(f, "from the flag --{name}"),
        }
    }
}
