//! The log: on standard error, as text or as JSON.

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Starts the log as configured.
pub fn start(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::builder()
        .parse(&config.log_level)
        .with_context(|| format!("the setting `log_level` ({}) cannot be used", config.log_level))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.log_format {
        LogFormat::Json => log.json().flatten_event(true).init(),
        LogFormat::Text => {
            use std::io::IsTerminal;
            log.with_ansi(std::io::stderr().is_terminal()).with_target(false).init();
        }
    }
    Ok(())
}
