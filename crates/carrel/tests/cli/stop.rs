//! How `carrel serve` stops: it finishes running requests, and does not wait for idle connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tokio_postgres::Client;

use super::support::{Carrel, data_dir, database, postgres_of, send};

const PATIENCE: Duration = Duration::from_secs(20);

/// A sign-in that fails, but needs the database for that.
fn sign_in(carrel: &Carrel) -> reqwest::RequestBuilder {
    reqwest::Client::new()
        .post(format!("http://{}/folio/authn/login", carrel.staff))
        .header("x-okapi-tenant", "supertenant")
        .body(r#"{"username": "reader", "password": "reader"}"#)
}

/// A connection kept open after an answer.
fn kept_alive(carrel: &Carrel) -> TcpStream {
    let mut connection = TcpStream::connect(&carrel.staff).expect("connected");
    let patience = connection.set_read_timeout(Some(PATIENCE));
    patience.expect("a timeout");
    let request = "GET /healthz HTTP/1.1\r\nHost: carrel\r\n\r\n";
    connection.write_all(request.as_bytes()).expect("sent");
    let mut answer = [0; 4096];
    let length = connection.read(&mut answer).expect("an answer");
    assert!(answer[..length].starts_with(b"HTTP/1.1 200"));
    connection
}

/// Some statement waits for a lock.
const WAITING: &str = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)";
/// No connection of Carrel's works.
const AT_REST: &str =
    "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'carrel' AND state <> 'idle')";

async fn until(database: &Client, condition: &str) {
    let deadline = Instant::now() + PATIENCE;
    while !database.query_one(condition, &[]).await.expect("an answer").get::<_, bool>(0) {
        assert!(Instant::now() < deadline, "never true: {condition}");
    }
}

/// Lines wait in a queue, which is written at the end.
#[tokio::test]
async fn the_log_has_a_line_for_every_request_after_a_stop() {
    let dir = data_dir();
    for (signals, stops) in [(1, true), (2, false)] {
        let carrel = Carrel::start(dir.path());
        for number in 0..300 {
            let answer = reqwest::get(format!("http://{}/unknown-{number}", carrel.folio)).await;
            assert_eq!(answer.expect("an answer").status(), 404);
        }
        for _ in 0..signals {
            send("TERM", carrel.process.id());
        }
        let (status, log) = carrel.end();
        assert!(status.success() || !stops, "{status}");
        let lines = log.lines().filter(|line| line.contains("\"path\":\"/unknown-")).count();
        assert_eq!(lines, 300, "{log}");
    }
}

/// A server that stops while its clients are connected ends their connections, which looks like trouble.
#[tokio::test]
async fn no_connection_is_lost_when_the_private_database_stops() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    for _ in 0..3 {
        assert!(sign_in(&carrel).send().await.expect("an answer").status().is_client_error());
    }
    let observer = database(dir.path()).await;
    until(&observer, AT_REST).await;
    drop(observer);
    send("TERM", carrel.process.id());
    let (status, log) = carrel.end();
    assert!(status.success() && log.contains("PostgreSQL is stopped"), "{log}");
    assert!(!log.contains("a connection to the database was lost"), "{log}");
}

#[tokio::test]
async fn a_running_request_is_answered_and_an_idle_connection_is_closed() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    let (holder, observer) = (database(dir.path()).await, database(dir.path()).await);
    let hold = "BEGIN; LOCK TABLE t_supertenant.users IN ACCESS EXCLUSIVE MODE";
    holder.batch_execute(hold).await.expect("locked");
    let running = tokio::spawn(sign_in(&carrel).send());
    until(&observer, WAITING).await;
    let mut idle = kept_alive(&carrel);

    send("TERM", carrel.process.id());
    carrel.line_with("a second signal stops at once");
    let rest = idle.read(&mut [0; 16]);
    assert_eq!(rest.expect("closed"), 0, "closed while a request runs");
    assert_eq!(carrel.status("/healthz").await, None, "no new requests");
    assert!(!running.is_finished());

    holder.batch_execute("ROLLBACK").await.expect("released");
    let answer = running.await.expect("no panic").expect("an answer");
    assert!(answer.status().is_client_error(), "{}", answer.status());
    let (status, log) = carrel.end();
    assert!(status.success());
    assert!(!log.contains("requests still run"), "{log}");
    assert_eq!(postgres_of(dir.path()), None);
}
