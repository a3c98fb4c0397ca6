//! The ports, bound before anything slow begins, so that a taken port is noticed at once.

use std::io::ErrorKind;
use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::config::Config;

#[derive(Debug)]
pub struct Listeners {
    pub folio: TcpListener,
    pub staff: TcpListener,
    /// Self-checks, if they are served.
    pub sip2: Option<TcpListener>,
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
    /// Binds the ports. If the SIP2 port is taken but was not configured explicitly (`sip2_by_default`), self-checks
    /// are not served.
    pub async fn bind(config: &Config, sip2_by_default: bool) -> Result<Self, ListenError> {
        let sip2 = match config.sip2_listen {
            None => None,
            Some(address) => match listen("sip2_listen", address).await {
                Ok(listener) => Some(listener),
                Err(error) if sip2_by_default => {
                    tracing::warn!(%error, "self-checks are not served");
                    None
                }
                Err(error) => return Err(error),
            },
        };
        Ok(Self {
            folio: listen("folio_listen", config.folio_listen).await?,
            staff: listen("staff_listen", config.staff_listen).await?,
            sip2,
        })
    }
}

async fn listen(setting: &'static str, address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| match source.kind() {
        ErrorKind::AddrInUse => ListenError::Taken { setting, address },
        _ => ListenError::Refused { setting, address, source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_sip2_port_stops_carrel_only_if_configured() {
        let holder = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut config = Config::from_resolved(&crate::config::Resolved::defaults()).expect("sound");
        let free = "127.0.0.1:0".parse().expect("an address");
        (config.folio_listen, config.staff_listen) = (free, free);
        config.sip2_listen = Some(holder.local_addr().expect("its address"));
        let by_default = Listeners::bind(&config, true).await.expect("the others");
        assert!(by_default.sip2.is_none());
        let error = Listeners::bind(&config, false).await.expect_err("it is taken");
        assert!(error.to_string().contains("--sip2-listen"), "{error}");
        config.sip2_listen = None;
        let off = Listeners::bind(&config, false).await.expect("the others");
        assert!(off.sip2.is_none());
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
