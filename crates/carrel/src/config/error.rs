//! What is wrong with the settings, and where it was written.

use std::path::PathBuf;

use super::Origin;

/// A reason why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("the configuration file {} is not valid TOML:\n{source}", .path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// The file has a key that is no setting.
    #[error(
        "the configuration file {} has an unknown setting `{key}`{}. \
         `carrel config default` lists all of them.",
        .path.display(),
        .nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
    )]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The setting that it resembles most.
        nearest: Option<&'static str>,
    },
    /// A value does not fit its setting.
    #[error("the setting `{name}` ({origin}) has a value that cannot be used: {expected}")]
    BadValue {
        /// The setting.
        name: &'static str,
        /// Where the value is from.
        origin: Origin,
        /// What was expected.
        expected: String,
    },
}
