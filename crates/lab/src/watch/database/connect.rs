//! The connection to the database.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::{Client, Config, NoTls, config::Host, config::SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::with_causes;

/// The database's address. Its password is never shown.
pub struct Address {
    config: Config,
}

impl Address {
    /// Parses `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. With `?sslmode=require` or `verify-full` the connection is
    /// encrypted and the server's certificate verified; otherwise it is not encrypted.
    ///
    /// # Errors
    /// The address is invalid; the message does not repeat it.
    pub fn parse(url: &str) -> Result<Self, String> {
        let url = url.replace("sslmode=verify-full", "sslmode=require");
        let mut config: Config = url
            .parse()
            .map_err(|_| "the database's address looks like postgres://USER:PASSWORD@HOST:5432/DATABASE".to_owned())?;
        config.application_name("carrel lab");
        if config.get_ssl_mode() != SslMode::Require {
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self { config })
    }

    /// Host and port, for messages.
    pub fn place(&self) -> String {
        match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => format!("{host}:{}", self.port()),
            Some(Host::Unix(path)) => path.display().to_string(),
            None => format!("localhost:{}", self.port()),
        }
    }

    /// Its port, if it listens on one on this machine.
    pub(crate) fn port_here(&self) -> Option<u16> {
        let here = match self.config.get_hosts().first() {
            Some(Host::Tcp(host)) => host == "localhost" || host == "::1" || host.starts_with("127."),
            Some(Host::Unix(_)) => false,
            None => true,
        };
        here.then(|| self.port())
    }

    fn port(&self) -> u16 {
        self.config.get_ports().first().copied().unwrap_or(5432)
    }

    /// Opens a connection, driven by its own task.
    ///
    /// # Errors
    /// The server is unreachable or refuses; as a message.
    pub(super) async fn connect(&self) -> Result<Client, String> {
        if self.config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = self.config.connect(NoTls).await.map_err(|error| with_causes(&error))?;
            tokio::spawn(connection);
            return Ok(client);
        }
        let (client, connection) = self.config.connect(tls()?).await.map_err(|error| with_causes(&error))?;
        tokio::spawn(connection);
        Ok(client)
    }
}

/// Trusts the machine's certificate authorities (`SSL_CERT_FILE` names others).
fn tls() -> Result<MakeRustlsConnect, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_its_place_without_the_password() {
        for (url, place, port) in [
            ("postgres://me:secret@db.example:6432/x", "db.example:6432", None),
            ("postgres://me@localhost/x", "localhost:5432", Some(5432)),
            ("postgres://127.0.0.1:5433/x?sslmode=verify-full", "127.0.0.1:5433", Some(5433)),
            ("postgres://carrel@%2Fvar%2Flib%2Fcarrel%2Frun/carrel", "/var/lib/carrel/run", None),
        ] {
            let address = Address::parse(url).expect(url);
            assert_eq!((address.place().as_str(), address.port_here()), (place, port), "{url}");
        }
        for url in ["secret", "mysql://me:secret@db/x", "postgres://me:secret@db:port/x"] {
            let error = Address::parse(url).err().expect("refused");
            assert!(!error.contains("secret") && error.contains("postgres://USER"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_missing_database_is_reported_once_and_stops_nothing() {
        use crate::watch::{Notes, Sampler, database::Database};
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let address = Address::parse(&format!("postgres://me:secret@127.0.0.1:{port}/x")).expect("an address");
        let notes = Notes::default();
        let mut database = Database::new(address, notes.clone());
        for _ in 0..2 {
            assert!(database.sample().await.is_empty());
        }
        let warnings = notes.found().warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("could not be watched") && !warnings[0].contains("secret"), "{warnings:?}");
    }
}
