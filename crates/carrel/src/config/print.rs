//! The settings as a commented TOML file.

use super::{ConfigError, Origin, Resolved, SETTINGS, Setting};

const HEAD: &str = "\
# Carrel's settings. A flag (--data-dir) wins over the environment (CARREL_DATA_DIR), which wins
# over this file, which wins over the default. Carrel reads the file named by --config or CARREL_CONFIG, else
# ./carrel.toml, else /etc/carrel/carrel.toml. `carrel config print` shows what applies and why.
";

impl Resolved {
    /// The file: each setting with its description, its value (secrets masked) and, if it is not the default, its
    /// origin.
    pub fn to_toml(&self) -> Result<String, ConfigError> {
        let entries: Result<Vec<String>, _> = SETTINGS.iter().map(|setting| self.entry(setting)).collect();
        Ok(format!("{HEAD}{}", entries?.concat()))
    }

    fn entry(&self, setting: &'static Setting) -> Result<String, ConfigError> {
        let (text, origin) = self.text(setting.name);
        let value = (setting.render)(text).map_err(|expected| ConfigError::BadValue {
            name: setting.name,
            origin: origin.clone(),
            expected,
        })?;
        let doc: String = setting.doc.iter().map(|line| format!("#{line}\n")).collect();
        let origin = match origin {
            Origin::Default => String::new(),
            origin => format!(" # {origin}"),
        };
        Ok(format!("\n{doc}{} = {value}{origin}\n", setting.name))
    }
}
