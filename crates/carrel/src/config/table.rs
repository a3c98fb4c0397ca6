//! The table of settings, from which everything about a setting is derived.

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The key in the file.
    pub name: &'static str,
    /// Its description, line by line.
    pub doc: &'static [&'static str],
    /// The default, as written in the environment.
    pub default: &'static str,
    /// Whether the flag can be given without a value (`--allow-open-tenants`).
    pub switch: bool,
    /// Checks a text and renders it as a TOML value for people, with secrets masked; the error says what was expected.
    pub render: fn(&str) -> Result<String, String>,
}

impl Setting {
    /// The name of the environment variable.
    pub fn variable(&self) -> String {
        format!("CARREL_{}", self.name.to_uppercase())
    }

    /// The name of the flag, without the dashes.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Its description as one paragraph.
    pub fn help(&self) -> String {
        let lines: Vec<&str> = self.doc.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    }
}

/// Defines `Config`, with a field for each setting, and `SETTINGS`, the table. Defaults are written as texts, because
/// every source gives a text.
macro_rules! settings {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal; )+) => {
        /// Carrel's settings.
        #[derive(Debug, Clone)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        /// All settings, in the order of the file.
        pub static SETTINGS: &[$crate::config::Setting] = &[
            $( $crate::config::Setting {
                name: stringify!($name),
                doc: &[$($doc),+],
                default: $default,
                switch: <$type as $crate::config::value::Value>::SWITCH,
                render: $crate::config::value::render::<$type>,
            }, )+
        ];

        impl Config {
            pub(crate) fn from_resolved(resolved: &Resolved) -> Result<Self, ConfigError> {
                Ok(Self { $( $name: resolved.value(stringify!($name))?, )+ })
            }
        }
    };
}
pub(super) use settings;
