//! The address of a database server: a URL from the configuration, or a local socket.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    dialer::{Dialer, LastServer},
    unchecked::AnyCertificate,
};

/// Time limit for connecting to one host.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);
/// A connection is lost when the other side has acknowledged nothing for this long.
const SILENCE: Duration = Duration::from_secs(20);
/// The driver's default when the URL sets nothing.
const DEFAULT_KEEPALIVES_IDLE: Duration = Duration::from_secs(2 * 60 * 60);

#[derive(Clone)]
pub struct Address {
    pub(super) config: Config,
    pub(super) tls: Option<MakeRustlsConnect>,
    last: LastServer,
    /// This process started the server, on this machine.
    pub(super) is_ours: bool,
}

/// Why a database URL cannot be used. Messages never repeat the URL, which may contain a password.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Not a PostgreSQL URL.
    #[error("it is not a PostgreSQL URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE ({0})")]
    Malformed(String),
    /// An unknown or unsupported `sslmode`.
    #[error(
        "its sslmode={0} is not offered; use disable, prefer, require (encrypted, the certificate \
         is not checked) or verify-full (encrypted and checked)"
    )]
    UnknownMode(String),
    /// The file of certificate authorities is unusable.
    #[error("its sslrootcert, {}, cannot be used: {reason}", .path.display())]
    RootCertificates { path: PathBuf, reason: String },
    /// The system has no certificate authorities to verify the server with.
    #[error(
        "sslmode=verify-full needs certificate authorities, and the system has none: install \
         ca-certificates, or name a file in sslrootcert"
    )]
    NoAuthorities,
}

impl Address {
    /// An address used without encryption: a socket on this machine.
    pub fn plain(mut config: Config) -> Self {
        config.ssl_mode(SslMode::Disable);
        Self { config, tls: None, last: LastServer::default(), is_ours: false }
    }

    /// The socket of a server started by this process.
    pub fn ours(config: Config) -> Self {
        Self { is_ours: true, ..Self::plain(config) }
    }

    /// Parses a URL. `sslmode` means what it means to PostgreSQL's own programs; `sslrootcert` names a PEM file and
    /// demands full verification whatever the mode.
    pub fn from_url(url: &str) -> Result<Self, AddressError> {
        let (url, parameters) = split_parameters(url);
        let mut config: Config =
            url.parse().map_err(|error: tokio_postgres::Error| AddressError::Malformed(error.to_string()))?;
        let (ssl_mode, check) = match parameters.mode.as_deref().unwrap_or("prefer") {
            "disable" => (SslMode::Disable, false),
            "prefer" => (SslMode::Prefer, false),
            "require" => (SslMode::Require, false),
            "verify-full" => (SslMode::Require, true),
            other => return Err(AddressError::UnknownMode(other.to_owned())),
        };
        notice_silence(&mut config);
        if ssl_mode == SslMode::Disable {
            return Ok(Self::plain(config));
        }
        let tls = match parameters.root_certificates {
            Some(path) => checked(authorities_in(Path::new(&path))?),
            None if check => checked(system_authorities()?),
            None => unchecked(),
        };
        config.ssl_mode(ssl_mode);
        Ok(Self { config, tls: Some(MakeRustlsConnect::new(tls)), last: LastServer::default(), is_ours: false })
    }

    /// Also accepts servers that are read-only.
    #[must_use]
    pub fn to_any_server(mut self) -> Self {
        self.config.target_session_attrs(TargetSessionAttrs::Any);
        self
    }

    /// Host and port of the server, or of all servers of a cluster, for messages.
    pub fn place(&self) -> String {
        let (hosts, ports) = (self.config.get_hosts(), self.config.get_ports());
        let place = |(at, host): (usize, &Host)| match host {
            Host::Tcp(name) => {
                let port = ports.get(at).or(ports.first()).unwrap_or(&5432);
                format!("{name}:{port}")
            }
            Host::Unix(path) => path.display().to_string(),
        };
        let places: Vec<_> = hosts.iter().enumerate().map(place).collect();
        match places.is_empty() {
            true => "localhost:5432".into(),
            false => places.join(", "),
        }
    }

    /// Opens a connection outside any pool, driven by its own task.
    ///
    /// # Errors
    /// The server is unreachable or refuses the connection.
    pub async fn connect(&self) -> Result<Client, tokio_postgres::Error> {
        let (client, _) = self.dialer().dial(&self.config).await?;
        Ok(client)
    }

    pub(super) fn dialer(&self) -> Dialer {
        Dialer::new(self.tls.clone(), self.last.clone())
    }
}

/// Detects a server that vanishes silently behind a network. Settings in the URL take precedence.
fn notice_silence(config: &mut Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_PATIENCE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    if config.get_keepalives_idle() == DEFAULT_KEEPALIVES_IDLE {
        config.keepalives_idle(SILENCE / 2);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(SILENCE / 8);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(4);
    }
}

#[derive(Default)]
struct TlsParameters {
    mode: Option<String>,
    root_certificates: Option<String>,
}

/// Removes the TLS parameters from the URL: the driver does not know all of them.
fn split_parameters(url: &str) -> (String, TlsParameters) {
    let Some((address, query)) = url.split_once('?') else {
        return (url.to_owned(), TlsParameters::default());
    };
    let mut ours = TlsParameters::default();
    let mut rest = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=') {
            Some(("sslmode", mode)) => ours.mode = Some(mode.to_owned()),
            Some(("sslrootcert", path)) => ours.root_certificates = Some(path.to_owned()),
            _ => rest.push(parameter),
        }
    }
    let url = match rest.is_empty() {
        true => address.to_owned(),
        false => format!("{address}?{}", rest.join("&")),
    };
    (url, ours)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn checked(authorities: RootCertStore) -> ClientConfig {
    builder().with_root_certificates(authorities).with_no_client_auth()
}

fn unchecked() -> ClientConfig {
    let provider = provider();
    builder()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate::new(provider)))
        .with_no_client_auth()
}

fn builder() -> rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier> {
    let builder = ClientConfig::builder_with_provider(provider());
    builder.with_safe_default_protocol_versions().expect("the provider supports the versions it comes with")
}

fn authorities_in(path: &Path) -> Result<RootCertStore, AddressError> {
    let refused = |reason: String| AddressError::RootCertificates { path: path.to_owned(), reason };
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| refused(error.to_string()))?;
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(certificates);
    if authorities.is_empty() {
        return Err(refused("it holds no certificate".into()));
    }
    Ok(authorities)
}

fn system_authorities() -> Result<RootCertStore, AddressError> {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    match authorities.is_empty() {
        true => Err(AddressError::NoAuthorities),
        false => Ok(authorities),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> String {
        Address::from_url(url).err().map_or_else(|| "accepted".into(), |error| error.to_string())
    }

    #[test]
    fn the_modes_are_those_of_postgresql() {
        let cases = [
            ("postgres://db/x", SslMode::Prefer, true),
            ("postgres://db/x?sslmode=disable", SslMode::Disable, false),
            ("postgres://db/x?sslmode=require", SslMode::Require, true),
            ("postgres://db/x?connect_timeout=3&sslmode=prefer", SslMode::Prefer, true),
        ];
        for (url, mode, encrypted) in cases {
            let address = Address::from_url(url).unwrap_or_else(|e| panic!("{url}: {e}"));
            assert_eq!(address.config.get_ssl_mode(), mode, "{url}");
            assert_eq!(address.tls.is_some(), encrypted, "{url}");
        }
        let kept = Address::from_url("postgres://db/x?connect_timeout=3&sslmode=prefer");
        let timeout = kept.ok().and_then(|a| a.config.get_connect_timeout().copied());
        assert_eq!(timeout, Some(std::time::Duration::from_secs(3)));
    }

    #[test]
    fn a_server_that_vanishes_is_noticed_in_seconds() {
        let of = |url| Address::from_url(url).expect("valid").config;
        let silent = of("postgres://db/x");
        assert_eq!(silent.get_connect_timeout(), Some(&CONNECT_PATIENCE));
        assert_eq!(silent.get_tcp_user_timeout(), Some(&SILENCE));
        assert!(silent.get_keepalives_idle() < SILENCE);
        let own = of("postgres://db/x?connect_timeout=3&tcp_user_timeout=7&keepalives_idle=9");
        assert_eq!(own.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(own.get_tcp_user_timeout(), Some(&Duration::from_secs(7)));
        assert_eq!(own.get_keepalives_idle(), Duration::from_secs(9));
    }

    #[test]
    fn a_bad_url_is_explained_without_repeating_it() {
        for url in ["hunter2", "mysql://u:hunter2@db/x", "postgres://u:hunter2@db:port/x"] {
            let refusal = refusal(url);
            assert!(refusal.contains("postgres://USER"), "{refusal}");
            assert!(!refusal.contains("hunter2"), "{refusal}");
        }
        assert!(refusal("postgres://db/x?sslmode=verify-ca").contains("verify-full"));
        let no_file = refusal("postgres://db/x?sslmode=verify-full&sslrootcert=/no/such.pem");
        assert!(no_file.contains("/no/such.pem"), "{no_file}");
    }

    #[test]
    fn messages_name_the_place_but_no_password() {
        let place = |url| Address::from_url(url).expect("valid").place();
        assert_eq!(place("postgres://u:hunter2@db.example:6432/x"), "db.example:6432");
        assert_eq!(place("postgres://u@db.example/x"), "db.example:5432");
        assert_eq!(
            place("postgres://u:hunter2@one:5433,two:5434/x?target_session_attrs=read-write"),
            "one:5433, two:5434"
        );
        assert_eq!(place("postgres://u@one,two:5434/x"), "one:5432, two:5434");
    }
}
