//! The messages when Carrel is ready: its addresses, and how to sign in.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;

use api::app::Settings;

use crate::listeners::Listeners;

/// Reports the addresses: in the log, and on a terminal as text.
pub fn announce(settings: &Settings, listeners: &Listeners) -> anyhow::Result<()> {
    if settings.allow_open_tenants {
        tracing::warn!("allow_open_tenants is on: tenants without mod-authtoken are open to everyone");
    }
    let version = env!("CARGO_PKG_VERSION");
    let folio = listeners.folio.local_addr()?;
    let staff = listeners.staff.local_addr()?;
    let sip2 = listeners.sip2.as_ref().map(|listener| listener.local_addr());
    let sip2 = sip2.transpose()?.map(|address| address.to_string());
    let archives = listeners.archives.as_ref().map(|listener| listener.local_addr()).transpose()?;
    let shown = archives.map(|address| address.to_string());
    tracing::info!(version, %folio, %staff, archives = shown, sip2, "Carrel is ready");
    if std::io::stdout().is_terminal() {
        // The terminal may have been closed.
        let _ = std::io::stdout().write_all(welcome(settings, folio, staff, archives).as_bytes());
    }
    Ok(())
}

fn welcome(settings: &Settings, folio: SocketAddr, staff: SocketAddr, archives: Option<SocketAddr>) -> String {
    let mut text =
        format!("\nCarrel is ready. Ctrl-C stops it.\n\n  Desk        {}\n  FOLIO API   {}\n", url(staff), url(folio));
    if let Some(archives) = archives {
        text.push_str(&format!("  Archives    {}\n", url(archives)));
    }
    if settings.sample_library {
        text.push_str(
            "  Sample      tenant diku, user diku_admin, password admin; in the archives user admin, password admin\n\n\
             The sample's passwords are publicly known: keep no real patrons in it.\n",
        );
    }
    text.push('\n');
    text
}

/// The URL of an address for a browser on this machine.
fn url(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_loopback() || ip.is_unspecified() => {
            format!("http://localhost:{}", address.port())
        }
        _ => format!("http://{address}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn welcomed(sample_library: bool, folio: &str) -> String {
        let settings = Settings { sample_library, ..Settings::default() };
        let address = |text: &str| text.parse().expect("an address");
        welcome(&settings, address(folio), address("127.0.0.1:8080"), Some(address("127.0.0.1:8089")))
    }

    #[test]
    fn the_welcome_shows_addresses_for_a_browser() {
        let text = welcomed(false, "0.0.0.0:9130");
        assert!(text.contains("http://localhost:8080\n") && text.contains("http://localhost:9130\n"));
        assert!(welcomed(false, "192.0.2.1:80").contains("http://192.0.2.1:80\n"));
    }

    #[test]
    fn the_sample_password_is_shown_as_insecure_and_only_with_the_sample() {
        assert!(welcomed(true, "127.0.0.1:9130").contains("password admin"));
        assert!(!welcomed(false, "127.0.0.1:9130").contains("password"));
    }
}
