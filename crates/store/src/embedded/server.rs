//! One run of the server: starting it, waiting until it is ready, and stopping it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::account::Account;
use super::cluster::Cluster;
use super::leftovers::Leftovers;
use super::log::ServerLog;
use super::programs::Programs;
use super::{EmbeddedError, PORT, Settings, machine, poll};

/// How often a long recovery is reported.
const REPORT: Duration = Duration::from_secs(2);
/// Time limit for a stop without a checkpoint.
const IMMEDIATE_STOP: Duration = Duration::from_secs(10);
/// What every PostgreSQL program prints for a full disk.
const NO_SPACE: &str = "No space left on device";
/// Free bytes below which no server can start.
const LEAST_SPACE: u64 = 1 << 20;
/// A program of util-linux that makes the kernel signal the child when its parent dies.
const SETPRIV: &str = "/usr/bin/setpriv";

/// The order to stop the server. A dropped sender has the same effect.
#[derive(Debug)]
pub(super) struct Stop;

/// Everything needed to start the server, any number of times.
#[derive(Debug)]
pub(super) struct Server {
    programs: Programs,
    account: Account,
    cluster: Cluster,
    socket_dir: PathBuf,
    leftovers: Leftovers,
    log: ServerLog,
    start_timeout: Duration,
    stop_timeout: Duration,
}

impl Server {
    pub fn new(
        settings: &Settings,
        programs: Programs,
        account: Account,
        cluster: Cluster,
        data_dir: &Path,
        socket_dir: &Path,
    ) -> Self {
        Self {
            leftovers: Leftovers::of(data_dir, cluster.dir(), socket_dir),
            programs,
            account,
            cluster,
            socket_dir: socket_dir.to_owned(),
            log: ServerLog::in_data_dir(data_dir),
            start_timeout: settings.start_timeout,
            stop_timeout: settings.stop_timeout,
        }
    }

    /// Cleans up after an earlier run, starts the server and waits until it is ready.
    ///
    /// The calling thread must live as long as the server: where `setpriv` exists, the kernel stops the server
    /// (cleanly) when that thread ends, even if Carrel is killed.
    pub(crate) fn launch(&self, orders: &Receiver<Stop>) -> Result<Child, EmbeddedError> {
        let lock = self.leftovers.clear(self.stop_timeout)?;
        let log_error = |e| EmbeddedError::file("write", self.log.path(), e);
        self.log.rotate_when_full().map_err(log_error)?;
        let from = self.log.length();
        let log = self.log.open().map_err(log_error)?;
        let mut command = self.command();
        command.stdin(lock).stdout(log.try_clone().map_err(log_error)?).stderr(log);
        let spawned = command.spawn();
        // From here on, only the server holds the lock.
        drop(command);
        let mut child =
            spawned.map_err(|source| EmbeddedError::CannotRun { program: self.programs.postgres(), source })?;
        match self.wait_until_ready(&mut child, from, orders) {
            Ok(()) => Ok(child),
            Err(error) => {
                self.stop(&mut child);
                Err(error)
            }
        }
    }

    /// Essential settings are on the command line, where no file can override them: no TCP, and only our socket.
    fn command(&self) -> Command {
        let postgres = self.programs.postgres();
        let mut command = if Path::new(SETPRIV).is_file() {
            let mut command = self.account.command(Path::new(SETPRIV));
            command.args(["--pdeathsig", "INT"]).arg(postgres);
            command
        } else {
            self.account.command(&postgres)
        };
        command
            .arg("-D")
            .arg(self.cluster.dir())
            .arg("-k")
            .arg(&self.socket_dir)
            .args(["-c", "listen_addresses=", "-p", &PORT.to_string()])
            .args(["-c", "unix_socket_permissions=0700"])
            .current_dir(self.cluster.dir())
            // Ctrl-C in a terminal goes to Carrel, which stops the server when it no longer needs it.
            .process_group(0);
        command
    }

    fn wait_until_ready(&self, child: &mut Child, from: u64, orders: &Receiver<Stop>) -> Result<(), EmbeddedError> {
        let began = Instant::now();
        let mut progress = Progress::new(began, from);
        loop {
            if is_ready(self.cluster.dir(), child.id()) {
                return Ok(());
            }
            if !matches!(child.try_wait(), Ok(None)) {
                return Err(self.start_failure(from));
            }
            let now = Instant::now();
            let quiet = progress.quiet_for(now, self.log.length());
            if quiet > self.start_timeout {
                return Err(EmbeddedError::StartTimeout {
                    seconds: quiet.as_secs(),
                    path: self.log.path().to_owned(),
                    log: self.log.tail(from),
                });
            }
            if progress.report_is_due(now) {
                let last = self.log.tail(from);
                let last = last.lines().last().unwrap_or_default();
                let seconds = began.elapsed().as_secs();
                tracing::info!(seconds, last, "waiting for PostgreSQL to be ready");
            }
            if !matches!(orders.recv_timeout(poll::POLL), Err(RecvTimeoutError::Timeout)) {
                return Err(EmbeddedError::Stopped);
            }
        }
    }

    fn start_failure(&self, from: u64) -> EmbeddedError {
        let log = self.log.tail(from);
        // On a full disk the log has no message about it either.
        let free = machine::free_space(self.cluster.dir());
        if log.contains(NO_SPACE) || free.is_some_and(|free| free < LEAST_SPACE) {
            return EmbeddedError::DiskFull { path: self.cluster.dir().to_owned() };
        }
        EmbeddedError::StartFailed { path: self.log.path().to_owned(), log }
    }

    /// Keeps the log small while the server runs.
    pub(crate) fn tend_log(&self) {
        if let Err(error) = self.log.rotate_when_full() {
            tracing::warn!(%error, "cannot set PostgreSQL's full log aside");
        }
    }

    /// The end of the log, for a message.
    pub(crate) fn log_tail(&self) -> String {
        self.log.tail(0)
    }

    /// Stops the server: cleanly, then without a checkpoint, then by force.
    pub fn stop(&self, child: &mut Child) {
        let steps =
            [(Signal::SIGINT, self.stop_timeout), (Signal::SIGQUIT, IMMEDIATE_STOP), (Signal::SIGKILL, IMMEDIATE_STOP)];
        for (signal, patience) in steps {
            // Not reaped yet, so the process id still belongs to this server.
            let ended = matches!(child.try_wait(), Ok(Some(_)));
            if ended || (send(child, signal) && ends_within(child, patience)) {
                break;
            }
            tracing::warn!(?signal, "PostgreSQL does not stop; trying harder");
        }
        if let Err(error) = self.leftovers.clear(IMMEDIATE_STOP) {
            tracing::error!(%error, "PostgreSQL left something behind");
        }
    }
}

/// The time since the server's last sign of life.
struct Progress {
    log_length: u64,
    changed: Instant,
    reported: Instant,
}

impl Progress {
    fn new(now: Instant, log_length: u64) -> Self {
        Self { log_length, changed: now, reported: now }
    }

    fn quiet_for(&mut self, now: Instant, log_length: u64) -> Duration {
        if log_length != self.log_length {
            self.log_length = log_length;
            self.changed = now;
        }
        now - self.changed
    }

    fn report_is_due(&mut self, now: Instant) -> bool {
        let due = now - self.reported >= REPORT;
        if due {
            self.reported = now;
        }
        due
    }
}

/// Whether the lock file of the server with this process id says that it accepts connections.
fn is_ready(cluster: &Path, process_id: u32) -> bool {
    let Ok(text) = std::fs::read_to_string(cluster.join("postmaster.pid")) else {
        return false;
    };
    let mut lines = text.lines().map(str::trim);
    lines.next().and_then(|pid| pid.parse().ok()) == Some(process_id) && lines.nth(6) == Some("ready")
}

fn send(child: &Child, signal: Signal) -> bool {
    let Ok(process_id) = i32::try_from(child.id()) else {
        return false;
    };
    kill(Pid::from_raw(process_id), signal).is_ok()
}

fn ends_within(child: &mut Child, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return true;
        }
        poll::pause();
    }
    false
}
