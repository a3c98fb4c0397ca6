//! Clients that send nothing, or read nothing, are disconnected, and others do not wait for them.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::support::{Carrel, command, data_dir};

const PATIENCE: Duration = Duration::from_secs(30);

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connected");
    let patience = stream.set_read_timeout(Some(PATIENCE));
    patience.expect("a timeout");
    stream
}

fn says(address: &str, text: &str) -> TcpStream {
    let mut stream = connect(address);
    stream.write_all(text.as_bytes()).expect("sent");
    stream
}

/// Everything received until the other end closes or resets the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("still open: {error}"),
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn with_silence(data_dir: &Path) -> Carrel {
    let mut command = command(data_dir);
    command.args(["--http-silence-seconds=1", "--http-idle-seconds=2"]);
    Carrel::start_with(command)
}

/// Signs in as an unknown user on the FOLIO port; the answer must come soon.
async fn sign_in(carrel: &Carrel) -> u16 {
    let request = reqwest::Client::new()
        .post(format!("http://{}/authn/login", carrel.folio))
        .header("x-okapi-tenant", "supertenant")
        .body(r#"{"username": "nobody", "password": "nothing"}"#)
        .timeout(PATIENCE);
    request.send().await.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn silent_connections_leave_room_for_health_and_the_desk() {
    let dir = data_dir();
    let plain = command(dir.path());
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -n 256; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args())
        .stdin(std::process::Stdio::null());
    let carrel = Carrel::start_with(limited);
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(connect(&carrel.staff));
        silent.push(connect(&carrel.folio));
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(carrel.status(path).await, Some(200), "{path}");
    }
    assert_eq!(sign_in(&carrel).await, 422);
    for _ in 0..100 {
        silent.push(says(&carrel.staff, "GET /healthz HTTP/1.1\r\nHost: "));
    }
    assert_eq!(carrel.status("/healthz").await, Some(200));
    assert_eq!(sign_in(&carrel).await, 422);
}

#[tokio::test]
async fn silent_and_slow_clients_are_disconnected() {
    let dir = data_dir();
    let carrel = with_silence(dir.path());
    let staff = &carrel.staff;
    let nothing = connect(staff);
    let half = says(staff, "GET /healthz HTTP/1.1\r\nHost: ");
    let kept = says(staff, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    let head = "POST /folio/authn/login HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: supertenant\r\n";
    let slow = says(staff, &format!("{head}Content-Length: 10\r\n\r\n{{"));
    let chunked = says(staff, &format!("{head}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"));
    assert_eq!(rest(nothing), "");
    assert_eq!(rest(half), "");
    assert!(rest(kept).starts_with("HTTP/1.1 200"));
    for body in [slow, chunked] {
        let answer = rest(body).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 408"), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_read_ends() {
    let dir = data_dir();
    let carrel = with_silence(dir.path());
    // More than the system buffers for a client that does not read.
    let document = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(400);
    let mut greedy = says(&carrel.staff, &document);
    let deadline = Instant::now() + PATIENCE;
    let ended = loop {
        match greedy.write(b"\r\n") {
            Err(error) if error.kind() != ErrorKind::WouldBlock => break error,
            _ => assert!(Instant::now() < deadline, "still served"),
        }
        greedy.set_nonblocking(true).expect("a socket");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let kinds = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
    assert!(kinds.contains(&ended.kind()), "{ended}");
    assert_eq!(carrel.status("/healthz").await, Some(200));
}

#[tokio::test]
async fn a_too_large_body_is_refused_before_it_is_sent() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    let head = "POST /authn/login HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: supertenant\r\n";
    let declared = says(&carrel.folio, &format!("{head}Content-Length: 33554432\r\n\r\n"));
    // Sent completely all the same: the answer must not be lost.
    let mut sent = says(&carrel.folio, &format!("{head}Content-Length: 2000000\r\n\r\n"));
    sent.write_all(&vec![b' '; 2_000_000]).expect("heard out");
    for stream in [declared, sent] {
        let answer = rest(stream).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 413"), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn invented_methods_do_not_fill_the_metrics() {
    let dir = data_dir();
    let carrel = Carrel::start(dir.path());
    let client = reqwest::Client::new();
    for number in 0..50 {
        let method = format!("M{number}X").parse().expect("a method");
        let request = client.request(method, format!("http://{}/users", carrel.folio));
        request.send().await.expect("an answer");
    }
    let metrics = || client.get(format!("http://{}/metrics", carrel.staff));
    let answer = metrics().send().await.expect("an answer");
    let text = answer.text().await.expect("text");
    assert!(!text.contains("M1X"), "{text}");
    let counted =
        text.lines().find(|line| line.starts_with("carrel_request_seconds_count") && line.contains("method=\"other\""));
    assert!(counted.is_some_and(|line| line.ends_with(" 50")), "{text}");
    // Fixed buckets, whose memory does not grow with the counts.
    assert!(text.contains("carrel_request_seconds_bucket"), "{text}");
    // An alarm needs a counter before the first trouble.
    for counter in [
        "carrel_http_turned_away_total{port=\"archives\"} 0",
        "carrel_log_lines_dropped_total 0",
        "carrel_events_refused_total 0",
        "carrel_sip2_offline_total{message=\"11\",result=\"failed\"} 0",
        "# TYPE process_cpu_seconds_total counter",
    ] {
        assert!(text.lines().any(|line| line == counter), "{counter} in {text}");
    }
    for line in text.lines().filter(|line| line.starts_with("# TYPE ")) {
        let name = line.split(' ').nth(2).expect("a name");
        assert!(text.contains(&format!("# HELP {name} ")), "{name} is not described");
    }
    let by_proxy = metrics().header("x-forwarded-for", "192.0.2.1");
    assert_eq!(by_proxy.send().await.expect("an answer").status(), 403);
}

#[tokio::test]
async fn metrics_with_a_token_require_it() {
    let dir = data_dir();
    let mut command = command(dir.path());
    command.env("CARREL_METRICS_TOKEN", "a token of the operator");
    let carrel = Carrel::start_with(command);
    let client = reqwest::Client::new();
    let metrics = || client.get(format!("http://{}/metrics", carrel.staff));
    for (token, status) in [(None, 401), (Some("a guess"), 401), (Some("a token of the operator"), 200)] {
        let request = match token {
            Some(token) => metrics().header("authorization", format!("Bearer {token}")),
            None => metrics(),
        };
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), status, "{token:?}");
    }
}
