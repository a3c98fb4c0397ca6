//! Tests of the embedded server: created, started, killed, abandoned and stopped in temporary directories, as root and
//! as an unprivileged account.

mod recovery;
mod refusals;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nix::unistd::Uid;
use tempfile::TempDir;

use super::*;

fn settings(data_dir: &Path) -> Settings {
    Settings { fsync: false, memory: Some(256 << 20), max_connections: 10, ..Settings::new(data_dir) }
}

fn data_dir() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn started(data_dir: &Path) -> Embedded {
    Embedded::start(&settings(data_dir)).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs statements on a separate connection; returns the first column of the last result.
fn query(server: &Embedded, statements: &str) -> Result<Option<String>, tokio_postgres::Error> {
    use tokio_postgres::SimpleQueryMessage::Row;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let (client, connection) = server.connection_config().connect(tokio_postgres::NoTls).await?;
        let connection = tokio::spawn(connection);
        let messages = client.simple_query(statements).await?;
        drop(client);
        let _ = connection.await;
        Ok(messages.iter().rev().find_map(|message| match message {
            Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        }))
    })
}

fn answer(server: &Embedded, statements: &str) -> String {
    let value = query(server, statements).unwrap_or_else(|e| panic!("{statements}: {e:?}"));
    value.unwrap_or_default()
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "not within 30 seconds: {what}");
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

fn cluster_of(data_dir: &Path) -> PathBuf {
    data_dir.canonicalize().expect("the directory").join("postgres")
}

#[test]
fn a_first_start_creates_a_cluster_and_a_stop_leaves_no_trace() {
    let dir = data_dir();
    let server = started(dir.path());
    let shown = |name: &str| answer(&server, &format!("SHOW {name}"));
    assert_eq!(shown("server_encoding"), "UTF8");
    assert_eq!(shown("data_checksums"), "on");
    assert_eq!(shown("listen_addresses"), "");
    assert_eq!(shown("jit"), "off");
    assert_eq!(shown("max_connections"), "20");
    assert_eq!(
        answer(&server, "SELECT datcollate || ' ' || datctype FROM pg_database WHERE datname = 'carrel'"),
        "C C.UTF-8"
    );
    assert!(server.version().starts_with(&answer(&server, "SHOW server_version")[..2]));
    answer(&server, "CREATE TABLE kept (title text); INSERT INTO kept VALUES ('Æsop')");

    server.stop();
    assert_eq!(server.process_id(), None);
    assert!(leftovers::processes_in(&cluster_of(dir.path())).is_empty());
    assert!(!cluster_of(dir.path()).join("postmaster.pid").exists());
    drop(server);
    assert!(!dir.path().join("run").exists());

    let server = started(dir.path());
    assert_eq!(answer(&server, "SELECT lower(title) FROM kept"), "æsop");
}

#[test]
fn a_long_data_directory_has_its_socket_elsewhere() {
    let dir = data_dir();
    let deep = dir.path().join("d".repeat(60)).join("e".repeat(60));
    set_mode(dir.path(), 0o755);
    let server = started(&deep);
    let socket = server.socket_dir().to_owned();
    assert!(!socket.starts_with(&deep) && socket.is_dir(), "{}", socket.display());
    assert_eq!(answer(&server, "SELECT 1"), "1");
    drop(server);
    assert!(!socket.exists());
}

fn set_mode(dir: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(dir, permissions).expect("changed");
}

#[test]
fn root_hands_a_cluster_over_when_the_account_changes() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    let as_account = |name: &str| Settings { account: Some(name.into()), ..settings(dir.path()) };
    let owner = || Cluster::in_data_dir(dir.path()).expect("a cluster").owner().map(account::name_of);
    for (configured, runs_as) in [("nobody", "nobody"), ("postgres", "postgres")] {
        let server = Embedded::start(&as_account(configured)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(answer(&server, "SELECT 1"), "1");
        assert_eq!(owner().as_deref(), Some(runs_as));
    }
    drop(started(dir.path()));
    assert_eq!(owner().as_deref(), Some("postgres"), "the owner stays when none is configured");
}

/// Repeats the main tests as an unprivileged account if this run is root.
#[test]
fn all_of_it_works_without_privileges() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    set_mode(dir.path(), 0o755);
    let program = dir.path().join("tests");
    // Copied by another process: a child that another test starts meanwhile would hold the file open for writing, and a file that is
    // written cannot be run.
    let copied = Command::new("cp").arg(std::env::current_exe().expect("this program")).arg(&program).status();
    assert!(copied.expect("cp").success());
    let home = dir.path().join("home");
    std::fs::create_dir(&home).expect("created");
    let account = Account::choose(Some("nobody"), None).expect("every system has it");
    account.own_path(&home).expect("given away");
    let output = account
        .command(&program)
        .args(["--exact", "embedded::tests::a_first_start_creates_a_cluster_and_a_stop_leaves_no_trace"])
        .arg("embedded::tests::recovery::a_killed_carrel_stops_its_server_and_loses_nothing")
        .env("TMPDIR", &home)
        .current_dir(&home)
        .output()
        .expect("it runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("2 passed"), "{printed}");
}
