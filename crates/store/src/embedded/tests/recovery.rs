//! Servers that were killed, left behind or cut short, and what a start finds of them.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::*;

/// The data directory for the copy of this program that acts as the killed Carrel.
const VICTIM: &str = "CARREL_TEST_VICTIM_DATA_DIR";

fn kill_now(process_id: u32) {
    let process = Pid::from_raw(i32::try_from(process_id).expect("a process id"));
    kill(process, Signal::SIGKILL).expect("the process is there");
}

#[test]
fn a_killed_server_comes_back_with_all_commits() {
    let dir = data_dir();
    let server = started(dir.path());
    answer(&server, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2)");
    let first = server.process_id().expect("it runs");
    kill_now(first);
    eventually("another server", || server.process_id().is_some_and(|id| id != first));
    assert_eq!(answer(&server, "SELECT count(*) FROM kept"), "2");
}

#[test]
fn a_server_left_behind_is_stopped_and_replaced() {
    let dir = data_dir();
    drop(started(dir.path()));
    let cluster = cluster_of(dir.path());
    let mut orphan = start_by_hand(dir.path());
    eventually("the orphan's lock file", || {
        std::fs::read_to_string(cluster.join("postmaster.pid")).is_ok_and(|text| text.contains("ready"))
    });

    let server = started(dir.path());
    assert!(orphan.wait().expect("its end").success(), "it was stopped cleanly");
    assert_ne!(server.process_id(), Some(orphan.id()));
    assert_eq!(answer(&server, "SELECT 1"), "1");
}

/// Starts a server as an older Carrel would have left it: unsupervised.
fn start_by_hand(data_dir: &Path) -> Child {
    let cluster = Cluster::in_data_dir(&data_dir.canonicalize().expect("it is there"));
    let cluster = cluster.expect("a cluster");
    let account = Account::choose(None, cluster.owner()).expect("an account");
    let programs = Programs::find(None, cluster.existing()).expect("the programs");
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
    let alive = format!("{own}\n{}\n1700000000\n5432\n", cluster_of(dir.path()).display());
    for text in ["", "garbage", "-1\n", "999999999\n", "\0\0\0\0", alive.as_str()] {
        std::fs::write(&lock_file, text).expect("written");
        assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1", "after {text:?}");
    }
}

/// A program of the server's account that is unrelated to any server.
fn stranger(data_dir: &Path, program: &str) -> Child {
    let cluster = Cluster::in_data_dir(data_dir).expect("a cluster");
    let account = Account::choose(None, cluster.owner()).expect("an account");
    let mut command = account.command(Path::new("/bin/sh"));
    command.args(["-c", program]).current_dir("/");
    command.spawn().expect("it starts")
}

/// After a power cut the process id in PostgreSQL's lock files may belong to another process at the next boot; after a
/// kill it belongs to a dead process where dead processes are not reaped.
#[test]
fn lock_files_that_name_an_unrelated_process_are_no_obstacle() {
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
        let lock = format!("{process}\n{}\n1700000000\n{PORT}\n{}\n", cluster.display(), run.display());
        for file in [cluster.join("postmaster.pid"), run.join(".s.PGSQL.5432.lock")] {
            std::fs::write(file, &lock).expect("written");
        }
        assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1", "process {process}");
    }
    assert!(matches!(living.try_wait(), Ok(None)), "a stranger is left alone");
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
        // A process that existed only briefly has ended by now.
        assert!(input.map_or(true, |input| input.ino() == expected), "{process}");
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
    let survivor = *others.iter().find(|process| **process != first as i32).expect("a server has several processes");
    // Ignores every signal except SIGKILL.
    kill(Pid::from_raw(survivor), Signal::SIGSTOP).expect("stopped");
    kill_now(first);
    eventually("another server", || server.process_id().is_some_and(|id| id != first));
    let now = leftovers::processes_in(&cluster_of(dir.path()));
    assert!(!now.contains(&survivor), "{survivor} of {now:?}");
    assert_eq!(answer(&server, "SELECT 1"), "1");
}

/// What a start has done up to some moment.
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
fn a_start_killed_at_any_moment_is_repeated() {
    for moment in MOMENTS {
        let dir = data_dir();
        let mut victim = spawn_victim(dir.path());
        eventually(moment, || dir.path().join(moment).exists());
        victim.kill().expect("killed");
        // The next start must not wait for anything that this one left.
        let server = started(dir.path());
        assert_eq!(answer(&server, "SELECT 1"), "1", "after {moment}");
        victim.wait().expect("its end");
    }
}

#[test]
fn a_killed_carrel_stops_its_server_and_loses_nothing() {
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
        eventually("the server's own end", || leftovers::processes_in(&cluster).is_empty());
    }
}

/// Runs a copy of this program that starts a server and then waits to be killed.
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
        .args(["--exact", "--nocapture", "embedded::tests::recovery::a_carrel_that_waits_to_be_killed"])
        .env(VICTIM, data_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// The other half of the test above; does nothing on its own.
#[test]
fn a_carrel_that_waits_to_be_killed() {
    let Some(data_dir) = std::env::var_os(VICTIM) else {
        return;
    };
    let server = started(Path::new(&data_dir));
    answer(&server, "CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)");
    println!("server process {}", server.process_id().expect("it runs"));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("the end of the input");
}

#[test]
fn an_interrupted_creation_is_repeated() {
    let dir = data_dir();
    let unfinished = dir.path().join("postgres.unfinished");
    std::fs::create_dir(&unfinished).expect("created");
    std::fs::write(unfinished.join("PG_VERSION"), "15\n").expect("written");
    assert_eq!(answer(&started(dir.path()), "SELECT 1"), "1");
    assert!(!unfinished.exists());
}
