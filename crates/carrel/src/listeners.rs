//! The ports, bound before anything slow begins, so that a taken port is noticed at once.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::config::Config;

/// How often a port that is taken is tried again, and after how long.
const TRIES: u32 = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct Listeners {
    pub folio: TcpListener,
    pub staff: TcpListener,
    /// The archives' API, if it is served.
    pub archives: Option<TcpListener>,
    /// Self-checks, if they are served.
    pub sip2: Option<TcpListener>,
}

/// Which addresses of ports that can be left out nobody configured.
#[derive(Debug, Clone, Copy)]
pub struct ByDefault {
    pub archives: bool,
    pub sip2: bool,
}

/// Why a port cannot be bound.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another program has it.
    #[error(
        "port {} is taken: another program, perhaps another Carrel or an Okapi, listens on \
         {address}. Find it with `ss -ltnp 'sport = :{}'` (`lsof -i :{}` on macOS) and stop it, or \
         choose another address with --{flag} (the setting `{setting}`).",
        .address.port(), .address.port(), .address.port(),
        flag = .setting.replace('_', "-")
    )]
    Taken {
        /// The setting with the address.
        setting: &'static str,
        address: SocketAddr,
    },
    /// The system forbids it, or the address is not this machine's.
    #[error("cannot listen on {address} (the setting `{setting}`): {source}")]
    Refused {
        /// The setting with the address.
        setting: &'static str,
        address: SocketAddr,
        source: std::io::Error,
    },
}

impl Listeners {
    /// Binds the ports. If the port of the archives or of SIP2 is taken but was not configured explicitly, it is left
    /// out.
    pub async fn bind(config: &Config, by_default: ByDefault) -> Result<Self, ListenError> {
        Ok(Self {
            archives: optional("archives_listen", config.archives_listen, by_default.archives).await?,
            sip2: optional("sip2_listen", config.sip2_listen, by_default.sip2).await?,
            folio: listen("folio_listen", config.folio_listen).await?,
            staff: listen("staff_listen", config.staff_listen).await?,
        })
    }
}

/// The listener of a port that can be left out.
async fn optional(
    setting: &'static str,
    address: Option<SocketAddr>,
    by_default: bool,
) -> Result<Option<TcpListener>, ListenError> {
    let Some(address) = address else { return Ok(None) };
    match listen(setting, address).await {
        Err(error) if by_default => {
            tracing::warn!(%error, "this port is not served");
            Ok(None)
        }
        bound => bound.map(Some),
    }
}

/// A port that is taken is tried again for a second: a Carrel that was killed a moment ago still has it.
async fn listen(setting: &'static str, address: SocketAddr) -> Result<TcpListener, ListenError> {
    let mut tries = 0;
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse && tries < TRIES => tries += 1,
            Err(error) if error.kind() == ErrorKind::AddrInUse => return Err(ListenError::Taken { setting, address }),
            Err(source) => return Err(ListenError::Refused { setting, address, source }),
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_port_that_can_be_left_out_stops_carrel_only_if_configured() {
        let holder = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut config = Config::from_resolved(&crate::config::Resolved::defaults()).expect("sound");
        let free = "127.0.0.1:0".parse().expect("an address");
        (config.folio_listen, config.staff_listen) = (free, free);
        config.archives_listen = Some(holder.local_addr().expect("its address"));
        config.sip2_listen = config.archives_listen;
        let (unasked, asked) = (ByDefault { archives: true, sip2: true }, ByDefault { archives: true, sip2: false });
        let by_default = Listeners::bind(&config, unasked).await.expect("the others");
        assert!(by_default.sip2.is_none() && by_default.archives.is_none());
        let error = Listeners::bind(&config, asked).await.expect_err("it is taken");
        assert!(error.to_string().contains("--sip2-listen"), "{error}");
        config.sip2_listen = None;
        let off = Listeners::bind(&config, asked).await.expect("the others");
        assert!(off.sip2.is_none());
    }

    #[tokio::test]
    async fn a_port_that_gets_free_in_a_moment_is_waited_for() {
        let holder = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = holder.local_addr().expect("its address");
        let (bound, ()) = tokio::join!(biased; listen("folio_listen", address), async { drop(holder) });
        assert_eq!(bound.expect("the port").local_addr().expect("its address"), address);
    }

    #[tokio::test]
    async fn a_taken_port_is_named_with_its_setting() {
        let holder = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = holder.local_addr().expect("its address");
        let error = listen("staff_listen", address).await.expect_err("it is taken").to_string();
        for part in [&address.port().to_string(), "staff_listen", "--staff-listen", "ss -ltnp"] {
            assert!(error.contains(part), "{error}");
        }
        let elsewhere = "192.0.2.1:9130".parse().expect("an address");
        let error = listen("folio_listen", elsewhere).await.expect_err("not ours").to_string();
        assert!(error.contains("192.0.2.1:9130") && error.contains("folio_listen"), "{error}");
    }
}
