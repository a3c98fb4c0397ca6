//! The embedded PostgreSQL: Carrel's own server, private to its data directory.
//!
//! Without a database URL, Carrel runs PostgreSQL itself. [`Embedded::start`] finds the server programs on the machine,
//! creates a cluster in `<data>/postgres` the first time, adapts its settings to the machine, starts it on a Unix
//! socket that only Carrel can reach, and keeps it running until [`Embedded::stop`]. Files:
//!
//! | path | content |
//! | --- | --- |
//! | `<data>/carrel.lock` | held while a Carrel uses the directory, with its process id |
//! | `<data>/postgres/` | the cluster, owned by the account that PostgreSQL runs as |
//! | `<data>/postgres/carrel.conf` | Carrel's settings, rewritten at each start |
//! | `<data>/postgres.lock` | held while any process of the server lives (see [`leftovers`]) |
//! | `<data>/postgres.log` | the server's log, in two files of at most about 32 MiB |
//! | `<data>/run/` | the socket; elsewhere if that path is too long for one (see [`socket`]) |
//!
//! These functions block; asynchronous code should call them in `spawn_blocking`.

mod account;
mod cluster;
mod environment;
mod error;
mod leftovers;
mod lock;
mod log;
pub(crate) mod machine;
mod poll;
mod programs;
mod server;
mod socket;
mod supervisor;
mod tuning;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::EmbeddedError;
pub use lock::make_folder;

use account::Account;
use cluster::Cluster;
use lock::DataLock;
use programs::Programs;
use server::Server;
use socket::SocketDir;
use supervisor::Supervisor;

/// The oldest major version of PostgreSQL that Carrel supports.
pub const OLDEST_VERSION: u32 = 15;

/// The role and database that Carrel uses in its own cluster.
const ROLE: &str = "carrel";
/// PostgreSQL names its socket after a port, even when it does not listen on one.
const PORT: u16 = 5432;

/// How to run the embedded server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Carrel's data directory; created if missing.
    pub data_dir: PathBuf,
    /// Directory of the server programs (`postgres`, `initdb`); `None` searches the usual places.
    pub programs_dir: Option<PathBuf>,
    /// The account PostgreSQL runs as if Carrel runs as root. `None`: the owner of the cluster, else `postgres`, else
    /// `nobody`.
    pub account: Option<String>,
    /// Maximum number of connections; a few more are reserved for an administrator.
    pub max_connections: u32,
    /// Memory in bytes to plan with. `None`: that of the machine or container.
    pub memory: Option<u64>,
    /// Whether a commit waits for the disk. Only test clusters turn it off: a crash of the machine then corrupts the
    /// cluster.
    pub fsync: bool,
    /// How long a start may go without a sign of progress.
    pub start_timeout: Duration,
    /// Time for a clean stop, after which the server is stopped without a checkpoint.
    pub stop_timeout: Duration,
}

impl Settings {
    /// Production settings for a data directory.
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
    // Fields are dropped in order: first the server, then its socket, then the lock.
    supervisor: Supervisor,
    socket: SocketDir,
    _lock: DataLock,
    version: String,
}

impl Embedded {
    /// Starts the server of a data directory and returns when it accepts connections.
    ///
    /// Creates the cluster the first time. Cleans up after an earlier run first: removes stale lock files, stops a
    /// surviving server cleanly, and waits for crash recovery.
    ///
    /// # Errors
    ///
    /// Every [`EmbeddedError`] says what to do about it.
    pub fn start(settings: &Settings) -> Result<Self, EmbeddedError> {
        let lock = DataLock::take(&settings.data_dir)?;
        let data_dir = lock.data_dir();
        let cluster = Cluster::in_data_dir(data_dir)?;
        let account = Account::choose(settings.account.as_deref(), cluster.owner())?;
        let programs = Programs::find(settings.programs_dir.as_deref(), cluster.existing())?;
        account.reach(data_dir)?;
        if cluster.version().is_none() {
            cluster.create(&programs, &account, settings.fsync)?;
        }
        cluster.hand_over(&account)?;
        let socket = SocketDir::prepare(data_dir, &account)?;
        let plan = tuning::Plan::for_start(settings, &programs, &cluster, &account);
        cluster.configure(&account, &plan.text())?;

        let version = programs.version().to_owned();
        let server = Server::new(settings, programs, account, cluster, data_dir, socket.path());
        let supervisor = Supervisor::start(server)?;
        tracing::info!(version, data_dir = %data_dir.display(), "PostgreSQL is ready");
        Ok(Self { supervisor, socket, _lock: lock, version })
    }

    /// Connection settings: socket, role and database.
    pub fn connection_config(&self) -> tokio_postgres::Config {
        connection_at(self.socket.path())
    }

    /// Connection settings for the server of a data directory that another Carrel runs.
    pub fn beside(data_dir: &Path) -> tokio_postgres::Config {
        let data_dir = std::fs::canonicalize(data_dir).unwrap_or_else(|_| data_dir.to_owned());
        connection_at(&socket::place(&data_dir))
    }

    /// The directory of the server's socket, for `psql -h DIR -U carrel`.
    pub fn socket_dir(&self) -> &Path {
        self.socket.path()
    }

    /// The version of the server, in PostgreSQL's form (`15.18`).
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The server's process id; `None` during a restart and after [`Embedded::stop`].
    pub fn process_id(&self) -> Option<u32> {
        self.supervisor.process_id()
    }

    /// Stops the server: cleanly, or without a checkpoint if that takes longer than [`Settings::stop_timeout`] (the
    /// next start then recovers). A second call does nothing.
    pub fn stop(&self) {
        self.supervisor.stop();
    }
}

fn connection_at(socket_dir: &Path) -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config.host_path(socket_dir).port(PORT).user(ROLE).dbname(ROLE).application_name("carrel");
    config
}

#[cfg(test)]
mod tests;
