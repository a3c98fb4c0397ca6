//! The table of settings, from which everything about a setting is derived.

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The key in the file.
    pub name: &'static str,
    /// What it is for, a line each.
    pub doc: &'static [&'static str],
    /// The default, as it would be written in the environment.
    pub default: &'static str,
    /// Whether the flag can stand alone (`--allow-open-tenants`).
    pub switch: bool,
    /// Checks a text and renders it as a TOML value for people, secrets masked; or says what was
    /// expected.
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

    /// What it is for, as one paragraph.
    pub fn help(&self) -> String {
        let lines: Vec<&str> = self.doc.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    }
}

/// Defines `Config`, with a field for each setting, and `SETTINGS`, the table. Defaults are written
/// as texts, for a text is what every source gives.
macro_rules! settings {
    ($( $(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal; )+) => {
        /// What Carrel is set to.
        #[derive(Debug, Clone)]
        pub struct Config {
            $( $(#[doc = $doc])+ pub $name: $type, )+
        }

        /// Every setting, in the order of the file.
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
