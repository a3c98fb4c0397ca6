//! Errors in the settings, with their origin.

use std::path::PathBuf;

use super::Origin;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read the configuration file {}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// The file is not valid TOML.
    #[error("the configuration file {} is not valid TOML:\n{source}", .path.display())]
    Syntax {
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// The file has an unknown key.
    #[error(
        "the configuration file {} has an unknown setting `{key}`{}. \
         `carrel config default` lists all of them.",
        .path.display(),
        .nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
    )]
    UnknownKey {
        path: PathBuf,
        key: String,
        /// The most similar setting.
        nearest: Option<&'static str>,
    },
    /// A value does not fit its setting.
    #[error("the setting `{name}` ({origin}) has a value that cannot be used: {expected}")]
    BadValue { name: &'static str, origin: Origin, expected: String },
}
