//! `carrel serve` as an operator runs it: started, stopped, killed, and refused.

use std::process::Command;

use super::support::{Carrel, command, data_dir, postgres_of, send};

/// The message when it refuses to start.
fn refusal(mut command: Command) -> String {
    let output = command.output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test]
async fn it_serves_until_stopped_and_leaves_nothing_running() {
    let dir = data_dir();
    for signal in ["TERM", "INT"] {
        let carrel = Carrel::start(dir.path());
        assert_eq!(carrel.status("/healthz").await, Some(200));
        assert_eq!(carrel.status("/readyz").await, Some(200));
        assert!(postgres_of(dir.path()).is_some());
        assert!(carrel.stop(signal).success());
        assert_eq!(postgres_of(dir.path()), None);
    }
}

#[tokio::test]
async fn an_endless_request_does_not_prevent_a_stop() {
    use std::io::Write;

    let dir = data_dir();
    let mut command = command(dir.path());
    command.arg("--stop-timeout-seconds=1");
    let carrel = Carrel::start_with(command);
    let mut stuck = std::net::TcpStream::connect(&carrel.staff).expect("connected");
    let half = "POST /folio/authn/login HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{";
    stuck.write_all(half.as_bytes()).expect("sent");
    assert_eq!(carrel.status("/healthz").await, Some(200));
    assert!(carrel.stop("TERM").success());
    assert_eq!(postgres_of(dir.path()), None);
}

#[tokio::test]
async fn it_recovers_after_a_kill_of_postgresql_or_itself() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    let postgres = postgres_of(dir.path()).expect("it runs");
    send("KILL", postgres);
    carrel.line_with("PostgreSQL runs again");
    assert_eq!(carrel.status("/readyz").await, Some(200));
    carrel.stop("KILL");

    let carrel = Carrel::start(dir.path());
    assert_eq!(carrel.status("/readyz").await, Some(200));
    assert!(carrel.stop("TERM").success());
}

#[tokio::test]
async fn a_second_carrel_on_the_same_data_is_refused() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    let refusal = refusal(command(dir.path()));
    let process = format!("process {}", carrel.process.id());
    assert!(refusal.contains("in use by another Carrel") && refusal.contains(&process), "{refusal}");
    assert_eq!(carrel.status("/readyz").await, Some(200));
}

#[tokio::test]
async fn what_is_made_of_admin_tenant_is_told() {
    let dir = data_dir();
    let start = |tenant: &str, username: &str| {
        let mut command = command(dir.path());
        command.args(["--admin-tenant", tenant, "--admin-username", username]).env("CARREL_ADMIN_PASSWORD", "secret");
        command
    };
    let steps = [
        ("mylib", "chief", "the library of admin_tenant is created"),
        ("mylib", "chief", "keeps their password"),
        ("mylib", "rescue", "is created"),
        ("supertenant", "root", "is created"),
        ("nolib", "rescue", "created beside others"),
    ];
    for (tenant, username, told) in steps {
        let carrel = Carrel::spawn(start(tenant, username));
        carrel.line_with(told);
        assert!(carrel.ready().stop("TERM").success());
    }
}

#[tokio::test]
async fn it_uses_an_external_server() {
    let dir = data_dir();
    let mut settings = store::embedded::Settings::new(dir.path());
    settings.fsync = false;
    let server = store::embedded::Embedded::start(&settings).unwrap_or_else(|e| panic!("{e}"));
    let socket = server.socket_dir().display().to_string().replace('/', "%2F");
    let url = format!("postgres://carrel@{socket}/carrel");
    let data = dir.path().join("for/indexes");
    let mut command = command(&data);
    command.env("CARREL_DATABASE_URL", url);
    let carrel = Carrel::start_with(command);
    assert_eq!(carrel.status("/readyz").await, Some(200));
    assert!(carrel.stop("TERM").success());
    assert!(server.process_id().is_some() && data.is_dir() && !data.join("postgres").exists());
}

#[test]
fn obstacles_are_reported_before_anything_is_created() {
    let dir = data_dir();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    let unused = dir.path().join("data");
    let cases = [
        (vec!["--folio-listen", address.as_str()], "folio_listen"),
        (vec!["--log-level", "loud=very"], "log_level"),
        (vec!["--body-limit-bytes", "lots"], "--body-limit-bytes"),
        (vec!["--database-url", "mysql://db/x"], "database_url"),
        (vec!["--database-url", "postgres://127.0.0.1:9/x", "--database-wait-seconds=1"], "127.0.0.1:9"),
    ];
    for (flags, named) in cases {
        let mut carrel = Command::new(env!("CARGO_BIN_EXE_carrel"));
        carrel
            .args(["serve", "--staff-listen=127.0.0.1:0", "--sip2-listen=127.0.0.1:0", "--data-dir"])
            .arg(&unused)
            .args(&flags);
        if !flags.contains(&"--folio-listen") {
            carrel.arg("--folio-listen=127.0.0.1:0");
        }
        let refusal = refusal(carrel);
        assert!(refusal.contains(named), "{flags:?}: {refusal}");
    }
    assert!(!unused.exists());
}
