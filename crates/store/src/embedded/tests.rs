//! The embedded server for real: created, started, killed, left behind and stopped in temporary
//! directories, as root and as an account without privileges.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid};
use tempfile::TempDir;

use super::*;

/// Names the data directory for the copy of this program that plays the killed Carrel.
const VICTIM: &str = "CARREL_TEST_VICTIM_DATA_DIR";

fn settings(data_dir: &Path) -> Settings {
    Settings {
        fsync: false,
        memory: Some(256 << 20),
        max_connections: 10,
        ..Settings::new(data_dir)
    }
}

fn data_dir() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn started(data_dir: &Path) -> Embedded {
    Embedded::start(&settings(data_dir)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(settings: &Settings) -> EmbeddedError {
    match Embedded::start(settings) {
        Ok(_) => panic!("it started"),
        Err(error) => error,
    }
}

/// Runs statements on a connection of their own; returns the first column of the last one.
fn query(server: &Embedded, statements: &str) -> Result<Option<String>, tokio_postgres::Error> {
    use tokio_postgres::SimpleQueryMessage::Row;

    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let (client, connection) = server
            .connection_config()
            .connect(tokio_postgres::NoTls)
            .await?;
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

fn kill_now(process_id: u32) {
    let process = Pid::from_raw(i32::try_from(process_id).expect("a process id"));
    kill(process, Signal::SIGKILL).expect("the process is there");
}

fn cluster_of(data_dir: &Path) -> PathBuf {
    data_dir
        .canonicalize()
        .expect("the directory")
        .join("postgres")
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
        answer(
            &server,
            "SELECT datcollate || ' ' || datctype FROM pg_database WHERE datname = 'carrel'"
        ),
        "C C.UTF-8"
    );
    assert!(
        server
            .version()
            .starts_with(&answer(&server, "SHOW server_version")[..2])
    );
    answer(
        &server,
        "CREATE TABLE kept (title text); INSERT INTO kept VALUES ('Æsop')",
    );

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
fn a_killed_server_comes_back_with_what_was_committed() {
    let dir = data_dir();
    let server = started(dir.path());
    answer(
        &server,
        "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2)",
    );
    let first = server.process_id().expect("it runs");
    kill_now(first);
    eventually("another server", || {
        server.process_id().is_some_and(|id| id != first)
    });
    assert_eq!(answer(&server, "SELECT count(*) FROM kept"), "2");
}

#[test]
fn a_server_left_behind_is_stopped_and_replaced() {
    let dir = data_dir();
    drop(started(dir.path()));
    let cluster = cluster_of(dir.path());
    let mut orphan = start_by_hand(dir.path());
    eventually("the orphan's lock file", || {
        std::fs::read_to_string(cluster.join("postmaster.pid"))
            .is_ok_and(|text| text.contains("ready"))
    });

    let server = started(dir.path());
    assert!(
        orphan.wait().expect("its end").success(),
        "it was stopped cleanly"
    );
    assert_ne!(server.process_id(), Some(orphan.id()));
    assert_eq!(answer(&server, "SELECT 1"), "1");
}

/// Starts a server as an older Carrel would have left it: with nobody to watch it.
fn start_by_hand(data_dir: &Path) -> Child {
    let cluster = Cluster::in_data_dir(&data_dir.canonicalize().expect("it is there"));
    let cluster = cluster.expect("a cluster");
    let account = Account::choose(None, cluster.owner()).expect("an account");
    let programs = Programs::find(None, &cluster).expect("the programs");
    let command = account
        .command(&programs.postgres())
        .arg("-D")
        .arg(cluster.dir())
        .args(["-c", "listen_addresses=", "-c", "unix_socket_directories=."])
        .stderr(Stdio::null())
        .current_dir(cluster.dir())
        .spawn();
    command.expect("it starts")
}

#[test]
fn stale_and_damaged_lock_files_are_no_obstacle() {
    let dir = data_dir();
    drop(started(dir.path()));
    let lock_file = cluster_of(dir.path()).join("postmaster.pid");
    let own = std::process::id();
    let alive = format!(
        "{own}\n{}\n1700000000\n5432\n",
        cluster_of(dir.path()).display()
    );
    for text in [
        "",
        "garbage",
        "-1\n",
        "999999999\n",
        "\0\0\0\0",
        alive.as_str(),
    ] {
        std::fs::write(&lock_file, text).expect("written");
        assert_eq!(
            answer(&started(dir.path()), "SELECT 1"),
            "1",
            "after {text:?}"
        );
    }
}

/// A program of the server's account that has nothing to do with any server.
fn stranger(data_dir: &Path, program: &str) -> Child {
    let cluster = Cluster::in_data_dir(data_dir).expect("a cluster");
    let account = Account::choose(None, cluster.owner()).expect("an account");
    let mut command = account.command(Path::new("/bin/sh"));
    command.args(["-c", program]).current_dir("/");
    command.spawn().expect("it starts")
}

/// A power cut leaves PostgreSQL's lock files, and at the next boot their number is somebody else's;
/// after a kill it stays a dead one's where nobody reaps the dead.
#[test]
fn lock_files_that_name_a_living_or_unreaped_stranger_are_no_obstacle() {
    let dir = data_dir();
    drop(started(dir.path()));
    let mut living = stranger(dir.path(), "exec sleep 600");
    let dead = stranger(dir.path(), "exit 0");
    let state = format!("/proc/{}/stat", dead.id());
    eventually("the end of the second one", || {
        std::fs::read_to_string(&state).map_or(true, |stat| stat.contains(") Z "))
    });
    let cluster = cluster_of(dir.path());
    for process in [living.id(), dead.id(), 1, std::process::id()] {
        let run = dir.path().join("run");
        std::fs::create_dir_all(&run).expect("created");
        let lock = format!(
            "{process}\n{}\n1700000000\n{PORT}\n{}\n",
            cluster.display(),
            run.display()
        );
        for file in [
            cluster.join("postmaster.pid"),
            run.join(".s.PGSQL.5432.lock"),
        ] {
            std::fs::write(file, &lock).expect("written");
        }
        assert_eq!(
            answer(&started(dir.path()), "SELECT 1"),
            "1",
            "process {process}"
        );
    }
    assert!(
        matches!(living.try_wait(), Ok(None)),
        "a stranger is left alone"
    );
    living.kill().expect("killed");
    for mut stranger in [living, dead] {
        stranger.wait().expect("its end");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_process_of_a_server_proves_that_it_lives() {
    use std::os::unix::fs::MetadataExt;

    let dir = data_dir();
    let server = started(dir.path());
    let lock = dir.path().join("postgres.lock");
    let held = || std::fs::File::open(&lock).expect("a lock").try_lock();
    let expected = lock.metadata().expect("a file").ino();
    let processes = leftovers::processes_in(&cluster_of(dir.path()));
    assert!(processes.len() > 3, "{processes:?}");
    for process in processes {
        let input = std::fs::metadata(format!("/proc/{process}/fd/0"));
        // One that worked for a moment only is gone by now.
        assert!(
            input.map_or(true, |input| input.ino() == expected),
            "{process}"
        );
    }
    assert!(held().is_err(), "held while it runs");
    drop(server);
    assert!(held().is_ok(), "given back at its end");
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_outlives_its_server_is_ended_before_another_starts() {
    let dir = data_dir();
    let server = started(dir.path());
    let first = server.process_id().expect("it runs");
    let others = leftovers::processes_in(&cluster_of(dir.path()));
    let survivor = *others
        .iter()
        .find(|process| **process != first as i32)
        .expect("a server has several processes");
    // Deaf to every signal but the last.
    kill(Pid::from_raw(survivor), Signal::SIGSTOP).expect("stopped");
    kill_now(first);
    eventually("another server", || {
        server.process_id().is_some_and(|id| id != first)
    });
    let now = leftovers::processes_in(&cluster_of(dir.path()));
    assert!(!now.contains(&survivor), "{survivor} of {now:?}");
    assert_eq!(answer(&server, "SELECT 1"), "1");
}

/// Something that a start has done up to here.
const MOMENTS: [&str; 9] = [
    "carrel.lock",
    "postgres.unfinished",
    "postgres.unfinished/PG_VERSION",
    "postgres.unfinished/global/pg_filenode.map",
    "postgres.unfinished/base/5",
    "postgres/PG_VERSION",
    "postgres/carrel.conf",
    "postgres/postmaster.pid",
    "run/.s.PGSQL.5432.lock",
];

#[test]
fn a_start_that_is_killed_at_any_moment_is_done_again() {
    for moment in MOMENTS {
        let dir = data_dir();
        let mut victim = spawn_victim(dir.path());
        eventually(moment, || dir.path().join(moment).exists());
        victim.kill().expect("killed");
        // The next start does not wait for anything that this one left.
        let server = started(dir.path());
        assert_eq!(answer(&server, "SELECT 1"), "1", "after {moment}");
        victim.wait().expect("its end");
    }
}

#[test]
fn a_data_directory_has_one_carrel() {
    let dir = data_dir();
    let server = started(dir.path());
    let error = refused(&settings(dir.path()));
    let own = std::process::id();
    assert!(matches!(error, EmbeddedError::InUse { process_id: Some(id), .. } if id == own));
    assert_eq!(
        answer(&server, "SELECT 1"),
        "1",
        "the first is not disturbed"
    );
    drop(server);
    drop(started(dir.path()));
}

#[test]
fn a_killed_carrel_takes_its_server_along_and_loses_nothing() {
    let dir = data_dir();
    let (mut victim, server_process) = start_victim(dir.path());
    victim.kill().expect("killed");
    victim.wait().expect("its end");

    let server = started(dir.path());
    assert_ne!(server.process_id(), Some(server_process));
    assert_eq!(answer(&server, "SELECT count(*) FROM kept"), "1");
    if Path::new("/usr/bin/setpriv").exists() {
        drop(server);
        let (mut victim, _) = start_victim(dir.path());
        victim.kill().expect("killed");
        victim.wait().expect("its end");
        let cluster = cluster_of(dir.path());
        eventually("the server's own end", || {
            leftovers::processes_in(&cluster).is_empty()
        });
    }
}

/// Runs a copy of this program that starts a server and then only waits to be killed.
fn start_victim(data_dir: &Path) -> (Child, u32) {
    let mut victim = spawn_victim(data_dir);
    let output = BufReader::new(victim.stdout.take().expect("piped"));
    let server_process = output
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split_once("server process ")?.1.parse().ok())
        .expect("it says when its server runs");
    (victim, server_process)
}

fn spawn_victim(data_dir: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "--nocapture",
            "embedded::tests::a_carrel_that_waits_to_be_killed",
        ])
        .env(VICTIM, data_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// The other half of the test above; on its own it has nothing to do.
#[test]
fn a_carrel_that_waits_to_be_killed() {
    let Some(data_dir) = std::env::var_os(VICTIM) else {
        return;
    };
    let server = started(Path::new(&data_dir));
    answer(
        &server,
        "CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)",
    );
    println!("server process {}", server.process_id().expect("it runs"));
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .expect("the end of the input");
}

#[test]
fn what_is_no_cluster_or_of_another_version_is_left_alone() {
    let dir = data_dir();
    let cluster = dir.path().join("postgres");
    std::fs::create_dir(&cluster).expect("created");
    std::fs::write(cluster.join("letter.txt"), "Dear reader").expect("written");
    assert!(matches!(
        refused(&settings(dir.path())),
        EmbeddedError::NotACluster { .. }
    ));

    std::fs::write(cluster.join("PG_VERSION"), "99\n").expect("written");
    let error = refused(&settings(dir.path()));
    assert!(matches!(
        error,
        EmbeddedError::OtherMajorVersion { cluster: 99, .. }
    ));
    assert!(error.to_string().contains("pg_upgrade"), "{error}");
    assert!(cluster.join("letter.txt").exists());
}

#[test]
fn a_creation_that_was_cut_short_is_done_again() {
    let dir = data_dir();
    let unfinished = dir.path().join("postgres.unfinished");
    std::fs::create_dir(&unfinished).expect("created");
    std::fs::write(unfinished.join("PG_VERSION"), "15\n").expect("written");
    assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1");
    assert!(!unfinished.exists());
}

#[test]
fn a_deep_data_directory_has_its_socket_elsewhere() {
    let dir = data_dir();
    let deep = dir.path().join("d".repeat(60)).join("e".repeat(60));
    set_mode(dir.path(), 0o755);
    let server = started(&deep);
    let socket = server.socket_dir().to_owned();
    assert!(
        !socket.starts_with(&deep) && socket.is_dir(),
        "{}",
        socket.display()
    );
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
fn missing_programs_and_bad_places_are_explained() {
    let empty = data_dir();
    let dir = data_dir();
    let no_programs = Settings {
        programs_dir: Some(empty.path().to_owned()),
        ..settings(dir.path())
    };
    let error = refused(&no_programs);
    assert!(matches!(error, EmbeddedError::ProgramsNotFound { .. }));
    assert!(
        error.to_string().contains("apt install postgresql"),
        "{error}"
    );

    let error = refused(&settings(Path::new("/dev/null/carrel")));
    assert!(
        matches!(error, EmbeddedError::NotWritable { .. }),
        "{error}"
    );

    let nobody = Settings {
        account: Some("no-such-account".into()),
        ..settings(dir.path())
    };
    assert!(matches!(refused(&nobody), EmbeddedError::Account { .. }));
}

#[test]
fn a_server_that_cannot_start_is_quoted() {
    let dir = data_dir();
    drop(started(dir.path()));
    let overrides = cluster_of(dir.path()).join("postgresql.auto.conf");
    std::fs::write(&overrides, "shared_buffers = 'plenty'\n").expect("written");
    let error = refused(&settings(dir.path()));
    assert!(matches!(error, EmbeddedError::StartFailed { .. }));
    assert!(error.to_string().contains("shared_buffers"), "{error}");
    std::fs::write(&overrides, "").expect("written");
    assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1");
}

#[test]
fn root_is_told_which_folder_is_in_the_way() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    set_mode(dir.path(), 0o700);
    let error = refused(&settings(&dir.path().join("inner")));
    let EmbeddedError::NotReachable { dir: closed, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(closed, &dir.path().canonicalize().expect("it is there"));
    set_mode(dir.path(), 0o755);
    drop(started(&dir.path().join("inner")));
}

#[test]
fn root_hands_a_cluster_over_when_the_account_changes() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    let as_account = |name: &str| Settings {
        account: Some(name.into()),
        ..settings(dir.path())
    };
    let owner = || {
        Cluster::in_data_dir(dir.path())
            .expect("a cluster")
            .owner()
            .map(account::name_of)
    };
    for (configured, runs_as) in [("nobody", "nobody"), ("postgres", "postgres")] {
        let server = Embedded::start(&as_account(configured)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(answer(&server, "SELECT 1"), "1");
        assert_eq!(owner().as_deref(), Some(runs_as));
    }
    drop(started(dir.path()));
    assert_eq!(
        owner().as_deref(),
        Some("postgres"),
        "the owner stays when none is configured"
    );
}

/// The main tests once more, as an account without privileges, when this run is root.
#[test]
fn all_of_it_works_without_privileges() {
    if !Uid::effective().is_root() {
        return;
    }
    let dir = data_dir();
    set_mode(dir.path(), 0o755);
    let program = dir.path().join("tests");
    std::fs::copy(std::env::current_exe().expect("this program"), &program).expect("copied");
    let home = dir.path().join("home");
    std::fs::create_dir(&home).expect("created");
    let account = Account::choose(Some("nobody"), None).expect("every system has it");
    account.own_path(&home).expect("given away");
    let output = account
        .command(&program)
        .args([
            "--exact",
            "embedded::tests::a_first_start_creates_a_cluster_and_a_stop_leaves_no_trace",
        ])
        .arg("embedded::tests::a_killed_carrel_takes_its_server_along_and_loses_nothing")
        .env("TMPDIR", &home)
        .current_dir(&home)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("2 passed"),
        "{said}"
    );
}
