//! The settings of self-checks.

use std::time::Duration;

use anyhow::{Context, bail};
use self_check::{Settings, TenantTable};
use sip2::{Dialect, Encoding, Ending};

use crate::config::Config;

/// The settings of self-checks, with at most `terminals` connections.
pub fn settings(config: &Config, terminals: usize) -> anyhow::Result<Settings> {
    let Some(encoding) = Encoding::named(&config.sip2_charset) else {
        bail!("the setting `sip2_charset` is {}: one of UTF-8, IBM850, ISO-8859-1 is expected", config.sip2_charset);
    };
    let ending = match config.sip2_line_end.as_deref() {
        None => None,
        Some("CR") => Some(Ending::Cr),
        Some("CRLF") => Some(Ending::CrLf),
        Some(other) => {
            bail!("the setting `sip2_line_end` is {other}: one of CR, CRLF or nothing is expected")
        }
    };
    let tenants = match &config.sip2_tenants {
        None => TenantTable::default(),
        Some(file) => {
            let place = || format!("{} (the setting `sip2_tenants`)", file.display());
            let text = std::fs::read_to_string(file).with_context(place)?;
            TenantTable::read(&text).with_context(place)?
        }
    };
    Ok(Settings {
        tenant: config.sip2_tenant.clone(),
        tenants,
        dialect: Dialect { encoding, ending, ..Dialect::default() },
        terminals,
        idle: Duration::from_secs(config.sip2_idle_seconds),
        ..Settings::default()
    })
}
