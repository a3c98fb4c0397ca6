//! Input that is not HTTP, or breaks off.

use std::time::Duration;

use testkit::{Library, library};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::everything_comes_to_rest;
use crate::support::{ONE, one_of_each, until_waiting};

const PATIENCE: Duration = Duration::from_secs(20);

async fn connect(library: &Library) -> TcpStream {
    let address = library.open.base().trim_start_matches("http://");
    TcpStream::connect(address).await.expect("it listens")
}

/// Sends the bytes and returns the status line of the answer, empty if the connection was closed.
async fn said_to(library: &Library, bytes: &[u8]) -> String {
    let mut stream = connect(library).await;
    // The server may close the connection during the write.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    let reading = async {
        while !answer.contains(&b'\n') {
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => break,
                Ok(length) => answer.extend_from_slice(&piece[..length]),
            }
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, reading).await;
    assert!(in_time.is_ok(), "no answer to {}", bytes.escape_ascii());
    let text = String::from_utf8_lossy(&answer);
    text.lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn non_http_input_is_refused() {
    let library = library().await;
    let huge = [b"GET / HTTP/1.1\r\nx: ", &b"a".repeat(2 << 20)[..], b"\r\n\r\n"].concat();
    let many = ["GET / HTTP/1.1\r\n", &"a: b\r\n".repeat(10_000), "\r\n"].concat();
    let long = format!("GET /users?query={} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(70_000));
    let malformed: [&[u8]; 13] = [
        b"\r\n\r\n\r\n\0\r\n\r\n",
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /material-types\r\n\r\n",
        b"GET /a b HTTP/1.1\r\n\r\n",
        b"GET /material-types\0 HTTP/1.1\r\n\r\n",
        b"GET /material-types HTTP/9.9\r\n\r\n",
        b"GET /material-types HTTP/1.1\r\nbad header\r\n\r\n",
        b"POST /material-types HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n",
        b"POST /material-types HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nx-okapi-tenant: test\r\n\r\nzz\r\n",
        &huge,
        many.as_bytes(),
        long.as_bytes(),
    ];
    for bytes in malformed {
        let status = said_to(&library, bytes).await;
        let refused = status.is_empty() || status.starts_with("HTTP/1.1 4") || status.starts_with("HTTP/1.0 4");
        assert!(refused, "{status} to {}", bytes[..bytes.len().min(90)].escape_ascii());
    }
    everything_comes_to_rest(&library).await;
    library.open.get("/material-types").await.expect(200);
}

/// Sends a request on a connection that stays open, a piece at a time, and returns status and body of the answer.
async fn asked_on(stream: &mut TcpStream, pieces: &[&str]) -> (u16, String) {
    for piece in pieces {
        stream.write_all(piece.as_bytes()).await.expect("it listens");
        // So that the server may read each piece alone.
        tokio::task::yield_now().await;
    }
    let (mut answer, mut piece) = (String::new(), [0; 4096]);
    loop {
        let length =
            tokio::time::timeout(PATIENCE, stream.read(&mut piece)).await.expect("in time").expect("an answer");
        assert!(length > 0, "closed after {answer}");
        answer.push_str(std::str::from_utf8(&piece[..length]).expect("text"));
        let Some((head, body)) = answer.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let announced = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() == announced.and_then(|length| length.parse().ok()).unwrap_or(0) {
            return (answer[9..12].parse().expect("a status"), body.to_owned());
        }
    }
}

/// `curl` sends them so.
#[tokio::test]
async fn quotation_marks_and_angle_brackets_of_a_query_need_not_be_encoded() {
    let library = library().await;
    let mut stream = connect(&library).await;
    let head = "HTTP/1.1\r\nhost: x\r\nx-okapi-tenant: test\r\nif-none-match: \"<a>\"\r\n";
    let body = r#"{"name": "a \"b\" <c>", "source": "local"}"#;
    let length = body.len();
    let post = format!(
        "POST /material-types?x=\"y\" {head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    let chunked =
        format!("POST /material-types {head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    let (status, _) = asked_on(&mut stream, &[&chunked, "2\r\n{}\r\n", "0\r\n\r\n"]).await;
    assert_eq!(status, 422);
    let (status, made) = asked_on(&mut stream, &[&post, &body[..9], &body[9..]]).await;
    assert_eq!(status, 201, "{made}");
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    assert_eq!(made["name"], r#"a "b" <c>"#);
    for (query, total) in [
        (r#"name=="a*""#, 1),
        ("name==\"\"", 0),
        ("name<b", 1),
        ("name>b", 0),
        (r#"name<>"a*""#, 0),
        ("name==a*", 1),
        ("name%3D%3D%22a*%22", 1),
    ] {
        let get = format!("GET /material-types?limit=0&query={query} {head}\r\n");
        let (start, end) = get.split_at(get.len() / 3);
        for pieces in [&[get.as_str()][..], &[start, end]] {
            let (status, list) = asked_on(&mut stream, pieces).await;
            assert_eq!(status, 200, "{query}: {list}");
            let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
            assert_eq!(list["totalRecords"], total, "{query}");
        }
    }
}

/// Header values may be any bytes; those that are not text are not taken for a tenant, token or user.
#[tokio::test]
async fn binary_headers_are_refused_or_ignored() {
    let library = library().await;
    for name in ["x-okapi-tenant", "x-okapi-token", "authorization", "cookie", "x-okapi-user-id", "x-okapi-request-id"]
    {
        let mut request = b"GET /material-types HTTP/1.1\r\nhost: x\r\n".to_vec();
        if name != "x-okapi-tenant" {
            request.extend_from_slice(b"x-okapi-tenant: test\r\n");
        }
        request.extend_from_slice(name.as_bytes());
        request.extend_from_slice(b": \xff\xfe\x80\r\n\r\n");
        let status = said_to(&library, &request).await;
        assert!(status.starts_with("HTTP/1.1 2") || status.starts_with("HTTP/1.1 4"), "{name}: {status}");
    }
    everything_comes_to_rest(&library).await;
}

#[tokio::test]
async fn clients_that_leave_hold_no_resources() {
    let library = library().await;
    let head = "POST /material-types HTTP/1.1\r\nhost: x\r\nx-okapi-tenant: test\r\ncontent-length: 5000\r\n\r\n{\"na";
    for _ in 0..50 {
        let mut stream = connect(&library).await;
        stream.write_all(head.as_bytes()).await.expect("it is read");
    }
    library.open.get("/material-types").await.expect(200);
    everything_comes_to_rest(&library).await;
}

/// Requests that wait for a locked record give their connections back when their clients leave.
#[tokio::test]
async fn a_client_that_leaves_a_running_statement_keeps_no_connection() {
    let library = library().await;
    one_of_each(&library).await;
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let holder = library.app.session(&tenant).expect("a session").begin().await.expect("a transaction");
    let lock = "SELECT FROM material_type WHERE id = $1 FOR UPDATE";
    holder.query(lock, &[&ONE]).await.expect("the lock");
    let body = r#"{"name": "changed"}"#;
    let request = format!(
        "PUT /material-types/{ONE} HTTP/1.1\r\nhost: x\r\nx-okapi-tenant: test\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut gone = Vec::new();
    for _ in 0..30 {
        let mut stream = connect(&library).await;
        stream.write_all(request.as_bytes()).await.expect("it is read");
        gone.push(stream);
    }
    until_waiting(&library, 1).await;
    drop(gone);
    holder.commit().await.expect("the lock is given back");
    let answered = tokio::time::timeout(PATIENCE, library.open.get("/material-types"));
    answered.await.expect("connections are free again").expect(200);
    everything_comes_to_rest(&library).await;
}
