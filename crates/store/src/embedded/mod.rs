//! The embedded PostgreSQL: a server of Carrel's own, private to its data directory.
//!
//! Without a database URL, Carrel runs PostgreSQL itself. [`Embedded::start`] finds the server
//! programs on the machine, creates a cluster in `<data>/postgres` the first time, fits its settings
//! to the machine, starts it on a Unix socket only Carrel can reach, and keeps it running until
//! [`Embedded::stop`]. What lies where:
//!
//! | path | what |
//! | --- | --- |
//! | `<data>/carrel.lock` | held while a Carrel uses the directory, with its process id |
//! | `<data>/postgres/` | the cluster, owned by the account that PostgreSQL runs as |
//! | `<data>/postgres/carrel.conf` | Carrel's settings, rewritten at each start |
//! | `<data>/postgres.lock` | held while any process of the server lives (see [`leftovers`]) |
//! | `<data>/postgres.log` | what the server says, the last 32 MiB and the 32 before them |
//! | `<data>/run/` | the socket; elsewhere when that path is too long for one (see [`socket`]) |
//!
//! Calls here block; from asynchronous code they belong in `spawn_blocking`.

mod account;
mod cluster;
mod environment;
mod error;
mod leftovers;
mod lock;
mod log;
pub(crate) mod machine;
mod programs;
mod server;
mod socket;
mod supervisor;
mod tuning;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::EmbeddedError;
pub use programs::OLDEST_VERSION;

use account::Account;
use cluster::Cluster;
use lock::DataLock;
use programs::Programs;
use server::Server;
use socket::SocketDir;
use supervisor::Supervisor;

/// The database role and the database that Carrel uses in its own cluster.
const ROLE: &str = "carrel";
/// PostgreSQL names its socket after a port, also when it listens on none.
const PORT: u16 = 5432;

/// How to run the embedded server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Carrel's data directory; created when it is missing.
    pub data_dir: PathBuf,
    /// Where the server programs (`postgres`, `initdb`) are; looked for when `None`.
    pub programs_dir: Option<PathBuf>,
    /// The account PostgreSQL runs as when Carrel is root. `None`: the owner of the cluster,
    /// else `postgres`, else `nobody`.
    pub account: Option<String>,
    /// Connections PostgreSQL accepts; a few more are kept for an administrator.
    pub max_connections: u32,
    /// Bytes of memory to plan with. `None`: what the machine or the container has.
    pub memory: Option<u64>,
    /// Whether a commit waits for the disk. Off only for throw-away clusters of tests:
    /// a crash of the machine then corrupts the cluster.
    pub fsync: bool,
    /// How long a start may go without a sign of progress.
    pub start_timeout: Duration,
    /// How long a clean stop may take before the server is stopped without a checkpoint.
    pub stop_timeout: Duration,
}

impl Settings {
    /// The settings of a server in production, for one data directory.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            programs_dir: None,
            account: None,
            max_connections: 100,
            memory: None,
            fsync: true,
            start_timeout: Duration::from_secs(60),
            stop_timeout: Duration::from_secs(30),
        }
    }
}

/// A running PostgreSQL server; dropping it stops the server.
#[derive(Debug)]
pub struct Embedded {
    // Declared in the order they have to go: the server, its socket, the right to the directory.
    supervisor: Supervisor,
    socket: SocketDir,
    _lock: DataLock,
    version: String,
}

impl Embedded {
    /// Starts the server of a data directory and returns when it accepts connections.
    ///
    /// Creates the cluster the first time. Whatever an earlier run left behind is cleared first: a
    /// stale lock file is removed, a server that outlived its Carrel is stopped cleanly, and crash
    /// recovery is waited for.
    ///
    /// # Errors
    ///
    /// Every [`EmbeddedError`] says what a person can do about it.
    pub fn start(settings: &Settings) -> Result<Self, EmbeddedError> {
        let lock = DataLock::take(&settings.data_dir)?;
        let data_dir = lock.data_dir();
        let cluster = Cluster::in_data_dir(data_dir)?;
        let account = Account::choose(settings.account.as_deref(), cluster.owner())?;
        let programs = Programs::find(settings.programs_dir.as_deref(), &cluster)?;
        account.reach(data_dir)?;
        if cluster.version().is_none() {
            cluster.create(&programs, &account, settings.fsync)?;
        }
        cluster.hand_over(&account)?;
        let socket = SocketDir::prepare(data_dir, &account)?;
        let plan = tuning::Plan::for_start(settings, &programs, &cluster, &account);
        cluster.configure(&account, &plan)?;

        let version = programs.version().to_owned();
        let server = Server::new(
            settings,
            programs,
            account,
            cluster,
            data_dir,
            socket.path(),
        );
        let supervisor = Supervisor::start(server)?;
        tracing::info!(version, data_dir = %data_dir.display(), "PostgreSQL is ready");
        Ok(Self {
            supervisor,
            socket,
            _lock: lock,
            version,
        })
    }

    /// How to connect: the socket, the role and the database.
    pub fn connection_config(&self) -> tokio_postgres::Config {
        connection_at(self.socket.path())
    }

    /// How to connect to the server of a data directory that another Carrel runs.
    pub fn beside(data_dir: &Path) -> tokio_postgres::Config {
        let data_dir = std::fs::canonicalize(data_dir).unwrap_or_else(|_| data_dir.to_owned());
        connection_at(&socket::place(&data_dir))
    }

    /// The directory of the server's socket, for `psql -h DIR -U carrel`.
    pub fn socket_dir(&self) -> &Path {
        self.socket.path()
    }

    /// The version of the server, as PostgreSQL writes it (`15.18`).
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The server's process id; `None` while it is being restarted and after [`Embedded::stop`].
    pub fn process_id(&self) -> Option<u32> {
        self.supervisor.process_id()
    }

    /// Stops the server: cleanly, or without a checkpoint when that takes longer than
    /// [`Settings::stop_timeout`] (the next start then recovers). A second call does nothing.
    pub fn stop(&self) {
        self.supervisor.stop();
    }
}

fn connection_at(socket_dir: &Path) -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config
        .host_path(socket_dir)
        .port(PORT)
        .user(ROLE)
        .dbname(ROLE)
        .application_name("carrel");
    config
}

#[cfg(test)]
mod tests;
