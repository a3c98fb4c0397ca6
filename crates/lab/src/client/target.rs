//! The address of the measured server, and connecting to it.

use std::sync::Arc;

use bytes::BytesMut;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::{
    connection::{Connection, Stream},
    failure::Failure,
};

/// Why an address is invalid.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{url}: {reason}. An address looks like http://127.0.0.1:9130 or https://folio.example.org/okapi")]
pub struct BadAddress {
    url: String,
    reason: &'static str,
}

/// A server to measure.
#[derive(Clone)]
pub struct Target {
    host: String,
    port: u16,
    /// Prefix of every path, without a trailing slash.
    base: String,
    /// `host` header.
    authority: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

impl Target {
    /// Parses an address: `http` or `https`, a host, an optional port, and an optional path that prefixes all others.
    ///
    /// # Errors
    /// The address is invalid.
    pub fn parse(url: &str) -> Result<Self, BadAddress> {
        let bad = |reason| BadAddress { url: url.to_owned(), reason };
        let (scheme, rest) = url.split_once("://").ok_or_else(|| bad("http:// or https:// is missing"))?;
        let secure = match scheme {
            "http" => false,
            "https" => true,
            _ => return Err(bad("only http and https are spoken")),
        };
        let (authority, base) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        if authority.contains('@') {
            return Err(bad("the user and password do not belong there"));
        }
        if base.contains(['?', '#']) || base.contains(char::is_whitespace) {
            return Err(bad("a path may follow, no query"));
        }
        let (host, port) =
            split_port(authority, if secure { 443 } else { 80 }).ok_or_else(|| bad("the port is not a number"))?;
        if host.is_empty() || host.contains(char::is_whitespace) {
            return Err(bad("the host is missing"));
        }
        let name = || ServerName::try_from(host.clone()).map_err(|_| bad("the host is not a name"));
        let tls = if secure { Some((connector(known()), name()?)) } else { None };
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self { host, port, base, authority: authority.to_owned(), tls })
    }

    /// Trusts these certificate authorities instead of the machine's.
    pub fn trusting(mut self, roots: RootCertStore) -> Self {
        self.tls = self.tls.map(|(_, name)| (connector(roots), name));
        self
    }

    /// The `host` header.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Prefix of every path.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether its name means this machine.
    pub fn is_here(&self) -> bool {
        self.host == "localhost" || self.host == "::1" || self.host.starts_with("127.")
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// No server listens there, or the TLS handshake fails.
    pub async fn connect(&self) -> Result<Connection, Failure> {
        let address = (self.host.as_str(), self.port);
        let stream = TcpStream::connect(address).await.map_err(Failure::Connect)?;
        stream.set_nodelay(true).map_err(Failure::Connect)?;
        let stream = match &self.tls {
            None => Stream::Plain(stream),
            Some((connector, name)) => {
                let stream = connector.connect(name.clone(), stream).await;
                Stream::Tls(Box::new(stream.map_err(Failure::Tls)?))
            }
        };
        Ok(Connection { stream, buffer: BytesMut::with_capacity(16 << 10), open: true })
    }
}

/// `[::1]:80` has the host `::1`.
fn split_port(authority: &str, default: u16) -> Option<(String, u16)> {
    let plain = |host: &str| host.trim_matches(['[', ']']).to_owned();
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => Some((plain(host), port.parse().ok()?)),
        _ => Some((plain(authority), default)),
    }
}

/// The certificate authorities that this machine trusts (`SSL_CERT_FILE` names others).
fn known() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn connector(roots: RootCertStore) -> TlsConnector {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring speaks the usual versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.authority, self.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (url, host, port, base) in [
            ("http://127.0.0.1:9130", "127.0.0.1", 9130, ""),
            ("http://localhost/", "localhost", 80, ""),
            ("https://folio.example.org/okapi/", "folio.example.org", 443, "/okapi"),
            ("http://[::1]:8089/a", "::1", 8089, "/a"),
            ("http://[::1]", "::1", 80, ""),
        ] {
            let target = Target::parse(url).expect(url);
            assert_eq!((target.host.as_str(), target.port, target.base()), (host, port, base));
        }
    }

    #[test]
    fn invalid_addresses_are_refused_with_the_reason() {
        for (url, reason) in [
            ("localhost:9130", "missing"),
            ("ftp://localhost", "only http and https"),
            ("http://", "host is missing"),
            ("http://:80", "host is missing"),
            ("http://localhost:port", "not a number"),
            ("http://me:secret@localhost", "do not belong"),
            ("http://localhost/?x=1", "no query"),
        ] {
            let error = Target::parse(url).expect_err(url).to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
