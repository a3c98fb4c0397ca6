//! Why the embedded server cannot run, and what to do about it.

use std::path::PathBuf;

use super::OLDEST_VERSION;

/// Why the embedded PostgreSQL does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// The server programs were not found in any place searched.
    #[error(
        "the PostgreSQL server programs (postgres, initdb) were not found in {}.\n\
         Install version {OLDEST_VERSION} or later: `apt install postgresql` on Debian and Ubuntu, \
         `dnf install postgresql-server postgresql-contrib` on Fedora and Red Hat, \
         `apk add postgresql postgresql-contrib` on Alpine, \
         `brew install postgresql@17` on macOS. \
         If they are elsewhere, name their folder in postgres_bin_dir; \
         to use a server of your own instead, set database_url.",
        .searched.join(", ")
    )]
    ProgramsNotFound { searched: Vec<String> },

    /// All server programs found are too old.
    #[error(
        "PostgreSQL {found} in {} is too old: Carrel needs version {OLDEST_VERSION} or later. \
         Install a newer one beside it (Debian and Ubuntu: `apt install postgresql-{OLDEST_VERSION}`) \
         or name its folder in postgres_bin_dir.",
        .dir.display()
    )]
    TooOld {
        /// The newest version found.
        found: String,
        dir: PathBuf,
    },

    /// The cluster needs another major version than those installed.
    #[error(
        "the database in {} was made by PostgreSQL {cluster}, but the programs found here are of \
         version {found}. Install PostgreSQL {cluster} again (Debian and Ubuntu: \
         `apt install postgresql-{cluster}`), or bring the database to the version you have with \
         pg_upgrade, whose page in the PostgreSQL manual has the steps.",
        .dir.display()
    )]
    OtherMajorVersion { cluster: u32, found: String, dir: PathBuf },

    /// The cluster's path exists but holds no cluster.
    #[error(
        "{} exists but is not a PostgreSQL database (it has no readable PG_VERSION file). \
         Restore it from a backup, or move it away and Carrel creates an empty one.",
        .dir.display()
    )]
    NotACluster { dir: PathBuf },

    /// Another Carrel holds the data directory.
    #[error(
        "the data directory {} is in use by another Carrel{}. \
         Stop that one first, or give this one a data_dir of its own.",
        .data_dir.display(),
        .process_id.map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    InUse {
        data_dir: PathBuf,
        /// The process that holds it, if known.
        process_id: Option<u32>,
    },

    /// Reading or writing in the data directory failed.
    #[error(
        "cannot {action} {}: {source}. Carrel's data_dir has to be a folder that the account \
         Carrel runs as may write to.",
        .path.display()
    )]
    NotWritable {
        /// What was attempted, as a verb.
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },

    /// The disk is full.
    #[error(
        "the disk of {} is full: PostgreSQL cannot run without free space. \
         Free some; nothing that was confirmed is lost.",
        .path.display()
    )]
    DiskFull {
        /// The directory on that disk.
        path: PathBuf,
    },

    /// The cluster belongs to another account, and Carrel cannot change that.
    #[error(
        "the database in {} belongs to the account {owner}, but Carrel runs as {own}. \
         Start Carrel as {owner} or as root, or give the folder away: `chown -R {own} {}`.",
        .dir.display(), .dir.display()
    )]
    ForeignCluster {
        dir: PathBuf,
        owner: String,
        /// The account Carrel runs as.
        own: String,
    },

    /// The account for PostgreSQL is missing or unusable.
    #[error("PostgreSQL cannot run as the account {account}: {reason}")]
    Account {
        account: String,
        /// Why, and what to do.
        reason: String,
    },

    /// PostgreSQL's account may not enter a folder above the data directory.
    #[error(
        "PostgreSQL does not run as root but as {account}, and {account} may not pass through {}. \
         Allow that with `chmod o+x {}`, or choose a data_dir elsewhere (such as /var/lib/carrel).",
        .dir.display(), .dir.display()
    )]
    NotReachable {
        account: String,
        /// The folder it may not enter.
        dir: PathBuf,
    },

    /// No secure directory for the socket could be made.
    #[error("cannot use {} for PostgreSQL's socket: {reason}", .dir.display())]
    Socket {
        dir: PathBuf,
        /// Why, and what to do.
        reason: String,
    },

    #[error("creating the database in {} failed; initdb said:\n{output}", .dir.display())]
    CreateFailed {
        dir: PathBuf,
        /// The last lines of the program's output.
        output: String,
    },

    /// A program could not be started.
    #[error("cannot run {}: {source}", .program.display())]
    CannotRun { program: PathBuf, source: std::io::Error },

    /// The server exited instead of becoming ready.
    #[error("PostgreSQL did not start. The end of its log, {}:\n{log}", .path.display())]
    StartFailed {
        path: PathBuf,
        /// Last lines of the log.
        log: String,
    },

    /// The server runs, but is neither ready nor making progress.
    #[error(
        "PostgreSQL was not ready and showed no progress for {seconds} seconds. \
         The end of its log, {}:\n{log}",
        .path.display()
    )]
    StartTimeout {
        /// How long the start took without progress.
        seconds: u64,
        path: PathBuf,
        /// Last lines of the log.
        log: String,
    },

    /// A stop was requested during the start.
    #[error("PostgreSQL was stopped before it was ready")]
    Stopped,

    /// A server from an earlier run does not stop.
    #[error(
        "a PostgreSQL server that an earlier run left behind still uses {} and does not stop \
         ({}). Stop it by hand, then start Carrel again.",
        .dir.display(), processes(.process_ids)
    )]
    LeftoverServer {
        dir: PathBuf,
        /// Its processes; empty if they run in another container.
        process_ids: Vec<i32>,
    },
}

fn processes(ids: &[i32]) -> String {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    match ids.is_empty() {
        true => "in another container, perhaps".into(),
        false => format!("process {}", ids.join(", ")),
    }
}

impl EmbeddedError {
    /// The error of a file operation in the data directory; a full disk has its own variant.
    pub(super) fn file(action: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let path = path.into();
        if source.kind() == std::io::ErrorKind::StorageFull {
            return Self::DiskFull { path };
        }
        Self::NotWritable { action, path, source }
    }
}
