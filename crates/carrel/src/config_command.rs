//! `carrel config`: shows the settings.

use std::io::Write;

use crate::cli::ConfigCommand;
use crate::config::{Config, Resolved, SettingFlags};

/// Prints the current settings, or the defaults.
pub fn run(flags: &SettingFlags, command: &ConfigCommand) -> anyhow::Result<()> {
    let resolved = match command {
        ConfigCommand::Print => Config::load(flags)?.1,
        ConfigCommand::Default => Resolved::defaults(),
    };
    // A reader may close the pipe early.
    let _ = std::io::stdout().write_all(resolved.to_toml()?.as_bytes());
    Ok(())
}
