//! PostgreSQL servers as a library runs them itself: a primary and its standby.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

use super::support::{data_dir, send};

/// A server; killed on drop.
pub struct Server {
    dir: TempDir,
    process: Child,
}

/// The account that PostgreSQL runs as if the tests run as root.
fn account() -> Option<(u32, u32)> {
    let id = |flag: &str, name: &[&str]| -> Option<u32> {
        let output = Command::new("id").arg(flag).args(name).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id("-u", &[]) != Some(0) {
        return None;
    }
    let of = |flag| id(flag, &["postgres"]);
    Some(of("-u").zip(of("-g")).expect("the account postgres"))
}

/// Where Debian installs the programs of PostgreSQL.
pub fn programs_dir() -> PathBuf {
    let output = Command::new("sh")
        .args(["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"])
        .output()
        .expect("a shell");
    let installed = String::from_utf8(output.stdout).expect("a path");
    match installed.trim() {
        "" => panic!("the programs of PostgreSQL are not where Debian has them"),
        dir => dir.into(),
    }
}

fn program(name: &str) -> Command {
    let mut command = Command::new(programs_dir().join(name));
    if let Some((uid, gid)) = account() {
        command.uid(uid).gid(gid);
    }
    command.current_dir("/").env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn run(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn own_dir() -> TempDir {
    let dir = data_dir();
    if let Some((uid, gid)) = account() {
        chown(dir.path(), Some(uid), Some(gid)).expect("given away");
    }
    std::fs::set_permissions(dir.path(), Permissions::from_mode(0o700)).expect("changed");
    dir
}

fn cluster(dir: &TempDir) -> PathBuf {
    dir.path().join("cluster")
}

impl Server {
    pub async fn primary() -> Self {
        let dir = own_dir();
        let options = ["--username=carrel", "--auth=trust", "--encoding=UTF8", "--locale=C"];
        let mut initdb = program("initdb");
        run(initdb.args(options).arg("--no-sync").arg("-D").arg(cluster(&dir)));
        Self::start(dir).await
    }

    /// A standby of this server; from then on a commit waits for both.
    pub async fn standby(&self) -> Self {
        let dir = own_dir();
        let mut backup = program("pg_basebackup");
        backup.args(["-R", "-X", "stream", "-c", "fast", "--no-sync"]);
        run(backup.args(["-U", "carrel", "-h"]).arg(self.socket()).arg("-D").arg(cluster(&dir)));
        let standby = Self::start(dir).await;
        let client = self.connect().await;
        for statement in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"] {
            client.batch_execute(statement).await.expect("it runs");
        }
        let following = "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')";
        until("the standby follows", async || {
            let row = client.query_one(following, &[]).await;
            row.is_ok_and(|row| row.get(0))
        })
        .await;
        standby
    }

    async fn start(dir: TempDir) -> Self {
        let mut postgres = program("postgres");
        postgres.arg("-D").arg(cluster(&dir)).arg("-k").arg(dir.path());
        for setting in ["listen_addresses=", "fsync=off", "max_connections=150"] {
            postgres.args(["-c", setting]);
        }
        let process = postgres.stderr(Stdio::null()).spawn().expect("it starts");
        let server = Self { dir, process };
        until("a server", async || server.try_connect().await.is_some()).await;
        server
    }

    pub fn socket(&self) -> &Path {
        self.dir.path()
    }

    async fn try_connect(&self) -> Option<Client> {
        let mut config = tokio_postgres::Config::new();
        config.host_path(self.socket()).user("carrel").dbname("postgres");
        let (client, connection) = config.connect(NoTls).await.ok()?;
        tokio::spawn(connection);
        Some(client)
    }

    pub async fn connect(&self) -> Client {
        self.try_connect().await.expect("a connection")
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Makes a standby the primary.
    pub async fn promote(&self) {
        let client = self.connect().await;
        let row = client.query_one("SELECT pg_promote()", &[]).await;
        assert!(row.expect("it runs").get::<_, bool>(0));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            send("CONT", self.process.id());
            send("QUIT", self.process.id());
            let _ = self.process.wait();
        }
    }
}

/// The URL of these servers, any of which may be the primary.
pub fn url(servers: &[&Server]) -> String {
    let hosts: Vec<_> =
        servers.iter().map(|server| server.socket().display().to_string().replace('/', "%2F")).collect();
    format!("postgres://carrel@{}/postgres", hosts.join(","))
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds().await {
        assert!(Instant::now() < deadline, "not within a minute: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
