//! Why the embedded server cannot run, in words that say what to do.

use std::path::PathBuf;

use super::OLDEST_VERSION;

/// A reason why the embedded PostgreSQL does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbeddedError {
    /// Neither the configured place nor any usual one has the server programs.
    #[error(
        "the PostgreSQL server programs (postgres, initdb) were not found in {}.\n\
         Install version {OLDEST_VERSION} or later: `apt install postgresql` on Debian and Ubuntu, \
         `dnf install postgresql-server` on Fedora and Red Hat, `apk add postgresql` on Alpine, \
         `brew install postgresql@17` on macOS. \
         If they are elsewhere, name their folder in postgres_bin_dir; \
         to use a server of your own instead, set database_url.",
        .searched.join(", ")
    )]
    ProgramsNotFound {
        /// The places that were looked at.
        searched: Vec<String>,
    },

    /// Server programs were found, but all of them are too old.
    #[error(
        "PostgreSQL {found} in {} is too old: Carrel needs version {OLDEST_VERSION} or later. \
         Install a newer one beside it (Debian and Ubuntu: `apt install postgresql-{OLDEST_VERSION}`) \
         or name its folder in postgres_bin_dir.",
        .dir.display()
    )]
    TooOld {
        /// The newest version that was found.
        found: String,
        /// Where it is.
        dir: PathBuf,
    },

    /// The cluster was made by a major version whose programs are not on the machine.
    #[error(
        "the database in {} was made by PostgreSQL {cluster}, but the programs found here are of \
         version {found}. Install PostgreSQL {cluster} again (Debian and Ubuntu: \
         `apt install postgresql-{cluster}`), or bring the database to the version you have with \
         pg_upgrade, whose page in the PostgreSQL manual has the steps.",
        .dir.display()
    )]
    OtherMajorVersion {
        /// The major version of the cluster.
        cluster: u32,
        /// The versions that were found.
        found: String,
        /// The cluster.
        dir: PathBuf,
    },

    /// There is something in the cluster's place that is no cluster.
    #[error(
        "{} exists but is not a PostgreSQL database (it has no readable PG_VERSION file). \
         Restore it from a backup, or move it away and Carrel creates an empty one.",
        .dir.display()
    )]
    NotACluster {
        /// The directory.
        dir: PathBuf,
    },

    /// Another Carrel holds the data directory.
    #[error(
        "the data directory {} is in use by another Carrel{}. \
         Stop that one first, or give this one a data_dir of its own.",
        .data_dir.display(),
        .process_id.map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    InUse {
        /// The data directory.
        data_dir: PathBuf,
        /// The process that holds it, where it says so.
        process_id: Option<u32>,
    },

    /// Something in the data directory cannot be read or written.
    #[error(
        "cannot {action} {}: {source}. Carrel's data_dir has to be a folder that the account \
         Carrel runs as may write to.",
        .path.display()
    )]
    NotWritable {
        /// What was tried, as a verb.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The disk has no room.
    #[error(
        "the disk of {} is full: PostgreSQL cannot run without free space. \
         Free some; nothing that was confirmed is lost.",
        .path.display()
    )]
    DiskFull {
        /// The directory whose disk is full.
        path: PathBuf,
    },

    /// The cluster belongs to somebody else and Carrel cannot change that.
    #[error(
        "the database in {} belongs to the account {owner}, but Carrel runs as {own}. \
         Start Carrel as {owner} or as root, or give the folder away: `chown -R {own} {}`.",
        .dir.display(), .dir.display()
    )]
    ForeignCluster {
        /// The cluster.
        dir: PathBuf,
        /// Who owns it.
        owner: String,
        /// Who Carrel is.
        own: String,
    },

    /// The account PostgreSQL should run as is missing or cannot be used.
    #[error("PostgreSQL cannot run as the account {account}: {reason}")]
    Account {
        /// The name of the account.
        account: String,
        /// Why not, and what to do.
        reason: String,
    },

    /// The account of PostgreSQL may not pass through a folder above the data directory.
    #[error(
        "PostgreSQL does not run as root but as {account}, and {account} may not pass through {}. \
         Allow that with `chmod o+x {}`, or choose a data_dir elsewhere (such as /var/lib/carrel).",
        .dir.display(), .dir.display()
    )]
    NotReachable {
        /// The account.
        account: String,
        /// The folder in the way.
        dir: PathBuf,
    },

    /// No directory for the socket could be made safe.
    #[error("cannot use {} for PostgreSQL's socket: {reason}", .dir.display())]
    Socket {
        /// The directory.
        dir: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },

    /// Creating the cluster failed.
    #[error("creating the database in {} failed; initdb said:\n{output}", .dir.display())]
    CreateFailed {
        /// The cluster.
        dir: PathBuf,
        /// The last lines of what the program said.
        output: String,
    },

    /// A program could not be run at all.
    #[error("cannot run {}: {source}", .program.display())]
    CannotRun {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The server ended instead of becoming ready.
    #[error("PostgreSQL did not start. The end of its log, {}:\n{log}", .path.display())]
    StartFailed {
        /// The log file.
        path: PathBuf,
        /// Its last lines.
        log: String,
    },

    /// The server runs but does not become ready, and shows no progress.
    #[error(
        "PostgreSQL was not ready and showed no progress for {seconds} seconds. \
         The end of its log, {}:\n{log}",
        .path.display()
    )]
    StartTimeout {
        /// How long it was waited for.
        seconds: u64,
        /// The log file.
        path: PathBuf,
        /// Its last lines.
        log: String,
    },

    /// The server was told to stop while it was starting.
    #[error("PostgreSQL was stopped before it was ready")]
    Stopped,

    /// A server that an earlier run left behind does not go away.
    #[error(
        "a PostgreSQL server that an earlier run left behind still uses {} and does not stop \
         ({}). Stop it by hand, then start Carrel again.",
        .dir.display(), processes(.process_ids)
    )]
    LeftoverServer {
        /// The cluster.
        dir: PathBuf,
        /// Its processes; none where they are in another container.
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
    /// The error for a file operation in the data directory: a full disk is told apart.
    pub(super) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
        source: std::io::Error,
    ) -> Self {
        let path = path.into();
        if source.kind() == std::io::ErrorKind::StorageFull {
            return Self::DiskFull { path };
        }
        Self::NotWritable {
            action,
            path,
            source,
        }
    }
}
