//! The gateway (docs/folio/gateway.md).

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{Answer, Client, Library, library, library_with};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::until_waiting;

/// Less than the time for which a request waits for a connection.
const PATIENCE: Duration = Duration::from_secs(8);

#[tokio::test]
async fn a_preflight_needs_neither_tenant_nor_token() {
    let library = library().await;
    let client = Client::new(
        library.open.base(),
        &[("origin", "http://localhost:3000"), ("access-control-request-method", "GET")],
    );
    for path in ["/users", "/no/such?a=%zz&&&", "/"] {
        let answer = client.send("OPTIONS".parse().unwrap(), path, None).await.expect(204);
        assert_eq!(answer.header("access-control-allow-origin"), Some("http://localhost:3000"));
        assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
        assert_eq!(answer.header("access-control-max-age"), Some("7200"));
        let methods = answer.header("access-control-allow-methods").unwrap().to_owned();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            assert!(methods.contains(method), "{methods}");
        }
    }
}

#[tokio::test]
async fn only_pages_of_allowed_origins_may_use_cookies() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.allowed_origins = "https://folio.example.org".parse().expect("origins");
    })
    .await;
    for (origin, expected, credentials) in [
        ("https://folio.example.org", "https://folio.example.org", Some("true")),
        ("http://localhost:3000", "*", None),
        ("https://evil.example", "*", None),
        ("null", "*", None),
    ] {
        let client = library.open.with_header("origin", origin);
        let preflight = client.send("OPTIONS".parse().unwrap(), "/users", None).await;
        for answer in [preflight, client.get("/users").await] {
            let header = |name| answer.header(name);
            assert_eq!(header("access-control-allow-origin"), Some(expected), "{origin}");
            assert_eq!(header("access-control-allow-credentials"), credentials, "{origin}");
            assert!(header("vary").is_some_and(|vary| vary.contains("origin")));
        }
    }
    let unsaid = library.open.get("/users").await;
    assert_eq!(unsaid.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_foreign_page_cannot_use_a_users_cookies() {
    let library = library().await;
    // Two different tokens are refused, which shows whether the cookie was read.
    let reader = library.open.with_header("x-okapi-token", "one");
    let reader = reader.with_header("cookie", "folioAccessToken=another");
    for (origin, site, is_read) in [
        ("https://evil.example", "cross-site", false),
        ("https://evil.example", "same-site", false),
        ("https://staff.example", "same-origin", true),
        ("http://localhost:3000", "same-site", true),
    ] {
        let page = reader.with_header("origin", origin);
        let page = page.with_header("sec-fetch-site", site);
        let answer = page.get("/users").await;
        let different = answer.text.starts_with("Different tokens");
        assert_eq!(different, is_read, "{origin}, {site}: {}", answer.text);
    }
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let library = library().await;
    let kind = json!({"name": "book"});
    let id = library.open.create("/material-types", &kind).await["id"].clone();
    let one = format!("/material-types/{}", id.as_str().expect("an id"));
    let staff = Client::new(&library.staff, &[("x-okapi-tenant", library.tenant)]);
    let of_staff = "/folio/material-types";
    for (client, path, status) in [
        (&library.open, "/material-types", 200),
        (&library.open, one.as_str(), 200),
        (&library.open, "/material-types/6f6e6500-0000-4000-8000-000000000001", 404),
        (&library.open, "/no-such-path", 404),
        (&staff, of_staff, 200),
        (&staff, "/healthz", 200),
    ] {
        let get = client.get(path).await.expect(status);
        let head = client.send("HEAD".parse().unwrap(), path, None).await;
        assert_eq!((head.status, head.text.as_str()), (status, ""), "{path}");
        let names = |answer: &Answer| -> Vec<String> { answer.headers.keys().map(ToString::to_string).collect() };
        assert_eq!(names(&head), names(&get), "{path}");
        for name in ["content-length", "content-type"] {
            assert_eq!(head.header(name), get.header(name), "{path}");
        }
    }
    let closed = library_with(|_| {}).await;
    let refused = closed.open.send("HEAD".parse().unwrap(), "/users", None);
    refused.await.expect(403);
    let posted = library.open.send("HEAD".parse().unwrap(), "/authn/login", None);
    posted.await.expect(404);
}

#[tokio::test]
async fn answers_forbid_sniffing_and_pages_have_a_content_policy() {
    let library = library().await;
    let staff = Client::new(&library.staff, &[("x-okapi-tenant", library.tenant)]);
    for (client, path) in [
        (&library.open, "/users"),
        (&library.open, "/no-such-path"),
        (&staff, "/folio/users"),
        (&staff, "/healthz"),
        (&staff, "/openapi.json"),
        (&staff, "/"),
    ] {
        let answer = client.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    let page = staff.get("/").await;
    // A build without the pages serves none.
    if page.status == 200 {
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(policy.contains("script-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    }
}

#[tokio::test]
async fn unknown_tenants_and_unknown_paths_differ() {
    let library = library().await;
    let base = library.open.base();
    let absent = Client::new(base, &[("x-okapi-tenant", "nobody")]).get("/users").await;
    assert_eq!(absent.expect(400).text, "No such Tenant nobody");
    let path = library.open.get("/no-such-path").await.expect(404);
    assert_eq!(path.text, "No suitable module found for path and tenant");
    let trailing = library.open.get("/material-types/").await;
    trailing.expect(200);
}

#[tokio::test]
async fn an_unprotected_tenant_is_refused_unless_allowed() {
    let library = library_with(|_| {}).await;
    let refused = library.open.get("/material-types").await.expect(403);
    assert!(refused.text.contains("--allow-open-tenants"), "{}", refused.text);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.body_limit = 1000;
    })
    .await;
    let body = vec![b' '; 1001];
    library.open.send("POST".parse().unwrap(), "/material-types", Some(body)).await.expect(413);
}

#[tokio::test]
async fn open_routes_accept_only_small_bodies() {
    let library = library().await;
    let long = json!({"username": "x".repeat(20_000), "password": "x"});
    for path in ["/authn/login", "/authn/login-with-expiry", "/bl-users/login", "/bl-users/forgotten/password"] {
        library.open.post(path, &long).await.expect(413);
    }
    let note = json!({"name": "x".repeat(20_000)});
    library.open.post("/material-types", &note).await.expect(201);
}

/// A connection that has sent the head of a POST and `sent` bytes of its body.
async fn begun(library: &Library, declared: usize, sent: usize) -> TcpStream {
    let address = library.open.base().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let head = format!(
        "POST /material-types HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {declared}\r\n\r\n",
        library.tenant
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream.write_all(&vec![b' '; sent]).await.expect("sent");
    stream
}

#[tokio::test]
async fn large_bodies_share_a_budget_and_small_ones_bypass_it() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.bodies_limit = 200_000;
    })
    .await;
    let large = || json!({"name": "x".repeat(150_000)});
    library.open.post("/material-types", &large()).await.expect(201);
    let waiting = begun(&library, 190_000, 180_000).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    let refused = loop {
        let answer = library.open.post("/service-points", &large()).await;
        if answer.status == 503 {
            break answer;
        }
        assert!(Instant::now() < deadline, "{}: {}", answer.status, answer.text);
    };
    assert!(refused.header("retry-after").is_some());
    let small = json!({"name": "book"});
    library.open.post("/material-types", &small).await.expect(201);
    drop(waiting);
    loop {
        let answer = library.open.post("/service-points", &large()).await;
        if answer.status != 503 {
            break;
        }
        assert!(Instant::now() < deadline, "the room is not given back");
    }
}

#[tokio::test]
async fn an_unread_body_is_drained_or_the_connection_ends() {
    let library = library_with(|settings| settings.body_limit = 1_000_000).await;
    for (declared, sent, closes) in [(100, 100, false), (900_000, 0, true), (2_000_000, 0, true)] {
        let mut stream = begun(&library, declared, sent).await;
        let mut answer = vec![0; 4096];
        let length = stream.read(&mut answer).await.expect("an answer");
        let answer = String::from_utf8_lossy(&answer[..length]).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 403"), "{answer}");
        assert_eq!(answer.contains("connection: close"), closes, "{answer}");
    }
}

#[tokio::test]
async fn the_staff_port_serves_health_and_the_api_document() {
    let library = library().await;
    let staff = Client::new(&library.staff, &[("x-okapi-tenant", library.tenant)]);
    assert_eq!(staff.get("/healthz").await.expect(200).text, "ok\n");
    assert_eq!(staff.get("/readyz").await.expect(200).text, "ready\n");
    let document = staff.get("/openapi.json").await.expect(200).json();
    assert!(document["paths"]["/material-types/{id}"]["get"].is_object());
    staff.get("/folio/material-types").await.expect(200);
    let status = staff.get("/status.json").await.expect(200).json();
    assert_eq!(status["openTenantsAllowed"], true);
}

#[tokio::test]
async fn some_modules_refuse_other_content_types() {
    let library = library().await;
    let book = json!({"name": "book"});
    let refusal = |header: &str, sent: &str| match header {
        "accept" => format!(
            "Accept header must be [\"application/json\",\"text/plain\"] for this request, but it is \"{sent}\", \
             can not send */*"
        ),
        _ => format!("Content-type header must be [\"application/json\"] but it is \"{sent}\""),
    };
    for (header, sent, expected) in [
        ("content-type", "text/plain; charset=UTF-8", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("accept", "text/html, image/*;q=0.5", "text/html, image/*;q=0.5"),
    ] {
        let client = library.open.with_header(header, sent);
        let refused = client.post("/material-types", &book).await.expect(400);
        assert_eq!(refused.text, refusal(header, expected));
        // A request without a body has no type, and other modules accept any.
        if header == "content-type" {
            client.get("/material-types").await.expect(200);
        }
        client.post("/circulation/settings", &json!({"name": sent, "value": {}})).await.expect(201);
    }
    let good = [
        ("content-type", "Application/JSON;charset=utf-8"),
        ("accept", "text/html, */*;q=0.1"),
        ("accept", "application/json"),
    ];
    for (place, (header, sent)) in good.into_iter().enumerate() {
        let client = library.open.with_header(header, sent);
        client.create("/material-types", &json!({"name": format!("kind {place}")})).await;
    }
}

/// Clients look up `Location` and `x-okapi-token` in FOLIO's capitalization.
#[tokio::test]
async fn headers_are_spelled_as_in_folio() {
    let library = library().await;
    let address = library.open.base().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let body = r#"{"group": "spelled"}"#;
    let request = format!(
        "POST /groups HTTP/1.1\r\nhost: carrel\r\nx-okapi-tenant: test\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    assert!(answer.contains("\r\nLocation: /groups/"), "{answer}");
    assert!(answer.contains("\r\ncontent-type: "), "{answer}");
}

/// Lists that wait, here for a lock, hold all their connections; what a key finds is read all the same.
#[tokio::test]
async fn what_a_key_finds_does_not_wait_for_lists() {
    let library = library().await;
    let user = library.open.create("/users", &json!({"username": "reader", "active": true})).await;
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let session = library.app.session(&tenant).expect("a session");
    let holder = session.begin().await.expect("a transaction");
    holder.execute("LOCK TABLE holdings_record IN ACCESS EXCLUSIVE MODE", &[]).await.expect("a lock");
    let list = |_| {
        let client = library.open.clone();
        tokio::spawn(async move { client.get("/holdings-storage/holdings?query=callNumber==x").await })
    };
    let lists: Vec<_> = (0..12).map(list).collect();
    until_waiting(&library, 3).await;
    for path in ["/users?query=username==reader".to_owned(), format!("/users/{}", user["id"].as_str().expect("an id"))]
    {
        timeout(PATIENCE, library.open.get(&path)).await.expect("an answer").expect(200);
    }
    holder.commit().await.expect("the lock is given back");
    for list in lists {
        list.await.expect("an answer").expect(200);
    }
}
