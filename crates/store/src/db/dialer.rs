//! Opens connections to a server, or to the servers of a cluster in turn, so that a frozen or missing server delays the
//! others only briefly.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use deadpool_postgres::Connect;
use futures_util::{StreamExt, stream};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    task::JoinHandle,
    time::timeout,
};
use tokio_postgres::{
    AsyncMessage, Client, Config, Connection, Error, NoTls,
    config::{Host, LoadBalanceHosts, TargetSessionAttrs},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{
    error::with_causes,
    snapshot::{NOTICE, Snapshot},
};

/// Time limit for one server while there are others to try.
const PER_SERVER: Duration = Duration::from_secs(3);

/// A client, and the task that drives its connection.
type Connected = (Client, JoinHandle<()>);

/// The server that accepted the last connection: a primary usually stays the same for months.
pub(super) type LastServer = Arc<AtomicUsize>;

pub(super) struct Dialer {
    tls: Option<MakeRustlsConnect>,
    last: LastServer,
    /// Learns of changes that these connections make.
    snapshot: Option<Arc<Snapshot>>,
}

impl Dialer {
    pub fn new(tls: Option<MakeRustlsConnect>, last: LastServer) -> Self {
        Self { tls, last, snapshot: None }
    }

    /// Reports changes of near-static records to the snapshot.
    pub(crate) fn reporting_to(self, snapshot: Arc<Snapshot>) -> Self {
        Self { snapshot: Some(snapshot), ..self }
    }

    /// Connects to the first server that accepts.
    pub(crate) async fn dial(&self, config: &Config) -> Result<Connected, Error> {
        let servers = each_server(config);
        // If any server will do, the order in the URL states the preference.
        let first = match config.get_target_session_attrs() {
            TargetSessionAttrs::ReadWrite => self.last.load(Ordering::Relaxed),
            _ => 0,
        };
        for turn in 1..servers.len() {
            let at = (first + turn - 1) % servers.len();
            if let Ok(Ok(connected)) = timeout(PER_SERVER, self.open(&servers[at])).await {
                self.last.store(at, Ordering::Relaxed);
                return Ok(connected);
            }
        }
        let at = (first + servers.len() - 1) % servers.len();
        let connected = self.open(&servers[at]).await?;
        self.last.store(at, Ordering::Relaxed);
        Ok(connected)
    }

    async fn open(&self, config: &Config) -> Result<Connected, Error> {
        match &self.tls {
            Some(tls) => {
                let (client, connection) = config.connect(tls.clone()).await?;
                Ok((client, tokio::spawn(drive(connection, self.snapshot.clone()))))
            }
            None => {
                let (client, connection) = config.connect(NoTls).await?;
                Ok((client, tokio::spawn(drive(connection, self.snapshot.clone()))))
            }
        }
    }
}

impl Connect for Dialer {
    fn connect(&self, config: &Config) -> Pin<Box<dyn Future<Output = Result<Connected, Error>> + Send + '_>> {
        let config = config.clone();
        Box::pin(async move { self.dial(&config).await })
    }
}

/// Sends and receives. A notice is handled before the answer of its statement, which comes after it.
async fn drive<S, T>(mut connection: Connection<S, T>, snapshot: Option<Arc<Snapshot>>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let mut messages = stream::poll_fn(move |cx| connection.poll_message(cx));
    while let Some(message) = messages.next().await {
        match (message, &snapshot) {
            (Ok(AsyncMessage::Notice(notice)), Some(snapshot)) if notice.message() == NOTICE => snapshot.notice(),
            (Ok(_), _) => {}
            (Err(error), _) => {
                let error = with_causes(&error);
                tracing::warn!(error, "a connection to the database was lost");
                return;
            }
        }
    }
}

/// One configuration per server of a cluster. The driver by itself goes on to the next server only after a refusal.
fn each_server(config: &Config) -> Vec<Config> {
    let hosts = config.get_hosts();
    let is_plain = config.get_hostaddrs().is_empty() && config.get_load_balance_hosts() == LoadBalanceHosts::Disable;
    if hosts.len() < 2 || !is_plain {
        return vec![config.clone()];
    }
    let ports = config.get_ports();
    let server = |(at, host): (usize, &Host)| {
        let mut server = without_hosts(config);
        match host {
            Host::Tcp(name) => server.host(name),
            Host::Unix(path) => server.host_path(path),
        };
        if let Some(port) = ports.get(at).or(ports.first()) {
            server.port(*port);
        }
        server
    };
    hosts.iter().enumerate().map(server).collect()
}

/// Copies everything except hosts and ports, which the driver's configuration cannot remove.
fn without_hosts(config: &Config) -> Config {
    let mut copy = Config::new();
    copy.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    config.get_user().map(|user| copy.user(user));
    config.get_password().map(|secret| copy.password(secret));
    config.get_dbname().map(|name| copy.dbname(name));
    config.get_options().map(|options| copy.options(options));
    config.get_application_name().map(|name| copy.application_name(name));
    config.get_connect_timeout().map(|time| copy.connect_timeout(*time));
    config.get_tcp_user_timeout().map(|time| copy.tcp_user_timeout(*time));
    config.get_keepalives_interval().map(|time| copy.keepalives_interval(time));
    config.get_keepalives_retries().map(|times| copy.keepalives_retries(times));
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_of_a_cluster_gets_all_settings_of_the_url() {
        let url = "postgres://carrel:secret@one:5433,two/library?target_session_attrs=read-write&connect_timeout=3\
                   &keepalives_idle=9&keepalives_interval=2&keepalives_retries=5&tcp_user_timeout=7\
                   &application_name=x&options=-cjit%3Doff&sslmode=require&channel_binding=disable";
        let config: Config = url.parse().expect("valid");
        let single = |host: &str| -> Config { url.replace("one:5433,two", host).parse().expect("valid") };
        let expected = vec![single("one:5433"), single("two:5432")];
        assert_eq!(each_server(&config), expected);
        assert_eq!(each_server(&expected[0]), expected[..1]);
    }
}
