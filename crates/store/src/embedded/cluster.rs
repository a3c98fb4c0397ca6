//! The cluster: the database folder, its creation, owner and configuration.

use std::fs::DirBuilder;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::account::{Account, name_of};
use super::programs::Programs;
use super::{EmbeddedError, ROLE, leftovers, machine};

const SETTINGS_FILE: &str = "carrel.conf";
const INCLUDE: &str = "include_if_exists = 'carrel.conf'";
/// Free bytes required to create a cluster and start in it.
const SPACE_TO_CREATE: u64 = 256 << 20;

/// A cluster in a data directory; it may not exist yet.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    dir: PathBuf,
    version: Option<u32>,
}

impl Cluster {
    /// Inspects `<data>/postgres`.
    pub(crate) fn in_data_dir(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let dir = data_dir.join("postgres");
        let filled = match std::fs::read_dir(&dir) {
            Ok(mut files) => files.next().is_some(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => false,
            Err(e) => return Err(EmbeddedError::file("read", dir, e)),
        };
        let version = if filled { major_version(&dir) } else { None };
        if filled && version.is_none() {
            return Err(EmbeddedError::NotACluster { dir });
        }
        Ok(Self { dir, version })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Folder and major version; `None` before its creation.
    pub fn existing(&self) -> Option<(&Path, u32)> {
        self.version.map(|major| (self.dir.as_path(), major))
    }

    /// The major version of the existing cluster; `None` before its creation.
    pub fn version(&self) -> Option<u32> {
        self.version
    }

    /// User id of the existing cluster's owner.
    pub fn owner(&self) -> Option<u32> {
        self.version?;
        Some(self.dir.metadata().ok()?.uid())
    }

    /// Creates the cluster beside its final place and moves it there when complete (and synced, with `fsync`), so an
    /// interrupted creation leaves nothing that looks like a database.
    pub fn create(&self, programs: &Programs, account: &Account, fsync: bool) -> Result<(), EmbeddedError> {
        tracing::info!(dir = %self.dir.display(), version = programs.version(), "creating the database");
        let unfinished = self.dir.with_extension("unfinished");
        let data_dir = unfinished.parent().unwrap_or(&self.dir);
        if machine::free_space(data_dir).is_some_and(|free| free < SPACE_TO_CREATE) {
            return Err(EmbeddedError::DiskFull { path: data_dir.to_owned() });
        }
        if unfinished.exists() {
            leftovers::kill_creators(&unfinished);
            std::fs::remove_dir_all(&unfinished).map_err(|e| EmbeddedError::file("remove", &unfinished, e))?;
        }
        DirBuilder::new()
            .mode(0o700)
            .create(&unfinished)
            .and_then(|()| account.own_path(&unfinished))
            .map_err(|e| EmbeddedError::file("create", &unfinished, e))?;
        let created = self.fill(&unfinished, programs, account).and_then(|()| match fsync {
            true => self.sync(&unfinished, programs, account),
            false => Ok(()),
        });
        if created.is_err() {
            let _ = std::fs::remove_dir_all(&unfinished);
            return created;
        }
        std::fs::rename(&unfinished, &self.dir)
            .and_then(|()| std::fs::File::open(data_dir)?.sync_all())
            .map_err(|e| EmbeddedError::file("create", &self.dir, e))
    }

    fn fill(&self, dir: &Path, programs: &Programs, account: &Account) -> Result<(), EmbeddedError> {
        let mut initdb = initdb(dir, programs, account);
        initdb
            .args(["--username", ROLE, "--encoding=UTF8", "--data-checksums"])
            .args(["--lc-collate=C", "--lc-ctype=C.UTF-8", "--lc-messages=C"])
            .args(["--lc-monetary=C", "--lc-numeric=C", "--lc-time=C"])
            // Syncing file by file takes seconds; one `sync` at the end covers them all.
            .args(["--auth-local=trust", "--auth-host=reject", "--no-sync"]);
        self.run(initdb, None)?;
        let mut create_database = account.command(&programs.postgres());
        create_database.args(["--single", "-j", "-F", "-D"]).arg(dir).arg("postgres").current_dir(dir);
        self.run(create_database, Some(&format!("CREATE DATABASE {ROLE};\n\n")))
    }

    /// Syncs the whole disk of the cluster.
    #[cfg(target_os = "linux")]
    fn sync(&self, dir: &Path, _: &Programs, _: &Account) -> Result<(), EmbeddedError> {
        let synced = std::fs::File::open(dir).and_then(|dir| Ok(nix::unistd::syncfs(dir)?));
        synced.map_err(|e| EmbeddedError::file("write", dir, e))
    }

    /// Syncs every file of the cluster.
    #[cfg(not(target_os = "linux"))]
    fn sync(&self, dir: &Path, programs: &Programs, account: &Account) -> Result<(), EmbeddedError> {
        let mut initdb = initdb(dir, programs, account);
        initdb.arg("--sync-only");
        self.run(initdb, None)
    }

    /// Runs a program during creation, with its input; its output becomes the error's text.
    fn run(&self, mut command: Command, input: Option<&str>) -> Result<(), EmbeddedError> {
        let program = PathBuf::from(command.get_program());
        let cannot_run = |source| EmbeddedError::CannotRun { program: program.clone(), source };
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(cannot_run)?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
            // If the program ended early, the error below says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(cannot_run)?;
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        // A single-user server exits with success even if its statements failed.
        if output.status.success() && !printed.contains("ERROR:") {
            return Ok(());
        }
        if printed.contains("No space left on device") {
            return Err(EmbeddedError::DiskFull { path: self.dir.clone() });
        }
        Err(EmbeddedError::CreateFailed { dir: self.dir.clone(), output: printed.trim().to_owned() })
    }

    /// Makes the account the owner of the cluster, as PostgreSQL requires.
    pub fn hand_over(&self, account: &Account) -> Result<(), EmbeddedError> {
        let failed = |e| EmbeddedError::file("change the owner of", &self.dir, e);
        let owner = self.dir.metadata().map_err(failed)?.uid();
        if owner == account.uid() {
            return Ok(());
        }
        if !account.may_change_owner() {
            return Err(EmbeddedError::ForeignCluster {
                dir: self.dir.clone(),
                owner: name_of(owner),
                own: account.name().to_owned(),
            });
        }
        tracing::info!(dir = %self.dir.display(), account = account.name(), "handing the database over");
        hand_over_tree(&self.dir, account).map_err(failed)
    }

    /// Whether the server program supports a setting: builds differ.
    pub fn accepts(&self, programs: &Programs, account: &Account, setting: &str) -> bool {
        account
            .command(&programs.postgres())
            .arg("-D")
            .arg(&self.dir)
            .args(["-c", setting, "-C", "max_connections"])
            .current_dir(&self.dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// Writes Carrel's settings ([`super::tuning`]), and includes them in PostgreSQL's configuration if necessary.
    pub fn configure(&self, account: &Account, settings: &str) -> Result<(), EmbeddedError> {
        let replace = |name: &str, text: &str| {
            let path = self.dir.join(name);
            replace_file(&path, text, account).map_err(|e| EmbeddedError::file("write", path, e))
        };
        replace(SETTINGS_FILE, settings)?;
        let main = self.dir.join("postgresql.conf");
        let text = match std::fs::read_to_string(&main) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(EmbeddedError::file("read", main, e)),
        };
        if text.lines().any(|line| line.trim() == INCLUDE) {
            return Ok(());
        }
        replace("postgresql.conf", &format!("{text}\n{INCLUDE}\n"))
    }
}

/// PostgreSQL's program that makes clusters, for one in `dir`.
fn initdb(dir: &Path, programs: &Programs, account: &Account) -> Command {
    let mut command = account.command(&programs.initdb());
    command.arg("--pgdata").arg(dir).current_dir(dir);
    command
}

fn major_version(dir: &Path) -> Option<u32> {
    std::fs::read_to_string(dir.join("PG_VERSION")).ok()?.trim().parse().ok()
}

/// Replaces a file atomically, so that a kill or power cut leaves either the old or the new one.
fn replace_file(path: &Path, text: &str, account: &Account) -> std::io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    let new = path.with_extension("conf.new");
    let mut file = std::fs::File::create(&new)?;
    file.write_all(text.as_bytes())?;
    account.own_path(&new)?;
    file.sync_all()?;
    std::fs::rename(&new, path)
}

/// Changes the owner of a tree, its top last: an interrupted change is repeated at the next start.
fn hand_over_tree(path: &Path, account: &Account) -> std::io::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            hand_over_tree(&entry.path(), account)?;
        } else {
            account.own_path(&entry.path())?;
        }
    }
    account.own_path(path)
}
